import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../src/index.ts';
import { ALICE, PNG } from '../build-core.ts';

let telegram: LocalTelegram;
beforeAll(async () => {
  telegram = await startLocalTelegram();
  telegram.core.people.start(ALICE.id);
});
afterAll(() => telegram.stop());

const url = (method: string) => `${telegram.botApiUrl}/bot${telegram.token}/${method}`;
type Sent = { readonly result: { readonly photo: readonly [{ readonly file_id: string }] } };
const read = async (answer: Response): Promise<readonly [number, unknown]> => [
  answer.status,
  await answer.json(),
];

describe('the Bot API over HTTP', () => {
  it('takes parameters from the query, in any case of the method', async () => {
    const answer = await fetch(`${url('SENDmessage')}?chat_id=101&text=${encodeURIComponent('a & b')}`);
    expect(await read(answer)).toMatchObject([200, { ok: true, result: { text: 'a & b' } }]);
  });

  it('takes a form', async () => {
    const body = new URLSearchParams({ chat_id: '101', text: '<b>x</b>', parse_mode: 'HTML' });
    const answer = await fetch(url('sendMessage'), { method: 'POST', body });
    expect(await read(answer)).toMatchObject([200, { result: { text: 'x', entities: [{ type: 'bold' }] } }]);
  });

  it('takes a multipart body with nested JSON and attached files', async () => {
    const body = new FormData();
    body.set('chat_id', '101');
    body.set('photo', 'attach://pic');
    body.set('reply_markup', JSON.stringify({ inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] }));
    body.set('pic', new Blob([PNG]), 'qr.png');
    const [status, sent] = await read(await fetch(url('sendPhoto'), { method: 'POST', body }));
    expect([status, sent]).toMatchObject([200, { result: { photo: [{ width: 1 }], reply_markup: {} } }]);
    const fileId = (sent as Sent).result.photo[0].file_id;
    const file = await telegram.core.call('getFile', { file_id: fileId });
    const download = await fetch(`${telegram.botApiUrl}/file/bot${telegram.token}/${file.file_path}`);
    expect(download.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await download.arrayBuffer())).toEqual(PNG);
  });

  it('answers an error with its code as the status', async () => {
    expect(await read(await fetch(url('sendMessage'), { method: 'POST' }))).toEqual([
      400,
      { ok: false, error_code: 400, description: 'Bad Request: chat_id is empty' },
    ]);
    expect(await read(await fetch(url('flyToTheMoon')))).toEqual([
      404,
      { ok: false, error_code: 404, description: 'Not Found: method not found' },
    ]);
    telegram.core.faults.add({ method: 'getMe', times: 1, code: 429, retryAfterSeconds: 3 });
    expect(await read(await fetch(url('getMe')))).toEqual([
      429,
      {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 3',
        parameters: { retry_after: 3 },
      },
    ]);
  });

  it.each(['not json', '[1]', '"x"'])('refuses the body %s with a 400', async (body) => {
    const answer = await fetch(url('sendMessage'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
  });

  it('cuts the connection when the response is to be dropped, after doing the work', async () => {
    telegram.core.faults.add({ method: 'sendMessage', times: 1, dropResponse: true });
    await expect(fetch(`${url('sendMessage')}?chat_id=101&text=lost`)).rejects.toThrow();
    const messages = [...(telegram.core.world.chats.get(ALICE.id)?.messages.values() ?? [])];
    expect(messages.at(-1)?.message.text).toBe('lost');
  });

  it('delivers to a webhook with the secret header', async () => {
    const { createServer } = await import('node:http');
    const received: unknown[] = [];
    const hook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const update = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        received.push([request.headers['x-telegram-bot-api-secret-token'], update.message.text]);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ method: 'sendMessage', chat_id: 101, text: 'from the webhook' }));
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    const address = hook.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await telegram.core.call('setWebhook', {
      url: `http://127.0.0.1:${port}/`,
      secret_token: 'abc',
      drop_pending_updates: true,
    });
    const sent = new Promise<void>((resolve) => {
      const unsubscribe = telegram.core.world.events.subscribe((event) => {
        if (event.kind !== 'message' || event.item.message.text !== 'from the webhook') return;
        unsubscribe();
        resolve();
      });
    });
    telegram.core.people.say(ALICE.id, 'over the webhook');
    await sent;
    expect(received).toEqual([['abc', 'over the webhook']]);
    await telegram.core.call('deleteWebhook');
    hook.closeAllConnections();
    hook.close();
  });
});

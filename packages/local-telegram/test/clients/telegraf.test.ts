import { Telegram } from 'telegraf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalTelegram, startLocalTelegram } from '../../src/index.ts';
import { ALICE, PNG } from '../build-core.ts';

let server: LocalTelegram;
let client: Telegram;
beforeAll(async () => {
  server = await startLocalTelegram();
  server.core.people.start(ALICE.id);
  client = new Telegram(server.token, { apiRoot: server.botApiUrl });
});
afterAll(() => server.stop());

describe('telegraf, a client that is not ours', () => {
  it('sends text with entities and edits it', async () => {
    const sent = await client.sendMessage(ALICE.id, '<b>é</b> <code>x</code>', { parse_mode: 'HTML' });
    expect(sent.entities).toEqual([
      { type: 'bold', offset: 0, length: 1 },
      { type: 'code', offset: 2, length: 1 },
    ]);
    const edited = await client.editMessageText(ALICE.id, sent.message_id, undefined, 'y', {
      reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] },
    });
    expect(edited).toMatchObject({ text: 'y', reply_markup: { inline_keyboard: [[{ text: 'a' }]] } });
    expect(edited).not.toHaveProperty('entities');
  });

  it('uploads a photo and downloads it again', async () => {
    const sent = await client.sendPhoto(ALICE.id, { source: PNG, filename: 'qr.png' }, { caption: 'c' });
    expect(sent).toMatchObject({ caption: 'c', photo: [{ width: 1, height: 1 }] });
    const link = await client.getFileLink(sent.photo[0]?.file_id ?? '');
    expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(PNG);
  });

  it('reads updates and answers a tap', async () => {
    server.core.world.queue.clear();
    const id = server.core.people.tap(ALICE.id, 1, 'x:y');
    const updates = await client.getUpdates(0, 10, 0, ['callback_query']);
    expect(updates).toMatchObject([{ callback_query: { id, data: 'x:y' } }]);
    expect(await client.answerCbQuery(id, 'ok')).toBe(true);
  });

  it('gets the errors Telegram gives', async () => {
    await expect(client.sendMessage(ALICE.id, '')).rejects.toThrow('400: Bad Request: message text is empty');
    await expect(client.sendMessage(999, 'x')).rejects.toThrow('400: Bad Request: chat not found');
    server.core.faults.add({ method: 'sendMessage', times: 1, code: 429, retryAfterSeconds: 2 });
    await expect(client.sendMessage(ALICE.id, 'x')).rejects.toMatchObject({
      response: { parameters: { retry_after: 2 } },
    });
  });
});

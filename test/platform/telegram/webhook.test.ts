import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type LocalTelegram, startLocalTelegram } from '@tradepost/local-telegram';
import { Bot } from 'grammy';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOptions } from '../../../src/platform/telegram/client.ts';
import type { BotContext } from '../../../src/platform/telegram/context.ts';
import { UpdateBusyError } from '../../../src/platform/telegram/middleware/once.ts';
import { createTelegramLink } from '../../../src/platform/telegram/telegram-link.ts';
import { serveWebhook } from '../../../src/platform/telegram/webhook.ts';

const SECRET = 'a-secret-of-some-length';
const lines: { fields: unknown; text: string | undefined }[] = [];
const log = {
  info: () => undefined,
  warn: (fields: unknown, text?: string) => void lines.push({ fields, text }),
  error: () => undefined,
};
const taking = {
  log,
  link: createTelegramLink({ steadyMs: () => 0, pause: async () => undefined, log }),
  stopping: { aborted: false },
};
let telegram: LocalTelegram;
let served: Awaited<ReturnType<typeof serveWebhook>>;
let handled = 0;
let mood: 'fine' | 'busy' | 'broken' = 'fine';

function makeBot(): Bot<BotContext> {
  const bot = new Bot<BotContext>(telegram.token, { client: clientOptions(telegram.botApiUrl) });
  bot.use(() => {
    if (mood === 'busy') throw new UpdateBusyError('1');
    if (mood === 'broken') throw new Error('database gone');
    handled += 1;
  });
  return bot;
}

beforeAll(async () => {
  telegram = await startLocalTelegram({});
  served = await serveWebhook(
    makeBot(),
    { url: 'http://127.0.0.1:9/hook', secret: SECRET, port: 0, host: '127.0.0.1' },
    taking,
  );
});
afterAll(async () => {
  await served.stop();
  await telegram.stop();
});

function post(secret: string | null, body: string, method = 'POST') {
  return fetch(`http://127.0.0.1:${served.port}/hook`, {
    method,
    headers: {
      'content-type': 'application/json',
      connection: 'close',
      ...(secret === null ? {} : { 'x-telegram-bot-api-secret-token': secret }),
    },
    ...(method === 'POST' ? { body } : {}),
  });
}

const update = JSON.stringify({
  update_id: 1,
  message: {
    message_id: 1,
    date: 0,
    text: 'hi',
    from: { id: 7, is_bot: false, first_name: 'A' },
    chat: { id: 7, type: 'private', first_name: 'A' },
  },
});

it('takes updates that carry the secret and no others', async () => {
  expect((await post(SECRET, update)).status).toBe(200);
  expect(handled).toBe(1);
  expect((await post('wrong-secret-of-length', update)).status).toBe(401);
  expect((await post(null, update)).status).toBe(401);
  expect(handled).toBe(1);
});

it('refuses other methods and bodies above one megabyte', async () => {
  expect((await post(SECRET, update, 'GET')).status).toBe(405);
  const answer = await post(SECRET, 'x'.repeat(1024 * 1024 + 1)).then(
    ({ status }) => status,
    // The connection may be closed before the body was read.
    () => 413,
  );
  expect(answer).toBe(413);
});

it('answers 503 while busy or broken, so that Telegram delivers again', async () => {
  mood = 'busy';
  expect((await post(SECRET, update)).status).toBe(503);
  mood = 'broken';
  expect((await post(SECRET, update)).status).toBe(503);
  mood = 'fine';
  expect((await post(SECRET, update)).status).toBe(200);
});

it.each([
  ['in chunks, as HTTP/1.1 proxies send it', (): string => chunked('HTTP/1.1', [update])],
  ['in chunks of one byte', (): string => chunked('HTTP/1.1', update.split(''))],
  ['with its length, in capitals', (): string => whole('HTTP/1.1')],
  ['by HTTP/1.0', (): string => whole('HTTP/1.0')],
] as const)('takes an update whose body a proxy sends %s', async (_how, request: () => string) => {
  handled = 0;
  expect(await raw(request())).toMatch(/^HTTP\/1.1 200 /);
  expect(handled).toBe(1);
});

it.each([
  [401, (): string => chunked('HTTP/1.1', [update], 'x-other: 1'), 'expected the webhook secret'],
  [405, (): string => `GET /hook HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`, 'expected POST'],
  [
    413,
    () =>
      chunked(
        'HTTP/1.1',
        Array.from({ length: 9 }, () => 'x'.repeat(128 * 1024)),
      ),
    'at most 1 MiB',
  ],
  [400, (): string => chunked('HTTP/1.1', ['{"update_id":']), 'an update as JSON'],
  [400, (): string => chunked('HTTP/1.1', ['{}']), 'an update as JSON'],
] as const)(
  'leaves one log line for a request that it refuses with %i',
  async (status, request: () => string, reason) => {
    lines.length = 0;
    handled = 0;
    expect(await raw(request())).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(handled).toBe(0);
    expect(lines).toEqual([
      { fields: expect.objectContaining({ status }), text: expect.stringContaining(reason) },
    ]);
  },
);

const SECRET_LINE = `X-TELEGRAM-BOT-API-SECRET-TOKEN: ${SECRET}`;

function chunked(version: string, parts: readonly string[], secretLine = SECRET_LINE): string {
  const chunks = parts.map((part) => `${part.length.toString(16).toUpperCase()}\r\n${part}\r\n`).join('');
  const head = `POST /hook ${version}\r\nhost: a\r\n${secretLine}\r\nConnection: Close\r\nTransfer-Encoding: chunked`;
  return `${head}\r\n\r\n${chunks}0\r\n\r\n`;
}

function whole(version: string): string {
  const head = `POST /hook ${version}\r\nHOST: a\r\n${SECRET_LINE}\r\nCONTENT-LENGTH: ${update.length}`;
  return `${head}\r\nCONNECTION: close\r\n\r\n${update}`;
}

async function raw(request: string): Promise<string> {
  const socket = connect(served.port, '127.0.0.1');
  socket.write(request);
  return text(socket);
}

it('does not start without a proper secret', async () => {
  await expect(
    serveWebhook(makeBot(), { url: 'https://bot.example.org/hook', secret: 'short', port: 0 }, taking),
  ).rejects.toThrow(/secret of 16 to 256/);
});

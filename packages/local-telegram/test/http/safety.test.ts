import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_STREAMS } from '../../src/http/event-streams.ts';
import { type LocalTelegram, startLocalTelegram } from '../../src/index.ts';
import { ALICE } from '../build-core.ts';
import { rawRequest, statusOf } from './raw-request.ts';

let telegram: LocalTelegram;
let port: number;
let pageToken: string;

beforeAll(async () => {
  telegram = await startLocalTelegram();
  port = Number(new URL(telegram.chatUrl).port);
  const page = await (await fetch(telegram.chatUrl)).text();
  pageToken = /name="sim-token" content="([^"]+)"/.exec(page)?.[1] ?? '';
});
afterAll(() => telegram.stop());

const host = () => `Host: 127.0.0.1:${port}`;
const origin = () => `Origin: http://127.0.0.1:${port}`;
const json = 'Content-Type: application/json';
const SAY = JSON.stringify({ u: ALICE.id, text: 'hi' });
const post = (headers: readonly string[], body = SAY) =>
  rawRequest(port, ['POST /sim/say HTTP/1.1', ...headers], body);
const token = () => `X-Sim-Token: ${pageToken}`;

describe('where it listens', () => {
  it.each(['0.0.0.0', '::', '192.168.1.2', 'localhost', 'example.com'])(
    'refuses to start on %s',
    async (address) => {
      await expect(startLocalTelegram({ host: address })).rejects.toThrow('127.0.0.1 or ::1 only');
    },
  );

  it('says which port is taken', async () => {
    await expect(startLocalTelegram({ port })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
  });

  it('is not reachable through another address of this machine', async () => {
    const other = Object.values(networkInterfaces())
      .flat()
      .find((net) => net !== undefined && !net.internal && net.family === 'IPv4');
    if (other === undefined) return;
    const failed = await new Promise<boolean>((resolve) => {
      const socket = connect(port, other.address);
      socket.on('connect', () => {
        socket.destroy();
        resolve(false);
      });
      socket.on('error', () => resolve(true));
    });
    expect(failed).toBe(true);
  });
});

describe('the Host header', () => {
  const paths = () => [
    '/',
    '/app.js',
    '/sim/state',
    '/tx/x',
    `/bot${telegram.token}/getMe`,
    `/file/bot${telegram.token}/x`,
  ];

  it('must name this machine and port, on every route', async () => {
    for (const path of paths()) {
      for (const name of [
        'evil.example',
        `evil.example:${port}`,
        '127.0.0.1',
        `127.0.0.1:${port + 1}`,
        `127.0.0.1.evil.example:${port}`,
      ]) {
        expect(statusOf(await rawRequest(port, [`GET ${path} HTTP/1.1`, `Host: ${name}`]))).toBe(403);
      }
    }
  });

  it('must be there', async () => {
    for (const path of paths()) expect(statusOf(await rawRequest(port, [`GET ${path} HTTP/1.0`]))).toBe(403);
  });

  it.each(['127.0.0.1', 'localhost', '[::1]'])('may be %s', async (name) => {
    expect(statusOf(await rawRequest(port, ['GET / HTTP/1.1', `Host: ${name}:${port}`]))).toBe(200);
  });
});

describe('requests of other sites to /sim', () => {
  it('pass only with our content type, origin and token', async () => {
    expect(statusOf(await post([host(), origin(), json, token()]))).toBe(200);
  });

  it.each([
    ['text/plain', () => [host(), origin(), 'Content-Type: text/plain', token()]],
    ['a form', () => [host(), origin(), 'Content-Type: application/x-www-form-urlencoded', token()]],
    ['no content type', () => [host(), origin(), token()]],
    ['a foreign origin', () => [host(), 'Origin: https://evil.example', json, token()]],
    ['an origin on another port', () => [host(), `Origin: http://127.0.0.1:${port + 1}`, json, token()]],
    ['a sandboxed origin', () => [host(), 'Origin: null', json, token()]],
    ['no origin', () => [host(), json, token()]],
    ['no token', () => [host(), origin(), json]],
    ['a wrong token', () => [host(), origin(), json, 'X-Sim-Token: guess']],
    ['a cross-site fetch', () => [host(), origin(), json, token(), 'Sec-Fetch-Site: cross-site']],
  ])('are refused with %s', async (_case, headers) => {
    const before = telegram.core.world.chats.get(ALICE.id)?.messages.size;
    expect(statusOf(await post(headers()))).toBe(403);
    expect(telegram.core.world.chats.get(ALICE.id)?.messages.size).toBe(before);
  });

  it('read neither the state nor the events without the token', async () => {
    for (const path of ['/sim/state', '/sim/events', '/sim/state?t=guess', '/sim/state?u=101']) {
      expect(statusOf(await rawRequest(port, [`GET ${path} HTTP/1.1`, host()]))).toBe(403);
    }
    expect(statusOf(await rawRequest(port, [`GET /sim/state?t=${pageToken} HTTP/1.1`, host()]))).toBe(200);
  });

  it('get no preflight and no CORS header anywhere', async () => {
    for (const path of ['/', '/sim/say', `/bot${telegram.token}/getMe`]) {
      for (const method of ['OPTIONS', 'GET']) {
        const headers = [host(), 'Origin: https://evil.example', 'Access-Control-Request-Method: POST'];
        const answer = await rawRequest(port, [`${method} ${path} HTTP/1.1`, ...headers]);
        expect(answer.toLowerCase()).not.toContain('access-control-');
      }
    }
    expect(
      statusOf(await rawRequest(port, ['OPTIONS /sim/say HTTP/1.1', host(), 'Origin: https://evil.example'])),
    ).toBe(403);
  });
});

describe('the bot token', () => {
  it('has the shape foreign clients check and is not in the page', async () => {
    expect(telegram.token).toMatch(/^\d+:[A-Za-z0-9_-]{35}$/);
    const texts = await Promise.all(
      ['', 'app.js', 'style.css'].map(async (path) => (await fetch(telegram.chatUrl + path)).text()),
    );
    expect(texts.join('')).not.toContain(telegram.token.split(':')[1]);
  });

  it.each(['', '1:x', 'undefined'])('is needed: "%s" gets 401', async (wrong) => {
    const answer = await fetch(`${telegram.botApiUrl}/bot${wrong}/getMe`);
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { ok: false, error_code: 401, description: 'Unauthorized' },
    ]);
  });
});

describe('the page', () => {
  it('allows nothing but its own files and may not be framed', async () => {
    for (const path of ['', 'app.js', 'style.css', 'nowhere']) {
      const { headers } = await fetch(telegram.chatUrl + path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('holds no inline script or style', async () => {
    const page = await (await fetch(telegram.chatUrl)).text();
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/);
  });

  it('never turns text into HTML', async () => {
    const folder = new URL('../../src/page/', import.meta.url);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const source = await readFile(new URL(name, folder), 'utf8');
      expect(source, name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|new Function|\beval\(/,
      );
    }
  });
});

describe('uploads', () => {
  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'x.svg'],
    ['an HTML page', '<script>alert(1)</script>', 'x.html'],
    ['a page that calls itself a PNG', '<html>', 'x.png'],
  ])('that are %s are only downloaded', async (_case, content, filename) => {
    telegram.core.people.start(ALICE.id);
    const uploads = new Map([['document', { bytes: Buffer.from(content), filename }]]);
    const { document } = await telegram.core.call('sendDocument', { chat_id: ALICE.id } as never, uploads);
    const { file_path } = await telegram.core.call('getFile', { file_id: document.file_id });
    for (const url of [
      `${telegram.chatUrl}sim/file/${document.file_id}`,
      `${telegram.botApiUrl}/file/bot${telegram.token}/${file_path}`,
    ]) {
      const { headers, status } = await fetch(url);
      expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        200,
        'application/octet-stream',
        'attachment',
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('are not shown to other sites', async () => {
    const headers = [host(), 'Sec-Fetch-Site: cross-site'];
    expect(statusOf(await rawRequest(port, ['GET /sim/file/x HTTP/1.1', ...headers]))).toBe(403);
  });
});

describe('production settings', () => {
  it.each([
    ['NODE_ENV', { nodeEnv: 'production' }, 'NODE_ENV=production'],
    ['a real bot', { botToken: '1:x' }, 'TELEGRAM_BOT_TOKEN'],
    ['a distant database', { databaseUrl: 'postgres://u:p@db.example:5432/x' }, 'DATABASE_URL'],
    [
      'a distant database by parameter',
      { databaseUrl: 'postgres://localhost/x?host=db.example' },
      'DATABASE_URL',
    ],
    ['mainnet', { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }, 'mainnet-beta'],
    ['a master key', { hasProductionMasterKey: true }, 'master key'],
  ])('stop the start: %s', async (_case, refuse, reason) => {
    await expect(startLocalTelegram({ refuse })).rejects.toThrow(reason);
  });

  it('of a local program are accepted', async () => {
    const refuse = {
      nodeEnv: 'test',
      botToken: '',
      databaseUrl: 'postgres://u@127.0.0.1:5/x',
      genesisHash: 'abc',
    };
    await (await startLocalTelegram({ refuse })).stop();
  });
});

describe('limits', () => {
  it('a body of more than 4 MB is refused', async () => {
    const answer = await fetch(`${telegram.botApiUrl}/bot${telegram.token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) }),
    });
    expect(answer.status).toBe(413);
  });

  it('a message of the page has at most 64 kB', async () => {
    const body = JSON.stringify({ u: ALICE.id, text: 'x'.repeat(70_000) });
    expect(statusOf(await post([host(), origin(), json, token()], body))).toBe(413);
  });

  it('readers of events are counted', async () => {
    const abort = new AbortController();
    const open = () => fetch(`${telegram.chatUrl}sim/events?t=${pageToken}`, { signal: abort.signal });
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, open));
    expect(streams.map((stream) => stream.status)).toEqual(streams.map(() => 200));
    expect((await open()).status).toBe(503);
    abort.abort();
  });
});

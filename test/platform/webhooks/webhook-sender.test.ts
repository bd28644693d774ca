import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../packages/sdk/src/index.ts';
import type { WebhookPost } from '../../../src/platform/ports/webhook-sender.ts';
import { isPublicAddress } from '../../../src/platform/webhooks/reserved-addresses.ts';
import { createWebhookSender, type SenderOptions } from '../../../src/platform/webhooks/webhook-sender.ts';

const SECRET = new Uint8Array(32).fill(3);
const AT = 1_700_000_000_000;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function startTarget(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  host = '127.0.0.1',
): Promise<number> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const post = (url: string): WebhookPost => ({ url, id: 'evt', at: AT, body: '{"a":1}', secrets: [SECRET] });
const local = (more: Partial<SenderOptions> = {}) => createWebhookSender({ allowsLoopback: true, ...more });
const strict = (more: Partial<SenderOptions> = {}) => createWebhookSender({ allowsLoopback: false, ...more });

describe('addresses that a webhook may lead to', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'no address',
    '',
  ])('%s is none of them', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '198.17.0.1', '9.9.9.9', '2606:4700::1111', '2a00::1'])(
    '%s is one',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  it.each([
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/',
    'http://localhost/',
  ])('%s is refused before anything is sent', async (url) => {
    expect(await strict().problemOf(url)).toMatch(/not of the public internet|does not resolve/);
    expect(await strict().send(post(url))).toMatchObject({ kind: 'unanswered' });
  });

  it('refuse a name of which one address of several is private', async () => {
    const resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await strict({ resolve }).problemOf('https://example.org')).toMatch(/not of the public internet/);
  });
});

describe('a name that leads elsewhere after its check', () => {
  it('is checked again at each try: public when it was registered, private now', async () => {
    const reached: string[] = [];
    const port = await startTarget((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    });
    let address = '1.1.1.1';
    const sender = strict({ resolve: async () => [{ address, family: 4 }] });
    expect(await sender.problemOf(`http://hooks.example:${port}/`)).toBeNull();
    address = '127.0.0.1';
    expect(await sender.send(post(`http://hooks.example:${port}/`))).toEqual({
      kind: 'unanswered',
      reason: 'hooks.example leads to an address that is not of the public internet',
    });
    expect(reached).toEqual([]);
  });

  it('is asked once for a try, and the connection goes to the address that was checked', async () => {
    const reached: string[] = [];
    const port = await startTarget((request, response) => {
      reached.push(request.socket.localAddress ?? '');
      response.end();
    }, '0.0.0.0');
    const answers = ['127.0.0.2', '127.0.0.3'];
    let asked = 0;
    const sender = local({
      resolve: async () => [{ address: answers[asked++] ?? '127.0.0.4', family: 4 }],
    });
    expect(await sender.send(post(`http://hooks.example:${port}/`))).toMatchObject({ status: 200 });
    expect([asked, reached]).toEqual([1, ['127.0.0.2']]);
  });
});

describe('a delivery', () => {
  it('is signed as Standard Webhooks ask, with each secret', async () => {
    let seen: { headers: IncomingMessage['headers']; body: string } | null = null;
    const port = await startTarget((request, response, body) => {
      seen = { headers: request.headers, body };
      response.writeHead(204).end();
    });
    const old = new Uint8Array(32).fill(4);
    const sent = { ...post(`http://127.0.0.1:${port}/x?y=1`), secrets: [SECRET, old] };
    expect(await local().send(sent)).toEqual({ kind: 'answered', status: 204, retryAfterMs: null });
    const { headers, body } = seen ?? { headers: {}, body: '' };
    expect(headers).toMatchObject({ 'webhook-id': 'evt', 'webhook-timestamp': '1700000000' });
    for (const secret of [SECRET, old]) {
      const text = `whsec_${Buffer.from(secret).toString('base64')}`;
      expect(await verifyWebhook({ secret: text, headers, body, now: AT })).toEqual({
        id: 'evt',
        event: { a: 1 },
      });
    }
  });

  it('is signed over the bytes that go out, letters outside of ASCII too', async () => {
    let signature = '';
    let bytes = '';
    const port = await startTarget((request, response, body) => {
      signature = request.headers['webhook-signature']?.toString() ?? '';
      bytes = `evt.${request.headers['webhook-timestamp']?.toString()}.${body}`;
      response.end();
    });
    await local().send({ ...post(`http://127.0.0.1:${port}/`), body: '{"a":"ñ € 🐶"}' });
    expect(bytes).toContain('ñ € 🐶');
    const signed = createHmac('sha256', SECRET).update(Buffer.from(bytes)).digest('base64');
    expect(signature).toBe(`v1,${signed}`);
  });

  it('follows no redirect', async () => {
    const reached: string[] = [];
    const port = await startTarget((request, response) => {
      reached.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await local().send(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 302 });
    expect(reached).toEqual(['/']);
  });

  it('hears when to come again', async () => {
    const port = await startTarget((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    expect(await local().send(post(`http://127.0.0.1:${port}/`))).toEqual({
      kind: 'answered',
      status: 503,
      retryAfterMs: 120_000,
    });
  });

  it('reads no more than 64 KiB of an answer that does not end', async () => {
    let sent = 0;
    const port = await startTarget((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await local().send(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    expect(sent).toBeLessThan(16 * 1_024 * 1_024);
  });

  it('gives up on a server that says nothing, on a slow one, and on one that speaks something else', async () => {
    const silent = await startTarget(() => undefined);
    const slow = await startTarget((_, response) => {
      response.write('a');
    });
    for (const port of [silent, slow])
      expect(await local({ timeoutMs: 200 }).send(post(`http://127.0.0.1:${port}/`))).toEqual({
        kind: 'unanswered',
        reason: 'no whole answer within 200 ms',
      });
    const noise = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n'));
    await new Promise<void>((resolve) => {
      noise.listen(0, '127.0.0.1', resolve);
    });
    stops.push(() => noise.close());
    const { port } = noise.address() as AddressInfo;
    const garbled = await local().send(post(`http://127.0.0.1:${port}/`));
    expect(garbled).toMatchObject({
      kind: 'unanswered',
      reason: expect.stringMatching(/^the connection failed/),
    });
  });

  it('does not wait longer for a resolver that says nothing', async () => {
    const sender = strict({ timeoutMs: 100, resolve: () => new Promise(() => undefined) });
    expect(await sender.send(post('https://example.org/'))).toMatchObject({ kind: 'unanswered' });
  });
});

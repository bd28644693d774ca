import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { createHttpPost } from '../../src/platform/http-post.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
}

it('posts over one connection that stays open', async () => {
  const { url, sockets } = await serve((request, response) => request.pipe(response));
  const post = createHttpPost(url, 5_000);
  for (const text of ['{"a":1}', '{"b":"ü"}', '[]']) expect(await post(text)).toBe(text);
  expect(sockets.size).toBe(1);
});

it('unpacks a packed answer', async () => {
  const text = JSON.stringify({ data: 'x'.repeat(10_000) });
  const { url } = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
  });
  expect(await createHttpPost(url, 5_000)('{}')).toBe(text);
});

it('tells a bad status and how long it asks to wait', async () => {
  const { url } = await serve((_, response) =>
    response.writeHead(429, { 'retry-after': '7' }).end('slow down'),
  );
  await expect(createHttpPost(url, 5_000)('{}')).rejects.toMatchObject({ status: 429, retryAfterMs: 7_000 });
});

it.each([
  ['99999', 99_999_000],
  ['-1', null],
  ['1.5', null],
  ['9'.repeat(10), null],
  ['Fri, 27 Nov 2026 02:18:00 GMT', null],
])('reads "retry-after: %s" as %s milliseconds', async (header, retryAfterMs) => {
  const { url } = await serve((_, response) =>
    response.writeHead(429, { 'retry-after': header }).end('slow down'),
  );
  await expect(createHttpPost(url, 5_000)('{}')).rejects.toMatchObject({ status: 429, retryAfterMs });
});

it('reads what a bad status says where that is wanted, and not otherwise', async () => {
  const { url } = await serve((_, response) => response.writeHead(409).end('{"code":"PRICE_MOVED"}'));
  await expect(createHttpPost(url, 5_000)('{}')).rejects.toMatchObject({ status: 409, body: '' });
  await expect(createHttpPost(url, 5_000, { readsRefusals: true })('{}')).rejects.toMatchObject({
    status: 409,
    body: '{"code":"PRICE_MOVED"}',
  });
});

it('gives up at the deadline, before the answer and in its midst', async () => {
  const silent = await serve(() => undefined);
  await expect(createHttpPost(silent.url, 50)('{}')).rejects.toMatchObject({ name: 'TimeoutError' });
  const stuck = await serve((_, response) => void response.writeHead(200).write('{'));
  await expect(createHttpPost(stuck.url, 50)('{}')).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('asks again when a connection that was kept open turns out to be closed, and only then', async () => {
  let seen = 0;
  const { url } = await serve((request, response) => {
    seen += 1;
    if (seen === 2) request.socket.destroy();
    else request.pipe(response);
  });
  const post = createHttpPost(url, 5_000);
  expect(await post('1')).toBe('1');
  expect(await post('2')).toBe('2');
  expect(seen).toBe(3);
  const rude = await serve((request) => request.socket.destroy());
  await expect(createHttpPost(rude.url, 5_000)('{}')).rejects.toMatchObject({
    cause: { code: 'ECONNRESET' },
  });
});

it('breaks off with the answer', async () => {
  const { url } = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"half"');
    setImmediate(() => request.socket.destroy());
  });
  await expect(createHttpPost(url, 5_000)('{}')).rejects.toThrow();
});

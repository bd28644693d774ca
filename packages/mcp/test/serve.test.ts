import { request as requestOf } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcp } from '../src/protocol.ts';
import { type HttpServer, serveHttp } from '../src/serve-http.ts';
import { serveStdio } from '../src/serve-stdio.ts';
import { scriptedService } from './scripted-service.ts';

const open = () => createMcp(scriptedService({ '/dex/quote': { toTokenAmount: '5' } }).service, '1.0.0');
const MINT = 'Gh3kQ8mcW6wmNkRZ2CTMGZc4hYhFy1aW1sJQ9u3GmVwA';
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe('over standard input and output', () => {
  async function said(lines: string): Promise<readonly unknown[]> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const end = serveStdio(open(), input, output);
    for (const part of lines.match(/[\s\S]{1,9}/g) ?? []) input.write(part);
    input.end();
    await end;
    output.end();
    return String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }

  it('answers line by line, however the bytes are cut, the last line without its end too', async () => {
    const answers = await said(`${JSON.stringify(ping)}\n\nnot json\n${JSON.stringify({ ...ping, id: 8 })}`);
    expect(answers).toHaveLength(3);
    // Requests run side by side, so the order is not promised.
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 7, result: {} },
        expect.objectContaining({ error: expect.objectContaining({ code: -32_700 }) }),
        { jsonrpc: '2.0', id: 8, result: {} },
      ]),
    );
  });

  it('gives up a line that does not end', async () => {
    expect(await said('x'.repeat(1024 * 1024 + 20))).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ code: -32_700 }) }),
    ]);
  });
});

describe('over HTTP', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await serveHttp(open, 0);
  });
  afterAll(() => server.close());

  type Told = { readonly status: number; readonly session: string; readonly body: string };
  /** With headers of its own: fetch does not let a Host be named. */
  const send = (headers: Record<string, string>, message: unknown = ping, method = 'POST'): Promise<Told> =>
    new Promise((resolve, reject) => {
      const sent = requestOf(
        server.url,
        { method, headers: { 'content-type': 'application/json', ...headers } },
        (response) => {
          let body = '';
          response.on('data', (part: Buffer) => {
            body += part.toString();
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              session: String(response.headers['mcp-session-id'] ?? ''),
              body,
            }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(typeof message === 'string' ? message : JSON.stringify(message));
    });
  const begin = async () => (await send({}, { ...ping, method: 'initialize' })).session;

  it('keeps the paper account of a session apart from that of another', async () => {
    const [one, two] = [await begin(), await begin()];
    const call = (name: string, given: object) => ({
      ...ping,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    await send({ 'mcp-session-id': one }, call('paper_buy', { mint: MINT, lamports: '1000' }));
    const held = async (session: string) =>
      (await send({ 'mcp-session-id': session }, call('paper_account', {}))).body;
    expect(await held(one)).toContain('9999999000');
    expect(await held(two)).toContain('10000000000');
  });

  it('ends a session where the client asks for it, and the oldest one of more than 100', async () => {
    const first = await begin();
    expect(await send({ 'mcp-session-id': first })).toMatchObject({ status: 200 });
    expect(await send({ 'mcp-session-id': first }, '', 'DELETE')).toMatchObject({ status: 204 });
    expect(await send({ 'mcp-session-id': first })).toMatchObject({ status: 404 });
    const second = await begin();
    for (let more = 0; more < 100; more += 1) await begin();
    expect(await send({ 'mcp-session-id': second })).toMatchObject({ status: 404 });
  });

  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a name that was pointed at this machine', { host: 'evil.example:4410' }, 403],
    ['a name that begins like this machine', { host: '127.0.0.1.evil.example' }, 403],
    ['an unknown session', { 'mcp-session-id': 'x' }, 404],
    ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('refuses %s', async (_what, headers, status) => {
    expect(await send(headers)).toMatchObject({ status });
  });

  it('takes names of types and hosts in capitals, as a proxy may send them', async () => {
    const port = new URL(server.url).port;
    const capitals = { 'content-type': 'Application/JSON; Charset=UTF-8', host: `LOCALHOST:${port}` };
    expect(await send(capitals, { ...ping, method: 'initialize' })).toMatchObject({ status: 200 });
  });

  it('refuses what is no JSON, what is too large, and other methods', async () => {
    expect(await send({}, '{')).toMatchObject({ status: 400 });
    expect(await send({}, 'x'.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413 });
    expect(await send({}, '', 'GET')).toMatchObject({ status: 405 });
  });
});

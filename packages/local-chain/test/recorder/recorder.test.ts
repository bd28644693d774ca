import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type RecorderOptions, startRecorder, startReplayer } from '../../src/index.ts';
import { manualChain, quickChain } from '../support/start.ts';

const scratch = mkdtempSync(join(tmpdir(), 'recorder-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(scratch, `${files}.gz`);
};
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const KEY = 'd34db33f-secret-key';

const post = (url: string, body: unknown, headers = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const call = (method: string, params: readonly unknown[] = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const textOf = async (url: string, body: unknown): Promise<string> => (await post(url, body)).text();
const linesOf = (file: string): readonly string[] =>
  gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');

async function recorderOf(to: string, options: Partial<RecorderOptions> = {}) {
  const out = newFile();
  const recorder = await startRecorder({ to, out, wsPort: null, ...options });
  onTestFinished(() => recorder.stop());
  return { recorder, out };
}

async function replayerOf(file: string, log: (line: string) => void = () => undefined) {
  const replayer = await startReplayer({ file, wsPort: null, log });
  onTestFinished(() => replayer.stop());
  return replayer;
}

/** A node that answers each call by `answer`; it names its network by itself. */
async function node(answer: (body: string) => { readonly status?: number; readonly text: string }) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (body.includes('getGenesisHash')) {
        response.end(`{"jsonrpc":"2.0","id":1,"result":"${GENESIS}"}`);
        return;
      }
      const { status = 200, text } = answer(body);
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

it('answers without the chain as the chain did, by method and params whatever the order of their members', async () => {
  const running = await manualChain();
  const { recorder, out } = await recorderOf(running.rpcUrl);
  const asked = [
    call('getSlot'),
    call('getAccountInfo', [CLOCK, { encoding: 'base64', commitment: 'processed' }]),
    call('getBalance', ['x']),
    [call('getBlockHeight', [], 'a'), call('getVersion', [], 7)],
  ];
  const live: string[] = [];
  for (const body of asked) live.push(await textOf(recorder.rpcUrl, body));
  expect(live[0]).toBe(await textOf(running.rpcUrl, call('getSlot')));
  await recorder.stop();
  await running.stop();

  const replayer = await replayerOf(out);
  expect(replayer.genesisHash).toBe(running.genesisHash);
  const again: string[] = [];
  for (const body of asked) again.push(await textOf(replayer.rpcUrl, body));
  expect(again.map((text) => JSON.parse(text) as unknown)).toEqual(
    live.map((text) => JSON.parse(text) as unknown),
  );
  const turned = call('getAccountInfo', [CLOCK, { commitment: 'processed', encoding: 'base64' }]);
  expect(JSON.parse(await textOf(replayer.rpcUrl, turned))).toEqual(JSON.parse(live[1] ?? ''));
  const genesis = await post(replayer.rpcUrl, call('getGenesisHash'));
  expect(await genesis.json()).toMatchObject({ result: running.genesisHash });
});

it('gives the answers of a question in their order, an unchanged one once, then the last again', async () => {
  const running = await manualChain();
  const { recorder, out } = await recorderOf(running.rpcUrl);
  const slots = async (url: string, times: number): Promise<readonly unknown[]> => {
    const told: unknown[] = [];
    for (let n = 0; n < times; n += 1)
      told.push(
        (
          (await (await post(url, call('getSlot', [{ commitment: 'processed' }]))).json()) as {
            result: unknown;
          }
        ).result,
      );
    return told;
  };
  const [first] = await slots(recorder.rpcUrl, 3);
  running.advanceSlots(5);
  const [second] = await slots(recorder.rpcUrl, 1);
  await recorder.stop();
  expect(linesOf(out)).toHaveLength(4);
  const replayer = await replayerOf(out);
  expect(await slots(replayer.rpcUrl, 3)).toEqual([first, second, second]);
  expect(second).toBe(Number(first) + 5);
});

it('keeps every digit of a number', async () => {
  const result = '{ "rentEpoch":18446744073709551615,\n "price": 1e400, "text":"a\\"}],\\\\" }';
  const { url } = await node(() => ({ text: `{"id":1,"result":${result},"jsonrpc":"2.0"}` }));
  const { recorder, out } = await recorderOf(url);
  await textOf(recorder.rpcUrl, call('getAnything'));
  await recorder.stop();
  const replayed = await textOf((await replayerOf(out)).rpcUrl, call('getAnything'));
  expect(replayed).toContain('18446744073709551615');
  expect(replayed).toBe(`{"jsonrpc":"2.0","result":${result.replace('\n', ' ')},"id":1}`);
});

it('writes no key, header, path or query, also where the node repeats them', async () => {
  const echo = `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"key ${KEY} of user-name pass%2Fword at /v2/${KEY}?api-key=${KEY}"}}`;
  const { url, seen } = await node(() => ({ text: echo }));
  const secret = `${url.replace('//', '//user-name:pass%2Fword@')}/v2/${KEY}?api-key=${KEY}`;
  const { recorder, out } = await recorderOf(secret);
  const answer = await post(recorder.rpcUrl, call('getSlot'), {
    authorization: 'Bearer of-the-client',
    'x-api-key': KEY,
  });
  expect(await answer.text()).toBe(echo);
  await recorder.stop();
  const written = linesOf(out).join('\n');
  for (const secretText of [KEY, 'user-name', 'pass/word', 'pass%2Fword', 'of-the-client', url, '127.0.0.1'])
    expect(written).not.toContain(secretText);
  expect(written).toContain('[removed]');
  expect(linesOf(out)).toHaveLength(3);
  const sent = JSON.stringify(seen.at(-1));
  expect(sent).not.toContain('of-the-client');
  expect(seen.at(-1)?.authorization).toBe(`Basic ${Buffer.from('user-name:pass/word').toString('base64')}`);
});

it('replays a status and a page as such, with the time to wait', async () => {
  const answers = [{ status: 429, text: 'slow down' }, { text: '<h1>Maintenance</h1>' }];
  const { url } = await node(() => answers.shift() ?? { text: '' });
  const { recorder, out } = await recorderOf(url);
  expect((await post(recorder.rpcUrl, call('getSlot'))).status).toBe(429);
  expect(await textOf(recorder.rpcUrl, call('getVersion'))).toBe('<h1>Maintenance</h1>');
  await recorder.stop();
  const { rpcUrl } = await replayerOf(out);
  const limited = await post(rpcUrl, call('getSlot'));
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await textOf(rpcUrl, call('getVersion'))).toMatch(/^<h1>/);
});

it('names a question that is not in the file, in a list of calls too, and answers the others', async () => {
  const running = await manualChain();
  const { recorder, out } = await recorderOf(running.rpcUrl);
  await textOf(recorder.rpcUrl, call('getSlot'));
  await recorder.stop();
  const lines: string[] = [];
  const { rpcUrl } = await replayerOf(out, (line) => lines.push(line));
  const answer = JSON.parse(
    await textOf(rpcUrl, [
      call('getSlot', [], 'known'),
      call('getSlot', [{ commitment: 'finalized' }], 'lacks'),
    ]),
  ) as unknown;
  expect(answer).toEqual([
    { jsonrpc: '2.0', id: 'known', result: expect.any(Number) as unknown },
    {
      jsonrpc: '2.0',
      id: 'lacks',
      error: {
        code: -32_098,
        message:
          'The recording does not hold getSlot [{"commitment":"finalized"}], but 1 other questions of getSlot.',
      },
    },
  ]);
  expect(lines).toHaveLength(1);
});

it.each([
  ['no JSON', '{', -32_700],
  ['an empty list', '[]', -32_600],
  ['a number', '5', -32_600],
  ['a method that is no name', '{"id":1,"method":"a b"}', -32_600],
])('a replayer refuses %s', async (_, body, code) => {
  const { url } = await node(() => ({ text: '{}' }));
  const { recorder, out } = await recorderOf(url);
  await recorder.stop();
  expect(JSON.parse(await textOf((await replayerOf(out)).rpcUrl, body))).toMatchObject({ error: { code } });
});

it('is never larger than it may be, says so once, and passes on what it does not write', async () => {
  const { url } = await node((body) => ({
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: `${body}${'x'.repeat(500)}` }),
  }));
  const said: string[] = [];
  const { recorder, out } = await recorderOf(url, { maxBytes: 2_000, log: (line) => said.push(line) });
  for (let n = 0; n < 10; n += 1)
    expect(await textOf(recorder.rpcUrl, call('getBlock', [n]))).toContain('xxx');
  const { lines, leftOut } = recorder.counts();
  expect(lines + leftOut).toBe(10);
  expect(leftOut).toBeGreaterThan(5);
  await recorder.stop();
  expect(gunzipSync(readFileSync(out)).length).toBeLessThanOrEqual(2_000);
  expect(said).toEqual([expect.stringContaining('The recording is full')]);
  const lacking = await textOf((await replayerOf(out)).rpcUrl, call('getBlock', [9]));
  expect(lacking).toContain(`It had no room for ${leftOut} answers.`);
});

it('matches the answers of a list by their ids, and leaves out two calls of one id', async () => {
  const answers = [
    '[{"id":2,"result":"two"},{"id":1,"result":"one"}]',
    '[{"id":1,"result":"a"},{"id":1,"result":"b"}]',
    '{"id":null,"error":{"code":-32600,"message":"no lists here"}}',
  ];
  const { url } = await node(() => ({ text: answers.shift() ?? '' }));
  const { recorder, out } = await recorderOf(url);
  await textOf(recorder.rpcUrl, [call('one', [], 1), call('two', [], 2)]);
  await textOf(recorder.rpcUrl, [call('three', [], 1), call('four', [], 1)]);
  await textOf(recorder.rpcUrl, [call('five', [], 1), call('six', [], 2)]);
  expect(recorder.counts()).toEqual({ lines: 4, leftOut: 2 });
  await recorder.stop();
  const { rpcUrl } = await replayerOf(out);
  const results = JSON.parse(
    await textOf(
      rpcUrl,
      ['one', 'two', 'five'].map((method) => call(method)),
    ),
  ) as unknown;
  expect(results).toMatchObject([
    { result: 'one' },
    { result: 'two' },
    { error: { message: 'no lists here' } },
  ]);
});

it('replays the notices of a subscription, and ends one', { timeout: 20_000 }, async () => {
  const running = await quickChain();
  const { recorder, out } = await recorderOf(running.rpcUrl);
  const listen = async (url: string, count: number): Promise<readonly unknown[]> => {
    const socket = new WebSocket(url);
    const results: unknown[] = [];
    let subscription = -1;
    await new Promise<void>((resolve) => {
      socket.on('open', () => socket.send(JSON.stringify(call('slotSubscribe', [], 'mine'))));
      socket.on('message', (raw: Buffer) => {
        const message = JSON.parse(raw.toString('utf8')) as {
          id?: unknown;
          result?: number | boolean;
          params?: { subscription: number; result: unknown };
        };
        if (message.id === 'mine') subscription = Number(message.result);
        else if (message.id === 'end') resolve();
        else {
          expect(message.params?.subscription).toBe(subscription);
          results.push(message.params?.result);
          if (results.length === count)
            socket.send(JSON.stringify(call('slotUnsubscribe', [subscription], 'end')));
        }
      });
    });
    socket.terminate();
    return results.slice(0, count);
  };
  const live = await listen(recorder.wsUrl, 4);
  await pause(100);
  await recorder.stop();
  await running.stop();
  expect(await listen((await replayerOf(out)).wsUrl, 4)).toEqual(live);
  expect(live).toHaveLength(4);
});

it('names a subscription that is not in the file', async () => {
  const { url } = await node(() => ({ text: '{}' }));
  const { recorder, out } = await recorderOf(url);
  await recorder.stop();
  const socket = new WebSocket((await replayerOf(out)).wsUrl);
  const answer = await new Promise<string>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify(call('slotSubscribe'))));
    socket.on('message', (raw: Buffer) => resolve(raw.toString('utf8')));
  });
  socket.terminate();
  expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code: -32_098 } });
});

it('writes no second file over a first, and none for a node that is away or names no network', async () => {
  const { url } = await node(() => ({ text: '{}' }));
  const { recorder, out } = await recorderOf(url);
  await recorder.stop();
  await expect(startRecorder({ to: url, out })).rejects.toThrow(
    `${out} is there already: name another file.`,
  );
  await expect(startRecorder({ to: `http://127.0.0.1:1/${KEY}`, out: newFile() })).rejects.toThrow(
    /^No node answers at 127\.0\.0\.1:1\.$/,
  );
  const mute = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void mute.close());
  const { port } = mute.address() as AddressInfo;
  await expect(startRecorder({ to: `http://127.0.0.1:${port}`, out: newFile() })).rejects.toThrow(
    'does not name its network',
  );
});

const HEAD = `{"recording":1,"genesis":"${GENESIS}","at":"2026-11-29T00:00:00.000Z"}`;
const packed = (...lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);
const whole = (...lines: readonly string[]): Buffer =>
  packed(HEAD, ...lines, `{"end":${lines.length},"leftOut":0}`);

it.each<[string, Buffer, string]>([
  ['a file of bytes', Buffer.from('not packed'), 'is not a recording.'],
  ['an empty file', Buffer.alloc(0), 'is not a recording.'],
  ['another packed file', packed('hello'), 'is not a recording.'],
  [
    'a cut file',
    whole('{"method":"a","params":[],"result":1}').subarray(0, -20),
    'is cut: its end is missing.',
  ],
  [
    'a file without its last line',
    packed(HEAD, '{"method":"a","params":[],"result":1}'),
    'is cut: its last line',
  ],
  ['a file without a line', packed(HEAD, '{"end":1,"leftOut":0}'), 'is cut: its last line'],
  [
    'a newer format',
    packed(HEAD.replace('1', '2'), '{"end":0,"leftOut":0}'),
    'of format 2; this program reads 1.',
  ],
  ['a line of words', whole('{"method":"a","params":[],"result":1}', 'words'), 'from line 3 on.'],
  ['a question without an answer', whole('{"method":"a","params":[]}'), 'from line 2 on.'],
  ['a notice of no subscription', whole('{"of":0,"afterMs":1,"result":1}'), 'from line 2 on.'],
  ['a notice in a hundred days', whole('{"of":0,"afterMs":9000000000,"result":1}'), 'from line 2 on.'],
  [
    'answers of two networks',
    whole('{"method":"getGenesisHash","params":[],"result":"4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"}'),
    'holds answers of two networks: line 2',
  ],
])('refuses %s with its reason', async (_, bytes, reason) => {
  const file = newFile();
  writeFileSync(file, bytes);
  await expect(startReplayer({ file })).rejects.toThrow(reason);
});

it('refuses a damaged file, one that is not there, and one of another network', async () => {
  const file = newFile();
  const damaged = whole('{"method":"a","params":[],"result":1}');
  damaged[12] = (damaged[12] ?? 0) ^ 0xff;
  writeFileSync(file, damaged);
  await expect(startReplayer({ file })).rejects.toThrow(/is (damaged|cut)/);
  await expect(startReplayer({ file: `${file}.no` })).rejects.toThrow('cannot be read: ENOENT.');
  writeFileSync(file, whole());
  await expect(startReplayer({ file, genesis: CLOCK })).rejects.toThrow(
    `is of the network ${GENESIS}, not of ${CLOCK}.`,
  );
});

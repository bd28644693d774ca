import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpFetch } from '../../../src/platform/telegram/http-fetch.ts';
import { createRetryFetch } from '../../../src/platform/telegram/retry-fetch.ts';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A server that plays a list of answers and keeps the bodies it got. */
async function play(answers: readonly { readonly status: number; readonly body: unknown }[]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[bodies.length] ?? answers.at(-1);
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/botTOKEN/sendMessage` };
}

const busy = (seconds: number) => ({
  status: 429,
  body: {
    ok: false,
    error_code: 429,
    description: 'Too Many Requests',
    parameters: { retry_after: seconds },
  },
});
const fine = { status: 200, body: { ok: true, result: 1 } };
const post = (body: string | Readable) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});

describe('the retry seam', () => {
  it('waits out one short 429 and sends the same text again', async () => {
    const { url, bodies } = await play([busy(2), fine]);
    const slept: number[] = [];
    const call = createRetryFetch(createHttpFetch(), async (ms) => void slept.push(ms));
    expect(await (await call(url, post('{"a":1}'))).json()).toEqual(fine.body);
    expect(slept).toEqual([2_000]);
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('hands on a second 429, a long one, and any other error', async () => {
    for (const answers of [[busy(1), busy(1)], [busy(6)], [{ status: 500, body: { ok: false } }]]) {
      const { url, bodies } = await play(answers);
      const call = createRetryFetch(createHttpFetch(), async () => undefined);
      expect((await call(url, post('x'))).status).toBe(answers.at(-1)?.status);
      expect(bodies).toHaveLength(answers.length);
      stop?.();
    }
  });

  it('never repeats an upload: its stream is used up', async () => {
    const { url, bodies } = await play([busy(1), fine]);
    const call = createRetryFetch(createHttpFetch(), async () => undefined);
    const response = await call(url, post(Readable.from([Buffer.from('picture')])));
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual(busy(1).body);
    expect(bodies).toEqual(['picture']);
  });

  it('rejects when the server is gone or the caller gives up', async () => {
    const call = createRetryFetch(createHttpFetch());
    await expect(call('http://127.0.0.1:1/x', post('x'))).rejects.toThrow();
    const { url } = await play([fine]);
    const controller = new AbortController();
    controller.abort();
    await expect(call(url, { ...post('x'), signal: controller.signal })).rejects.toThrow(/aborted/);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { barsOf, createUdfClient, secondsOf } from '../../src/platform/http/look/browser/udf-client.js';

/** Noon of some day. */
const NOW = 1_795_435_200;
const HOUR = 3_600;
const question = { symbol: 'AAPL', resolution: '60' };

/** A plain UDF server as its documentation draws one: no countback, no volume, errors as 200, time as bare text. */
function plainServer(bars: readonly { readonly t: number; readonly c: number }[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://plain');
    asked.push(url.pathname);
    const number = (name: string): number => Number(url.searchParams.get(name));
    if (url.pathname === '/time') {
      response.end(String(NOW));
      return;
    }
    if (url.pathname === '/config') {
      response.end(JSON.stringify({ supported_resolutions: ['60', 'D'], supports_time: true }));
      return;
    }
    if (url.searchParams.get('symbol') !== 'AAPL') {
      response.end(JSON.stringify({ s: 'error', errmsg: 'unknown_symbol' }));
      return;
    }
    const inside = bars.filter(({ t }) => t >= number('from') && t < number('to'));
    const before = bars.findLast(({ t }) => t < number('from'));
    response.end(
      JSON.stringify(
        inside.length === 0
          ? { s: 'no_data', ...(before === undefined ? {} : { nextTime: before.t }) }
          : { s: 'ok', t: inside.map(({ t }) => t), c: inside.map(({ c }) => c) },
      ),
    );
  });
  return { server, asked };
}

let server: Server | null = null;
afterEach(() => server?.close());

async function clientOf(bars: readonly { readonly t: number; readonly c: number }[]) {
  const plain = plainServer(bars);
  server = plain.server;
  await new Promise<void>((resolve) => plain.server.listen(0, '127.0.0.1', resolve));
  const { port } = plain.server.address() as AddressInfo;
  return createUdfClient({ url: `http://127.0.0.1:${port}`, now: () => NOW * 1_000 });
}

const hourly = (count: number, end = NOW) =>
  Array.from({ length: count }, (_, n) => ({ t: end - (count - 1 - n) * HOUR, c: 100 + n }));

describe('the UDF client of the pages, against a server that is not ours', () => {
  it('gives the newest bars of a server that knows neither countback nor volume', async () => {
    const client = await clientOf(hourly(50));
    const bars = await client.newest({ ...question, count: 10 });
    expect(bars).toHaveLength(10);
    expect(bars.at(-1)).toEqual({ time: NOW, open: 149, high: 149, low: 149, close: 149, volume: 0 });
  });

  it('goes back to where there is something, when nothing happened lately', async () => {
    const client = await clientOf(hourly(50, NOW - 1_000 * HOUR));
    const bars = await client.newest({ ...question, count: 10 });
    expect(bars).toHaveLength(10);
    expect(bars.at(-1)?.time).toBe(NOW - 1_000 * HOUR);
  });

  it('gives nothing where there never was anything', async () => {
    expect(await (await clientOf([])).newest({ ...question, count: 10 })).toEqual([]);
  });

  it('reads on from the last bar, which may have changed', async () => {
    const client = await clientOf(hourly(5));
    const bars = await client.since({ ...question, time: NOW - HOUR });
    expect(bars.map(({ time }) => time)).toEqual([NOW - HOUR, NOW]);
  });

  it('reads time and configuration', async () => {
    const client = await clientOf([]);
    expect(await client.time()).toBe(NOW);
    expect(await client.config()).toMatchObject({ supports_time: true });
  });

  it('throws what the server says, and for an answer that is none', async () => {
    const client = await clientOf(hourly(5));
    await expect(client.newest({ symbol: 'NOPE', resolution: '60', count: 5 })).rejects.toThrow(
      'unknown_symbol',
    );
    expect(() => barsOf({ s: 'later' })).toThrow('neither ok nor no_data');
    const away = createUdfClient({ url: 'http://x', fetch: async () => new Response('{}', { status: 503 }) });
    await expect(away.config()).rejects.toThrow('503');
  });

  it.each([
    ['1', 60],
    ['240', 14_400],
    ['D', 86_400],
    ['1D', 86_400],
    ['2W', 1_209_600],
  ])('knows that a bar of %s lasts %i seconds', (resolution, seconds) => {
    expect(secondsOf(resolution)).toBe(seconds);
  });
});

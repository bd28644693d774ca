import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { idAt, newMarkets, slotAt, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';
import { openStream } from './stream-reader.ts';

let rig: MarketRig;
let app: FastifyInstance;
let url: string;
let pup: Market;
let cat: Market;

beforeAll(async () => {
  rig = await openMarketRig();
});
afterAll(() => rig.close());

beforeEach(async () => {
  await rig.reset();
  [pup, cat] = (await newMarkets(rig.markets, ['PUP', 'CAT'])) as [Market, Market];
  app = rig.host();
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

const append = (...trades: ReturnType<typeof tradeAt>[]) => rig.tape.append({ trades, live: [] });
const at = (market: Market, secondsAgo: number, index = 0, changes = {}) =>
  tradeAt(market.id, NOW - secondsAgo, { index, ...changes });
const stream = (markets: readonly Market[], lastEventId?: string) =>
  openStream(`${url}/stream?markets=${markets.map(({ address }) => address).join(',')}`, lastEventId);
const refused = async (query: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ url: `/stream${query}`, headers });
  return [answer.statusCode, answer.json<{ error: { code: string } }>().error.code];
};

describe('GET /stream', () => {
  it('tells trades of the asked markets alone, each as the lists have it, and the minute that changed', async () => {
    const reader = await stream([pup]);
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const trade = at(pup, 5);
    await append(trade, at(cat, 5, 1));
    await reader.until(() => reader.of('bar').length > 0);
    expect(reader.of('trade').map(({ id }) => id)).toEqual([trade.id.toString()]);
    const listed = await app.inject({ url: `/markets/${pup.address}/trades?limit=1` });
    expect(reader.of('trade')[0]?.data).toEqual(listed.json<{ data: unknown[] }>().data[0]);
    const bars = await app.inject({ url: `/markets/${pup.address}/candles?resolution=1&limit=1` });
    expect(reader.of('bar')[0]?.data).toEqual({
      marketAddress: pup.address,
      resolution: '1',
      ...bars.json<{ data: object[] }>().data[0],
    });
    await reader.close();
  });

  it('goes on exactly behind the last event, over any number of cuts, with late trades, in one order for all', async () => {
    const planned = Array.from({ length: 300 }, (_, n) => at(n % 3 === 0 ? cat : pup, 3_000 - n * 7, n));
    // Some are found late: the seal lane writes them down behind younger ones.
    const order = planned.toSorted((a, b) => Number((a.id * 7_919n) % 97n) - Number((b.id * 7_919n) % 97n));
    const steady = await stream([pup, cat]);
    const got: string[] = [];
    let cuts = 0;
    const writing = (async () => {
      for (let from = 0; from < order.length; from += 5) {
        await append(...order.slice(from, from + 5));
        if (from % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    let last: string | undefined;
    while (got.length < planned.length) {
      const reader = await stream([pup, cat], last);
      const wanted = Math.min(planned.length - got.length, 1 + ((cuts * 13) % 60));
      if (last === undefined)
        got.push(
          ...steady
            .of('trade')
            .slice(0, 0)
            .map(({ id }) => id ?? ''),
        );
      await reader.until(() => reader.of('trade').length >= wanted);
      await reader.close();
      const ids = reader.of('trade').map(({ id }) => id ?? '');
      if (last === undefined) {
        // What was written before the first of them stands in the steady reader's list.
        await steady.until(() => steady.of('trade').some(({ id }) => id === ids[0]));
        const all = steady.of('trade').map(({ id }) => id ?? '');
        got.push(...all.slice(0, all.indexOf(ids[0] ?? '')));
      }
      got.push(...ids);
      last = got.at(-1);
      cuts += 1;
    }
    await writing;
    await steady.until(() => steady.of('trade').length === planned.length);
    expect(got).toEqual(steady.of('trade').map(({ id }) => id));
    expect(new Set(got)).toEqual(new Set(planned.map(({ id }) => id.toString())));
    expect(got).toHaveLength(planned.length);
    expect(cuts).toBeGreaterThan(3);
    await steady.close();
  });

  it('takes a trade back that a fork had, also for who was away', async () => {
    await rig.tape.startCursor({ marketId: pup.id, slot: slotAt(NOW - 1_000), post: null });
    const [kept, forked] = [at(pup, 20), at(pup, 10)];
    const reader = await stream([pup]);
    await append(kept, forked);
    await reader.until(() => reader.of('trade').length === 2);
    const [after, upTo] = [slotAt(NOW - 1_000), slotAt(NOW)];
    await rig.tape.seal({ trades: [kept], ranges: [{ marketId: pup.id, after, upTo, post: null }] });
    await reader.until(() => reader.of('retract').length === 1);
    const retract = {
      event: 'retract',
      id: null,
      data: { id: Number(forked.id), marketAddress: pup.address },
    };
    expect(reader.of('retract')).toEqual([retract]);
    await reader.close();
    const again = await stream([pup], kept.id.toString());
    await again.until(() => again.events.length > 0);
    expect(again.events[0]).toEqual(retract);
    await again.close();
  });

  it('says that there is a gap where it cannot go on', async () => {
    const reader = await stream([pup], idAt(NOW - 9).toString());
    await reader.until(() => reader.events.length > 0);
    expect(reader.events).toEqual([{ event: 'gap', id: null, data: { after: idAt(NOW - 9).toString() } }]);
    const trade = at(pup, 1);
    await append(trade);
    await reader.until(() => reader.of('trade').length === 1);
    await reader.close();
  });

  it('tells prices of tokens at once and when they change', async () => {
    rig.dollars.push(pup.quoteMint);
    const reader = await openStream(`${url}/stream?tokens=${pup.quoteMint},${pup.baseMint}`);
    await reader.until(() => reader.of('price').length === 2);
    expect(reader.of('price').map(({ data }) => data)).toEqual([
      expect.objectContaining({ mint: pup.quoteMint, usdPrice: 1 }),
      expect.objectContaining({ mint: pup.baseMint, usdPrice: null }),
    ]);
    await reader.close();
  });

  it('lets a reader go that does not read, and keeps nothing of it', async () => {
    const { port } = new URL(url);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(`GET /stream?markets=${pup.address} HTTP/1.1\r\nhost: x\r\n\r\n`);
    const other = await stream([pup]);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const half = 20_000;
    for (let from = 0; from < half; from += 1_000)
      await append(...Array.from({ length: 1_000 }, (_, n) => at(pup, 30_000 - from - n)));
    await other.until(() => other.of('trade').length === half);
    socket.resume();
    await closed;
    await other.close();
  });

  it('has five places for one client, and gives each back', async () => {
    const readers = await Promise.all([1, 2, 3, 4, 5].map(() => stream([pup])));
    const sixth = await stream([pup]);
    expect([sixth.status, sixth.headers['retry-after']]).toEqual([429, '5']);
    await readers[0]?.close();
    let free: number | undefined = 0;
    while (free !== 200) {
      const next = await stream([pup]);
      free = next.status;
      await next.close();
    }
    await Promise.all(readers.map((reader) => reader.close()));
  });

  it('ends when the host does', async () => {
    const reader = await stream([pup]);
    const closing = app.close();
    await reader.ended;
    await closing;
  });

  it('refuses what it cannot mean', async () => {
    const many = Array.from({ length: 51 }, (_, n) => `${pup.address.slice(0, -2)}${10 + n}`).join(',');
    expect(await refused('')).toEqual([400, 'MARKETS_INVALID']);
    expect(await refused('?markets=')).toEqual([400, 'MARKETS_INVALID']);
    expect(await refused(`?markets=${many}`)).toEqual([400, 'MARKETS_INVALID']);
    expect(await refused(`?markets=${'1'.repeat(2_000 * 45)}`)).toEqual([400, 'MARKETS_INVALID']);
    expect(await refused('?markets=x')).toEqual([400, 'MARKETS_INVALID']);
    expect(await refused('?tokens=%00')).toEqual([400, 'TOKENS_INVALID']);
    expect(await refused(`?markets=${pup.baseMint}`)).toEqual([404, 'MARKET_NOT_FOUND']);
    for (const id of ['-1', 'x', '1.5', '9'.repeat(17), ''])
      expect([id, ...(await refused(`?markets=${pup.address}`, { 'last-event-id': id }))]).toEqual([
        id,
        400,
        'LAST_EVENT_ID_INVALID',
      ]);
    expect(await refused(`?markets=${pup.address}&lastEventId=1`)).toEqual([400, 'FIELD_UNKNOWN']);
    expect((await app.inject({ method: 'POST', url: '/stream' })).statusCode).toBe(405);
    expect(rig.failures()).toEqual([]);
  });
});

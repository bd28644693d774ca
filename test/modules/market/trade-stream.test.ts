import { expect, it, vi } from 'vitest';
import type { Market } from '../../../src/modules/market/rules/market.ts';
import { createTradeStream, type StreamEvent } from '../../../src/modules/market/use/trade-stream.ts';
import type { MarketChange } from '../../../src/platform/ports/market-feed.ts';
import type { TapeEvent } from '../../../src/platform/ports/tape-store.ts';
import { NO_MARKETS } from '../../support/fakes/market-snapshot.ts';

const MARKET = { id: 1 } as Market;
const trade = (place: bigint): TapeEvent => ({
  kind: 'trade',
  place,
  marketId: 1,
  tradeId: place * 10n,
  trade: { id: place * 10n } as never,
});

function rig() {
  const log: TapeEvent[] = [];
  const listeners = new Set<(change: MarketChange) => void>();
  let failing = 0;
  const stream = createTradeStream({
    tape: {
      logEnd: async () => log.at(-1)?.place ?? 0n,
      logPlace: async (id) => log.find(({ tradeId }) => tradeId === id)?.place ?? null,
      logAfter: async (after, { limit }) => {
        if (failing > 0) {
          failing -= 1;
          throw new Error('the database is away');
        }
        return log.filter(({ place }) => place > after).slice(0, limit);
      },
      candlesOf: async () => new Map(),
    },
    feed: {
      listen: (change) => {
        listeners.add(change);
        return () => void listeners.delete(change);
      },
    },
    market: { snapshot: async () => NO_MARKETS },
    clock: { now: () => 0 },
    log: { warn: () => undefined },
  });
  return {
    log,
    listeners,
    stream,
    fail: (times: number): void => {
      failing = times;
    },
    tell: (): void => {
      for (const listener of listeners) listener({ kind: 'unknown' });
    },
  };
}
const idsOf = (events: readonly StreamEvent[]) =>
  events.map((event) => (event.kind === 'trade' ? event.trade.id : event.kind));

it('reads on when nobody knows what changed, and once more after a failure', async () => {
  vi.useFakeTimers();
  const { stream, log, fail, tell } = rig();
  const got: StreamEvent[] = [];
  const stop = await stream.subscribe(
    { markets: [MARKET], tokens: [], after: null },
    { take: (events) => void got.push(...events), end: () => undefined },
  );
  await vi.advanceTimersByTimeAsync(0);
  fail(1);
  log.push(trade(1n));
  tell();
  await vi.advanceTimersByTimeAsync(10);
  expect(idsOf(got)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(idsOf(got)).toEqual([10n]);
  log.push(trade(2n), trade(3n));
  tell();
  tell();
  await vi.advanceTimersByTimeAsync(10);
  expect(idsOf(got)).toEqual([10n, 20n, 30n]);
  stop();
  vi.useRealTimers();
});

it('says that there is a gap after ten thousand missed trades, and gives up to as many', async () => {
  const { stream, log } = rig();
  for (let place = 1n; place <= 10_002n; place += 1n) log.push(trade(place));
  const missed = async (after: bigint) => {
    const got: StreamEvent[] = [];
    const reader = {
      take: (events: readonly StreamEvent[]) => void got.push(...events),
      end: () => undefined,
    };
    const stop = await stream.subscribe({ markets: [MARKET], tokens: [], after }, reader);
    stop();
    return idsOf(got);
  };
  expect(await missed(20n)).toHaveLength(10_000);
  expect(await missed(10n)).toEqual(['gap']);
  expect(await missed(7n)).toEqual(['gap']);
});

it('listens while somebody reads, and asks for nothing otherwise', async () => {
  const { stream, listeners } = rig();
  expect(listeners.size).toBe(0);
  let ended = 0;
  const reader = {
    take: () => undefined,
    end: () => {
      ended += 1;
    },
  };
  const question = { markets: [MARKET], tokens: [], after: null };
  const stops = await Promise.all([1, 2].map(() => stream.subscribe(question, reader)));
  expect(listeners.size).toBe(1);
  for (const stop of stops) stop();
  expect(listeners.size).toBe(0);
  await stream.subscribe(question, reader);
  stream.close();
  expect([listeners.size, ended]).toEqual([0, 1]);
});

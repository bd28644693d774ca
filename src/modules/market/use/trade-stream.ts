import type { Address } from '@tradepost/solana';
import { barStart, type Candle, type RecordedTrade } from '@tradepost/tape';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { MarketFeed } from '../../../platform/ports/market-feed.ts';
import type { TapeEvent, TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../rules/market.ts';
import type { UsdPrice } from '../rules/usd-price.ts';
import type { MarketData } from './market-data.ts';
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts';

export type TradeStreamDeps = {
  readonly tape: Pick<TapeStore, 'logEnd' | 'logPlace' | 'logAfter' | 'candlesOf'>;
  readonly feed: Pick<MarketFeed, 'listen'>;
  readonly market: Pick<MarketData, 'snapshot'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
};

export type StreamEvent =
  | { readonly kind: 'trade'; readonly market: Market; readonly trade: RecordedTrade }
  /** A fork had it: it is no trade any more. */
  | { readonly kind: 'retract'; readonly market: Market; readonly tradeId: bigint }
  /** The last minute of a market in which something changed. */
  | { readonly kind: 'bar'; readonly market: Market; readonly candle: Candle }
  | { readonly kind: 'price'; readonly mint: Address; readonly price: UsdPrice | null }
  /** Events after the trade of this id are no longer sent in full: the reader must request them. */
  | { readonly kind: 'gap'; readonly after: bigint };

export type StreamQuestion = {
  readonly markets: readonly Market[];
  readonly tokens: readonly Address[];
  /** Id of the last trade that the reader had; null: from now on. */
  readonly after: bigint | null;
};

export type StreamReader = {
  /** In order; never while another call of it runs. */
  readonly take: (events: readonly StreamEvent[]) => void;
  /** The process ends: the reader goes on elsewhere. */
  readonly end: () => void;
};

/** Trades as they are written down, in any process, each once to every reader and in one order. */
export type TradeStream = {
  /** A place for one more reader: see `StreamPlaces`. */
  readonly takePlace: StreamPlaces['take'];
  /** Resolves when the reader has all events that it had missed. Returns the way to stop. Throws DATABASE_UNREACHABLE. */
  readonly subscribe: (question: StreamQuestion, reader: StreamReader) => Promise<() => void>;
  readonly close: () => void;
};

const AT_ONCE = 1_000;
/** More is a question for the list of trades. */
const MAX_MISSED = 10_000;
const BAR_MS = 250;
const PRICE_MS = 2_000;
const AGAIN_MS = 1_000;
const MINUTE = 60;

type Subscriber = {
  readonly markets: ReadonlyMap<number, Market>;
  readonly prices: Map<Address, number | null>;
  readonly reader: StreamReader;
  /** The last place that was sent to it. */
  place: bigint;
  /** Events that came while it was given the missed ones; null once it has all of those. */
  waiting: TapeEvent[] | null;
};

/** The tail of the tape of one process, read once for all of its readers, and only while there are any. */
export function createTradeStream(deps: TradeStreamDeps): TradeStream {
  const { tape, feed, log } = deps;
  const subscribers = new Set<Subscriber>();
  const places = createStreamPlaces();
  const touched = new Map<number, Market>();
  let cursor: bigint | null = null;
  let isPumping = false;
  let isAsked = false;
  let stopListening: (() => void) | null = null;
  const timers = new Set<NodeJS.Timeout>();

  const later = (ms: number, work: () => Promise<void> | void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void (async () => {
        try {
          await work();
        } catch (err) {
          log.warn({ err }, 'a part of the stream could not be read');
        }
      })();
    }, ms);
    timer.unref();
    timers.add(timer);
  };

  /** Reads on from the cursor until there is no more, however often it is asked meanwhile. */
  const pump = (): void => {
    isAsked = true;
    if (isPumping) return;
    isPumping = true;
    void (async () => {
      try {
        while (isAsked && cursor !== null) {
          isAsked = false;
          const events = await tape.logAfter(cursor, { limit: AT_ONCE, marketIds: null });
          const last = events.at(-1);
          if (last === undefined) continue;
          cursor = last.place;
          if (events.length === AT_ONCE) isAsked = true;
          for (const subscriber of subscribers) give(subscriber, events);
        }
      } catch (err) {
        log.warn({ err }, 'the tail of the tape could not be read');
        later(AGAIN_MS, pump);
      } finally {
        isPumping = false;
      }
    })();
  };

  const give = (subscriber: Subscriber, events: readonly TapeEvent[]): void => {
    const own = events.filter(
      ({ marketId, place }) => subscriber.markets.has(marketId) && place > subscriber.place,
    );
    if (subscriber.waiting !== null) {
      subscriber.waiting.push(...own);
      return;
    }
    const last = own.at(-1);
    if (last === undefined) return;
    subscriber.place = last.place;
    const told = own.flatMap((event) => toldOf(subscriber.markets, event));
    for (const { market } of told) touch(market);
    if (told.length > 0) subscriber.reader.take(told);
  };

  const touch = (market: Market): void => {
    if (touched.size === 0) later(BAR_MS, tellBars);
    touched.set(market.id, market);
  };

  const tellBars = async (): Promise<void> => {
    const markets = [...touched.values()];
    touched.clear();
    const now = Math.floor(deps.clock.now() / 1_000);
    // Clocks of blocks may be a little off ours; an hour has the minute of any trade that is sent live.
    const range = { from: barStart(now, 1) - 60 * MINUTE, to: now + 60 * MINUTE };
    const bars = await tape.candlesOf(
      markets.map(({ id }) => id),
      1,
      range,
    );
    const told = markets.flatMap((market): readonly (StreamEvent & { readonly kind: 'bar' })[] => {
      const candle = bars.get(market.id)?.at(-1);
      return candle === undefined ? [] : [{ kind: 'bar', market, candle }];
    });
    for (const { markets: own, reader, waiting } of subscribers) {
      const bar = told.filter(({ market }) => own.has(market.id));
      if (waiting === null && bar.length > 0) reader.take(bar);
    }
  };

  const tellPrices = async (): Promise<void> => {
    const readers = [...subscribers].filter(({ prices }) => prices.size > 0);
    if (readers.length === 0) return;
    later(PRICE_MS, tellPrices);
    const { shown } = await deps.market.snapshot();
    for (const { prices, reader } of readers) {
      const changed = [...prices].flatMap(([mint, before]): readonly StreamEvent[] => {
        const price = shown.get(mint) ?? null;
        // Only changes are sent. The first price is always sent, also an unknown one.
        if (Object.is(before, price?.usd ?? null)) return [];
        prices.set(mint, price?.usd ?? null);
        return [{ kind: 'price', mint, price }];
      });
      if (changed.length > 0) reader.take(changed);
    }
  };

  /**
   * Sends the events that were written down after a trade. Sends a gap first where they are too many, or not kept any more. Returns the
   * place.
   */
  const giveMissed = async (subscriber: Subscriber, after: bigint): Promise<bigint> => {
    const marketIds = [...subscriber.markets.keys()];
    let place = await tape.logPlace(after);
    const missed: TapeEvent[] = [];
    while (place !== null && missed.length <= MAX_MISSED) {
      const events = await tape.logAfter(place, { limit: AT_ONCE, marketIds });
      missed.push(...events);
      place = events.at(-1)?.place ?? place;
      if (events.length < AT_ONCE) break;
    }
    if (place === null || missed.length > MAX_MISSED) {
      const end = await tape.logEnd();
      subscriber.reader.take([{ kind: 'gap', after }]);
      return end;
    }
    const told = missed.flatMap((event) => toldOf(subscriber.markets, event));
    if (told.length > 0) subscriber.reader.take(told);
    return place;
  };

  const leave = (subscriber: Subscriber): void => {
    subscribers.delete(subscriber);
    if (subscribers.size > 0) return;
    stopListening?.();
    stopListening = null;
    cursor = null;
  };

  return {
    takePlace: places.take,
    subscribe: async ({ markets, tokens, after }, reader) => {
      const subscriber: Subscriber = {
        markets: new Map(markets.map((market) => [market.id, market])),
        prices: new Map(tokens.map((mint) => [mint, Number.NaN])),
        reader,
        place: 0n,
        waiting: [],
      };
      // Before anything is read: events that come meanwhile wait, so none is missed.
      subscribers.add(subscriber);
      try {
        stopListening ??= feed.listen(pump);
        const end = await tape.logEnd();
        cursor ??= end;
        subscriber.place = after === null ? end : await giveMissed(subscriber, after);
      } catch (error) {
        leave(subscriber);
        throw error;
      }
      const waiting = subscriber.waiting ?? [];
      subscriber.waiting = null;
      give(subscriber, waiting);
      if (tokens.length > 0) await tellPrices();
      pump();
      return () => leave(subscriber);
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      for (const { reader } of subscribers) reader.end();
      subscribers.clear();
      stopListening?.();
      stopListening = null;
      cursor = null;
    },
  };
}

function toldOf(
  markets: ReadonlyMap<number, Market>,
  event: TapeEvent,
): readonly (StreamEvent & { readonly kind: 'trade' | 'retract' })[] {
  const market = markets.get(event.marketId);
  if (market === undefined || event.kind === 'gone') return [];
  return event.kind === 'trade'
    ? [{ kind: 'trade', market, trade: event.trade }]
    : [{ kind: 'retract', market, tradeId: event.tradeId }];
}

import type { Candle, RecordedTrade, Resolution } from '@tradepost/tape';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import type { PageDeps } from '../../../platform/http/site/page.ts';
import { tradeOf } from '../api/market-records.ts';
import { marketViewOf } from '../api/market-view.ts';
import type { LoadedBook } from '../use/load-book.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';

/** Everything that the page of a market says. */
export type MarketFacts = {
  readonly entry: MarketEntry;
  /** The newest first. */
  readonly trades: readonly RecordedTrade[];
  /** Null where the market does not trade now, or the chain did not answer. */
  readonly book: LoadedBook | null;
  /** The bars that are drawn first, and of how many minutes they are. */
  readonly bars: readonly Candle[];
  readonly resolution: Resolution;
};

const TRADES = 20;
const LEVELS = 50;
const BARS = 120;
/** Tried in turn until one has enough bars to look at. */
const FIRST_LOOKS: readonly Resolution[] = ['15', '1'];
const ENOUGH_BARS = 12;
const EVER = 99_999_999_999;

/** Throws DATABASE_UNREACHABLE. */
export async function loadMarketFacts(
  { market: data }: Pick<PageDeps, 'market'>,
  entry: MarketEntry,
): Promise<MarketFacts> {
  const { id: marketId } = entry.market;
  const barsOf = (resolution: Resolution) =>
    data.candles({ marketId, resolution, from: 0, to: EVER, limit: BARS });
  const [trades, book, looks] = await Promise.all([
    data.trades(marketId, { limit: TRADES }),
    data.book(entry.market, LEVELS).catch(() => null),
    Promise.all(FIRST_LOOKS.map(async (resolution) => ({ resolution, bars: await barsOf(resolution) }))),
  ]);
  const look = looks.find(({ bars }) => bars.length >= ENOUGH_BARS) ??
    looks.at(-1) ?? { resolution: '15' as const, bars: [] };
  return { entry: withNewest(entry, trades), trades, book, ...look };
}

/** The list of markets may be two seconds old; its last price then lags behind the trades beside it. */
function withNewest(entry: MarketEntry, trades: readonly RecordedTrade[]): MarketEntry {
  const { stats } = entry;
  const newest = trades.find(({ dust }) => !dust);
  if (stats === null || newest === undefined || newest.id <= (stats.last?.id ?? 0n)) return entry;
  return { ...entry, stats: { ...stats, last: newest } };
}

/** A price move in percent, and the amount that causes it. Amounts in quote tokens; null: the market has no more. */
export type DepthStep = {
  readonly percent: number;
  readonly buy: number | null;
  readonly sell: number | null;
};

const STEPS = [0.5, 1, 2, 4] as const;

/** The amounts that move the price by each step from the middle of the book. Empty where there is no book. */
export function depthOf({ entry, book }: Pick<MarketFacts, 'entry' | 'book'>): readonly DepthStep[] {
  if (book === null) return [];
  const { baseDecimals, quoteDecimals } = entry.market;
  const levels = (side: 'bids' | 'asks') =>
    book[side].map(({ base, quote }) => ({
      price: Number(formatUnits(quote, quoteDecimals)) / Number(formatUnits(base, baseDecimals)),
      quote: Number(formatUnits(quote, quoteDecimals)),
    }));
  const [bids, asks] = [levels('bids'), levels('asks')];
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined) return [];
  const middle = (bid + ask) / 2;
  return STEPS.map((percent) => {
    const sum = (side: typeof bids, isWithin: (price: number) => boolean): number | null => {
      const within = side.filter(({ price }) => isWithin(price));
      // The liquidity behind the last level is unknown.
      if (within.length === side.length) return null;
      return within.reduce((total, { quote }) => total + quote, 0);
    };
    const reach = percent / 100;
    return {
      percent,
      buy: sum(asks, (price) => price <= middle * (1 + reach)),
      sell: sum(bids, (price) => price >= middle * (1 - reach)),
    };
  });
}

/** The market for programs: as `GET /markets/{address}`, with its last trades and the amounts that move its price. */
export function marketJson(facts: MarketFacts): Readonly<Record<string, unknown>> {
  const { entry, trades, book } = facts;
  return {
    ...marketViewOf(entry),
    lastTrades: trades.map((trade) => tradeOf(entry.market, trade)),
    depth: depthOf(facts),
    depthSlot: book === null ? null : Number(book.slot),
  };
}

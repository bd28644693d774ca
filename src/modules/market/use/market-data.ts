import type { Address } from '@tradepost/solana';
import type { RecordedTrade, StatedPrice } from '@tradepost/tape';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../rules/market.ts';
import type { MarketStore } from '../store/market-store-port.ts';
import { createFreshLooks, type LookedAt } from './fresh-looks.ts';
import { type BookDeps, createBooks } from './load-book.ts';
import { type CandleQuestion, lastBarBefore, loadCandles } from './load-candles.ts';
import {
  createSnapshots,
  type MarketEntry,
  type MarketSnapshot,
  type SnapshotDeps,
} from './market-snapshot.ts';

export type MarketDataDeps = SnapshotDeps &
  BookDeps & {
    readonly tape: TapeStore;
    readonly markets: MarketStore;
  };

const DAY_SECONDS = 86_400;

/** The public market data. Times are Unix seconds unless noted otherwise. */
export type MarketData = {
  /** All markets with their figures, at most 30 s old. */
  readonly snapshot: () => Promise<MarketSnapshot>;
  /**
   * Reads the pools of a token now, at most once in two seconds: from then on snapshots of this process show them. `unfollowed`: searches for
   * pools that no market is known of. Throws DATABASE_UNREACHABLE; a node that is away leaves the last looks.
   */
  readonly lookNow: (token: LookedAt, how: { readonly unfollowed: boolean }) => Promise<void>;
  /** One market; null for an address that is none. */
  readonly find: (address: Address) => Promise<MarketEntry | null>;
  /** Markets of a mint, primaries first. */
  readonly ofMint: (mint: Address) => Promise<readonly Market[]>;
  /** Newest first, straight from the tape. */
  readonly trades: TapeStore['trades'];
  readonly tradesAfter: TapeStore['tradesAfter'];
  /** The last price at least 24 h old; null where there is none. */
  readonly priceDayAgo: (entry: MarketEntry) => Promise<StatedPrice | null>;
  readonly candles: (question: CandleQuestion) => ReturnType<typeof loadCandles>;
  /** The liquidity available now; null where the market does not trade. Throws CHAIN_UNREACHABLE. */
  readonly book: ReturnType<typeof createBooks>;
  readonly lastBarBefore: (question: Parameters<typeof lastBarBefore>[1]) => Promise<number | null>;
};

export function createMarketData(deps: MarketDataDeps): MarketData & { readonly stop: () => void } {
  const { tape, markets, clock } = deps;
  const snapshots = createSnapshots(deps);
  const fresh = createFreshLooks(deps);
  const shown = new WeakMap<MarketSnapshot, MarketSnapshot>();
  const load = async (): Promise<MarketSnapshot> => {
    const stored = await snapshots.load();
    const known = shown.get(stored);
    if (known !== undefined) return known;
    const made = fresh.over(stored);
    shown.set(stored, made);
    return made;
  };
  return {
    snapshot: load,
    lookNow: async (token, { unfollowed }) => fresh.lookNow(await load(), token, unfollowed),
    find: async (address) => {
      const known = (await load()).byAddress.get(address);
      if (known !== undefined) return known;
      // A market that was found a moment ago, before the list was read again.
      const market = await markets.find(address);
      return market === null
        ? null
        : { market, stats: null, last: null, quoteReserve: null, baseUsd: null, quoteUsd: null };
    },
    ofMint: (mint) => markets.ofMint(mint),
    trades: (marketId, page) => tape.trades(marketId, page),
    tradesAfter: (...question) => tape.tradesAfter(...question),
    priceDayAgo: async ({ market, stats }) => {
      const at = Math.floor(clock.now() / 1_000) - DAY_SECONDS;
      const trade = await tape.firstTradeBefore(market.id, at);
      if (trade !== null) return stated(trade);
      // Its trades are gone; the figures remember the price.
      const old = [stats?.last, stats?.firstIsBefore === true ? stats.first : null];
      return old.find((price) => price != null && price.at <= at) ?? null;
    },
    book: createBooks(deps),
    candles: (question) => loadCandles(deps, question),
    lastBarBefore: (question) => lastBarBefore(deps, question),
    stop: () => snapshots.stop(),
  };
}

function stated({ price, id, at }: RecordedTrade): StatedPrice {
  return { price, id, at };
}

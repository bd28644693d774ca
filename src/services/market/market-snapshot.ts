import type { Address } from '../../core/address/address.ts';
import type { MarketStats } from '../../core/market/candle.ts';
import type { Market } from '../../core/market/market.ts';
import type { RecordedTrade } from '../../core/market/trade.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { MarketFeed } from '../../core/ports/market-feed.ts';
import type { MarketStore } from '../../core/ports/market-store.ts';
import type { TapeStore } from '../../core/ports/tape-store.ts';

/** One market with what lists say of it. */
export type MarketEntry = {
  readonly market: Market;
  /** Null before its first trade. */
  readonly stats: MarketStats | null;
  readonly last: RecordedTrade | null;
  /** Units of the quote mint that it holds, as last seen. */
  readonly quoteReserve: bigint | null;
};

/** All markets at one moment. Immutable: what is made of it can be kept with it. */
export type MarketSnapshot = {
  /** By address. */
  readonly entries: readonly MarketEntry[];
  readonly byAddress: ReadonlyMap<Address, MarketEntry>;
  /** Epoch milliseconds at which it was read. */
  readonly at: number;
};

export type SnapshotDeps = {
  readonly tape: Pick<TapeStore, 'stats' | 'lastTrades'>;
  readonly markets: Pick<MarketStore, 'all' | 'liquidity'>;
  readonly feed: Pick<MarketFeed, 'listen'>;
  readonly clock: Clock;
};

/** After a change it is read again this soon at most. */
const MIN_AGE_MS = 2_000;
/** It is read again by then, also when nobody told of a change: notices can be lost. */
const MAX_AGE_MS = 30_000;

/**
 * The newest snapshot that may be shown, shared by everybody who asks. While it is being read anew, the old one is given, at
 * most 30 s old. Throws DATABASE_UNREACHABLE only where there is none yet, or an older one.
 */
export function createSnapshots(deps: SnapshotDeps): { load(): Promise<MarketSnapshot>; stop(): void } {
  const { clock } = deps;
  let current: MarketSnapshot | null = null;
  let loading: Promise<MarketSnapshot> | null = null;
  let changed = true;
  const stop = deps.feed.listen(() => {
    changed = true;
  });
  const reload = (): Promise<MarketSnapshot> => {
    loading ??= (async () => {
      changed = false;
      try {
        current = await readSnapshot(deps);
        return current;
      } catch (error) {
        changed = true;
        throw error;
      } finally {
        loading = null;
      }
    })();
    return loading;
  };
  return {
    load: async () => {
      if (current === null) return await reload();
      const age = clock.now() - current.at;
      if (age >= MAX_AGE_MS) return await reload();
      if (changed && age >= MIN_AGE_MS) reload().catch(() => undefined);
      return current;
    },
    stop,
  };
}

async function readSnapshot({ tape, markets, clock }: SnapshotDeps): Promise<MarketSnapshot> {
  const at = clock.now();
  const [all, stats, lasts, reserves] = await Promise.all([
    markets.all(),
    tape.stats(),
    tape.lastTrades(),
    markets.liquidity(),
  ]);
  const statsOf = new Map(stats.map((one) => [one.marketId, one]));
  const lastOf = new Map(lasts.map((trade) => [trade.marketId, trade]));
  const entries = all.map((market) => ({
    market,
    stats: statsOf.get(market.id) ?? null,
    last: lastOf.get(market.id) ?? null,
    quoteReserve: reserves.get(market.id) ?? null,
  }));
  return { entries, byAddress: new Map(entries.map((entry) => [entry.market.address, entry])), at };
}

import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { MarketStats, RecordedTrade } from '@tradepost/tape';
import { apart } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { MarketFeed } from '../../../platform/ports/market-feed.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../rules/market.ts';
import { type PoolLook, shownPrices, type UsdPrice, type UsdPrices, usdPrices } from '../rules/usd-price.ts';
import type { MarketLook, MarketStore } from '../store/market-store-port.ts';

/** One market with the facts that lists show. */
export type MarketEntry = {
  readonly market: Market;
  /** Null before its first trade. */
  readonly stats: MarketStats | null;
  readonly last: RecordedTrade | null;
  /** Units of the quote mint that could be taken out, as last seen; null before the first look. */
  readonly quoteReserve: bigint | null;
  /** Dollars for one whole base token, as they are shown; null where unknown. */
  readonly baseUsd: UsdPrice | null;
  /** Dollars for one whole quote token, by which amounts are valued; null where unknown. */
  readonly quoteUsd: UsdPrice | null;
};

/** All markets at one moment. Immutable: results computed from it can be kept with it. */
export type MarketSnapshot = {
  /** By address. */
  readonly entries: readonly MarketEntry[];
  readonly byAddress: ReadonlyMap<Address, MarketEntry>;
  /** The prices that value amounts and rank tokens; see `usdPrices`. */
  readonly usd: UsdPrices;
  /** The prices that screens print; see `shownPrices`. */
  readonly shown: Pick<UsdPrices, 'get'>;
  /** By market id. */
  readonly looks: ReadonlyMap<number, MarketLook>;
  /** Epoch milliseconds at which it was read. */
  readonly at: number;
};

export type SnapshotDeps = {
  readonly tape: Pick<TapeStore, 'stats' | 'lastTrades'>;
  readonly markets: Pick<MarketStore, 'all' | 'looks'>;
  readonly feed: Pick<MarketFeed, 'listen'>;
  readonly clock: Clock;
  /** Mints that are worth a dollar by definition. */
  readonly dollars: readonly Address[];
};

/** After a change it is read again this soon at most. */
const MIN_AGE_MS = 2_000;
/** It is read again by then, also without a notice of a change: notices can be lost. */
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
  let stopListening: (() => void) | null = null;
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
      // From the first question on: a process that never asks keeps no connection for it.
      stopListening ??= deps.feed.listen(() => {
        changed = true;
      });
      if (current === null) return await reload();
      const age = apart(clock.now(), current.at);
      if (age >= MAX_AGE_MS) return await reload();
      if (changed && age >= MIN_AGE_MS) reload().catch(() => undefined);
      return current;
    },
    stop: () => stopListening?.(),
  };
}

async function readSnapshot({ tape, markets, clock, dollars }: SnapshotDeps): Promise<MarketSnapshot> {
  const at = clock.now();
  const [all, stats, lasts, looks] = await Promise.all([
    markets.all(),
    tape.stats(),
    tape.lastTrades(),
    markets.looks(),
  ]);
  const statsOf = new Map(stats.map((one) => [one.marketId, one]));
  const lastOf = new Map(lasts.map((trade) => [trade.marketId, trade]));
  const pools = all.flatMap((market) => {
    const look = looks.get(market.id);
    return look === undefined ? [] : [poolLook(market, look)];
  });
  const rules = { dollars, sol: WSOL_MINT, now: at };
  const usd = usdPrices(pools, rules);
  const shown = shownPrices(pools, usd, rules);
  const entries = all.map((market) => ({
    market,
    stats: statsOf.get(market.id) ?? null,
    last: lastOf.get(market.id) ?? null,
    quoteReserve: looks.get(market.id)?.quote ?? null,
    baseUsd: shown.get(market.baseMint) ?? null,
    quoteUsd: usd.get(market.quoteMint) ?? null,
  }));
  return {
    entries,
    byAddress: new Map(entries.map((entry) => [entry.market.address, entry])),
    usd,
    shown,
    looks,
    at,
  };
}

/** A look in whole tokens. */
export function poolLook(market: Market, { quote, mid, at }: MarketLook): PoolLook {
  const { address, baseMint, quoteMint, quoteDecimals } = market;
  return { address, baseMint, quoteMint, mid, quoteDepth: Number(quote) / 10 ** quoteDecimals, at };
}

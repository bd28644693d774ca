import { type Address, SOL_DECIMALS, WSOL_MINT } from '@tradepost/solana';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import { type PoolLook, shownPrice, type UsdPrice } from '../rules/usd-price.ts';
import { loadPools } from './load-pools.ts';
import { readLooks } from './look-at-markets.ts';
import { type MarketSnapshot, poolLook } from './market-snapshot.ts';
import { lookOfPool } from './sol-price.ts';
import { depthUsd, tokenMarkets } from './token-figures.ts';

export type FreshLooksDeps = {
  readonly venues: readonly Venue[];
  readonly clock: Clock;
  readonly dollars: readonly Address[];
};

/** A token whose pools are read now. */
export type LookedAt = { readonly mint: Address; readonly decimals: number };

/** One reading serves everybody who asks this soon. */
const KEPT_MS = 2_000;
/** Of the deepest markets of one token: 100 accounts are one call to a node. */
const MOST_MARKETS = 20;
const MOST_KEPT = 1_000;

/**
 * Readings of this process that are newer than the looks of the indexer. A screen that a person refreshes after a trade, and a token
 * launched a moment ago, show the pools as they are. Only shown prices rest on them; see `shownPrice`.
 */
export function createFreshLooks(deps: FreshLooksDeps) {
  const { clock, dollars } = deps;
  const reads = new Map<Address, readonly PoolLook[]>();
  const asked = new Map<string, { readonly since: Mark; readonly done: Promise<void> }>();

  const read = async (snapshot: MarketSnapshot, token: LookedAt, unfollowed: boolean): Promise<void> => {
    // A node or a venue that is away leaves the last looks.
    const looks = await looksOf(deps, snapshot, { ...token, unfollowed }).catch(() => []);
    if (looks.length === 0) return;
    reads.delete(token.mint);
    reads.set(token.mint, looks);
    const [oldest] = reads.keys();
    if (reads.size > MOST_KEPT && oldest !== undefined) reads.delete(oldest);
  };

  return {
    /**
     * Reads the pools of a token now, at most once in two seconds; never throws. A token without a known market is searched against SOL
     * only with `unfollowed`: that notes the token as asked for. SOL and dollars are left alone: nearly every market is theirs.
     */
    lookNow: async (snapshot: MarketSnapshot, token: LookedAt, unfollowed: boolean): Promise<void> => {
      const { mint } = token;
      if (mint === WSOL_MINT || dollars.includes(mint)) return;
      const key = `${mint} ${unfollowed}`;
      const known = asked.get(key);
      if (known !== undefined && elapsedSince(known.since, clock) < KEPT_MS) return await known.done;
      const done = read(snapshot, token, unfollowed);
      asked.delete(key);
      asked.set(key, { since: markOf(clock), done });
      const [oldest] = asked.keys();
      if (asked.size > MOST_KEPT && oldest !== undefined) asked.delete(oldest);
      await done;
    },
    /** A snapshot that shows each price by the newest look at every pool of its token. Its prices that count are unchanged. */
    over: (stored: MarketSnapshot): MarketSnapshot => {
      const snapshot = withShown(stored, (mint) => {
        const looks = reads.get(mint);
        if (looks === undefined) return stored.shown.get(mint);
        return newest(snapshot, mint, looks, { dollars, sol: WSOL_MINT, now: clock.now() }) ?? undefined;
      });
      return snapshot;
    },
  };
}

/** The pools of a token now: of its followed markets the deepest, else, with `unfollowed`, those against SOL. */
async function looksOf(
  { venues, clock }: FreshLooksDeps,
  snapshot: MarketSnapshot,
  { mint, decimals, unfollowed }: LookedAt & { readonly unfollowed: boolean },
): Promise<readonly PoolLook[]> {
  const own = tokenMarkets(snapshot, mint).entries;
  if (own.length > 0) {
    const deepest = own.toSorted((a, b) => depthUsd(b) - depthUsd(a)).slice(0, MOST_MARKETS);
    const markets = new Map(deepest.map(({ market }) => [market.id, market]));
    const looks = await readLooks({ venues, clock }, [...markets.values()]);
    return looks.flatMap((look) => {
      const market = markets.get(look.marketId);
      return market === undefined ? [] : [poolLook(market, look)];
    });
  }
  if (!unfollowed) return [];
  const pools = await loadPools(venues, WSOL_MINT, mint);
  const at = clock.now();
  return pools.map((pool) => lookOfPool(pool, { mint, decimals }, SOL_DECIMALS, at));
}

function withShown(stored: MarketSnapshot, get: MarketSnapshot['shown']['get']): MarketSnapshot {
  const entries = stored.entries.map((entry) => ({
    ...entry,
    get baseUsd() {
      return get(entry.market.baseMint) ?? null;
    },
  }));
  const byAddress = new Map(entries.map((entry) => [entry.market.address, entry]));
  return { ...stored, entries, byAddress, shown: { get } };
}

function newest(
  snapshot: MarketSnapshot,
  mint: Address,
  looks: readonly PoolLook[],
  rules: Parameters<typeof shownPrice>[3],
): UsdPrice | null {
  const byPool = new Map(looks.map((look) => [look.address, look]));
  for (const { market } of tokenMarkets(snapshot, mint).entries) {
    const stored = snapshot.looks.get(market.id);
    const own = byPool.get(market.address);
    if (stored !== undefined && (own === undefined || stored.at > own.at))
      byPool.set(market.address, poolLook(market, stored));
  }
  return shownPrice(mint, [...byPool.values()], snapshot.usd, rules);
}

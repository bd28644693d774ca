import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { inputWithin } from '../../market/rules/ladder.ts';
import { loadFreshPools } from './fresh-pools.ts';
import type { TradeDeps } from './trading-deps.ts';

/** How far, in percent of the price. */
export const DEPTH_STEPS = [1, 2, 5, 10, 20] as const;
/** More than any pool holds: the search ended without the price having moved so far. */
const ENDLESS = 1n << 62n;

export type DepthStep = {
  readonly percent: number;
  /** Lamports; null where the pools end before. */
  readonly lamports: bigint | null;
};

/** The amounts that move a token's price, over all pools of it against SOL. */
export type MarketDepth = {
  /** Lamports paid by buyers until the price has risen so far. */
  readonly buy: readonly DepthStep[];
  /** Lamports paid out to sellers until it has fallen so far. */
  readonly sell: readonly DepthStep[];
  readonly slot: bigint;
};

/** Null for a token that no pool trades against SOL. Throws CHAIN_UNREACHABLE. */
export async function marketDepth(deps: TradeDeps, mint: Address): Promise<MarketDepth | null> {
  const { pools } = await loadFreshPools(deps, { mintIn: WSOL_MINT, mintOut: mint }, Promise.resolve(null));
  const direct = pools.filter(({ mints }) => mints.includes(mint) && mints.includes(WSOL_MINT));
  if (direct.length === 0) return null;
  const slot = direct.reduce(
    (oldest, pool) => (pool.slot < oldest ? pool.slot : oldest),
    direct[0]?.slot ?? 0n,
  );
  return {
    slot,
    buy: DEPTH_STEPS.map((percent) => ({
      percent,
      // A price that rises by p is one that falls by p / (1 + p) the other way round.
      lamports: sum(direct, (pool) => inputWithin(pool, WSOL_MINT, percent / (100 + percent))),
    })),
    sell: DEPTH_STEPS.map((percent) => ({
      percent,
      lamports: sum(direct, (pool) => {
        const units = inputWithin(pool, mint, percent / 100);
        return units >= ENDLESS ? null : pool.quote(mint, units);
      }),
    })),
  };
}

function sum(pools: readonly Pool[], of: (pool: Pool) => bigint | null): bigint | null {
  let total = 0n;
  for (const pool of pools) {
    const part = of(pool);
    if (part === null || part >= ENDLESS) return null;
    total += part;
  }
  return total;
}

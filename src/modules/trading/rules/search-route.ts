import { createRouter, type PlannedLeg, type RoutablePool } from '@tradepost/router';
import { type Address, mulDivFloor } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import type { ChainForm } from './best-chain.ts';
import { createRouteFits, type FittingLeg } from './route-fits.ts';
import { type PlannedHop, type SettledHop, settleHops } from './settle-hops.ts';
import type { SwapOrder } from './swap-order.ts';

/** Pools in one transaction: the limit of the signing policy. */
const MAX_POOLS = 5;

/**
 * The best way to divide the order over the pools, through at most `maxHops` of them in a row. Null when the search finds none of at least
 * two legs that spends the whole order, fits one transaction and gives every pool at least 1 % of its input. Less is not worth an
 * instruction, and each adds a minimum of its own that the market must keep. Legs out of one token are in a row, largest first. `form`
 * decides their amounts and the limit of size: separate instructions unless it is given.
 */
export function searchRoute(
  pools: readonly Pool[],
  order: SwapOrder,
  maxHops: number,
  legCost: bigint,
  form: Pick<ChainForm, 'settle' | 'fits'> = {},
): readonly SettledHop[] | null {
  const { settle = settleHops, fits = createRouteFits(order, pools) } = form;
  let candidates = new Map(
    pools.flatMap((pool) => (routable(pool) === null ? [] : [[pool.id, pool] as const])),
  );
  while (candidates.size >= 2) {
    const given = candidates;
    const found = createRouter([...given.values()].flatMap((pool) => routable(pool) ?? [])).route({
      tokenIn: order.mintIn,
      tokenOut: order.mintOut,
      amountIn: order.amountIn,
      maxPools: Math.min(MAX_POOLS, given.size),
      maxHops,
      legCost,
      fits: (legs) => fits(legs.flatMap((leg) => legOf(given, leg) ?? [])),
    });
    if (found === null || found.legs.length < 2) return null;
    const legs = found.legs.flatMap((leg): readonly PlannedHop[] => {
      const known = legOf(given, leg);
      return known === null ? [] : [{ ...known, weight: leg.amountIn }];
    });
    const small = legs.filter(({ mintIn, weight }) => weight * 100n < spentOf(legs, mintIn));
    if (small.length === 0) {
      return spentOf(legs, order.mintIn) === order.amountIn ? settle(grouped(legs), order) : null;
    }
    const dropped = new Set<string>(small.map(({ pool }) => pool.id));
    candidates = new Map([...candidates].filter(([id]) => !dropped.has(id)));
  }
  return null;
}

function legOf(pools: ReadonlyMap<string, Pool>, { pool: id, tokenIn }: PlannedLeg): FittingLeg | null {
  const pool = pools.get(id);
  if (pool === undefined) return null;
  const [first, second] = pool.mints;
  return tokenIn === first
    ? { pool, mintIn: first, mintOut: second }
    : { pool, mintIn: second, mintOut: first };
}

const spentOf = (legs: readonly PlannedHop[], mint: Address): bigint =>
  legs.reduce((sum, { mintIn, weight }) => (mintIn === mint ? sum + weight : sum), 0n);

/** By the order in which tokens are first spent, then by size: still every leg into a token before the first out of it. */
function grouped(legs: readonly PlannedHop[]): readonly PlannedHop[] {
  const stages = [...new Set(legs.map(({ mintIn }) => mintIn))];
  return legs.toSorted((a, b) => stages.indexOf(a.mintIn) - stages.indexOf(b.mintIn) || bySize(a, b));
}

function bySize(a: PlannedHop, b: PlannedHop): number {
  if (a.weight !== b.weight) return a.weight > b.weight ? -1 : 1;
  return a.pool.id < b.pool.id ? -1 : 1;
}

function routable(pool: Pool): RoutablePool | null {
  const { id, mints, shape, gains } = pool;
  if (shape === undefined || gains === undefined) return null;
  return {
    id,
    tokens: mints,
    shape,
    gains,
    quote: (mint, amount) => pool.quote(mint === mints[0] ? mints[0] : mints[1], amount),
  };
}

/** The worth of `lamports` in units of `mint` at zero size: over one of the pools, or over two. 0 when no pool gives a price. */
export function lamportsAs(pools: readonly Pool[], sol: Address, mint: Address, lamports: bigint): bigint {
  if (mint === sol) return lamports;
  let best = 0n;
  for (const first of pools) {
    if (!first.mints.includes(sol)) continue;
    const intermediate = first.mints[0] === sol ? first.mints[1] : first.mints[0];
    const there = atSpot(first, sol, lamports);
    if (intermediate === mint) {
      if (there > best) best = there;
      continue;
    }
    for (const second of pools) {
      if (!second.mints.includes(intermediate) || !second.mints.includes(mint)) continue;
      const through = atSpot(second, intermediate, there);
      if (through > best) best = through;
    }
  }
  return best;
}

function atSpot(pool: Pool, mintIn: Address, amount: bigint): bigint {
  const { numerator, denominator } = pool.spot(mintIn);
  return denominator <= 0n ? 0n : mulDivFloor(amount, numerator, denominator);
}

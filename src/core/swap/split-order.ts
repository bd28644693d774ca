import { WSOL_MINT } from '../address/programs.ts';
import { LAMPORTS_PER_SIGNATURE } from '../amounts/lamports.ts';
import { mulDivFloor } from '../amounts/rounding.ts';
import type { Pool } from '../ports/venue.ts';
import type { RoutablePool } from './router/routable-pool.ts';
import { createRouter } from './router/router.ts';
import { createSplitFits } from './split-fits.ts';
import type { SwapOrder } from './swap-order.ts';

/** One part of a split order, with its pool's own exact quote. */
export type SplitLeg = { readonly pool: Pool; readonly amountIn: bigint; readonly amountOut: bigint };

/** Pools in one transaction: what the signing policy allows. */
const MAX_POOLS = 5;

/**
 * The best division of the order over pools that all lead from `mintIn` to `mintOut`, largest part first; null when none is
 * found that spends the whole order, fits one transaction and gives every pool at least 1 % (less is not worth an
 * instruction, and each adds a minimum of its own that the market must keep).
 */
export function splitOrder(pools: readonly Pool[], order: SwapOrder): readonly SplitLeg[] | null {
  const fits = createSplitFits(order);
  let candidates = new Map(
    pools.flatMap((pool) => (routable(pool) === null ? [] : [[pool.id, pool] as const])),
  );
  const legCost = legCostIn(pools, order);
  while (candidates.size >= 2) {
    const found = createRouter([...candidates.values()].flatMap((pool) => routable(pool) ?? [])).route({
      tokenIn: order.mintIn,
      tokenOut: order.mintOut,
      amountIn: order.amountIn,
      maxPools: Math.min(MAX_POOLS, candidates.size),
      maxHops: 1,
      legCost,
      fits: (legs) =>
        fits(legs.flatMap(({ pool }) => [...candidates.values()].find(({ id }) => id === pool) ?? [])),
    });
    if (found === null || found.legs.length < 2) return null;
    const legs = found.legs.flatMap(({ pool: id, amountIn, amountOut }): readonly SplitLeg[] => {
      const pool = [...candidates.values()].find((one) => one.id === id);
      return pool === undefined ? [] : [{ pool, amountIn, amountOut }];
    });
    const small = legs.filter(({ amountIn }) => amountIn * 100n < order.amountIn);
    if (small.length === 0) {
      const spent = legs.reduce((sum, { amountIn }) => sum + amountIn, 0n);
      return spent === order.amountIn ? legs.toSorted(byAmount) : null;
    }
    const dropped = new Set(small.map(({ pool }) => pool.id));
    candidates = new Map([...candidates].filter(([id]) => !dropped.has(id)));
  }
  return null;
}

/**
 * What another pool in the transaction costs beside its fees, in units of `mintOut`, as far as one side is SOL: about a
 * signature's fee, which is what a co-signature or the compute of one more swap comes to.
 */
export function legCostIn(pools: readonly Pool[], { mintIn, mintOut }: SwapOrder): bigint {
  if (mintOut === WSOL_MINT) return LAMPORTS_PER_SIGNATURE;
  if (mintIn !== WSOL_MINT) return 0n;
  let best = 0n;
  for (const pool of pools) {
    const { numerator, denominator } = pool.spot(mintIn);
    if (denominator <= 0n) continue;
    const cost = mulDivFloor(LAMPORTS_PER_SIGNATURE, numerator, denominator);
    if (cost > best) best = cost;
  }
  return best;
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

function byAmount(a: SplitLeg, b: SplitLeg): number {
  if (a.amountIn !== b.amountIn) return a.amountIn > b.amountIn ? -1 : 1;
  return a.pool.id < b.pool.id ? -1 : 1;
}

import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { createRouteFits, type FittingLeg } from './route-fits.ts';
import { outputOf, type PlannedHop, type SettledHop, settleHops } from './settle-hops.ts';
import type { SwapOrder } from './swap-order.ts';

/** How a chain is executed: in separate instructions unless said otherwise. */
export type ChainForm = {
  /** The amounts that its legs then spend and bring. */
  readonly settle?: (legs: readonly PlannedHop[], order: SwapOrder) => readonly SettledHop[] | null;
  readonly fits?: (legs: readonly FittingLeg[]) => boolean;
  /** Whether a pool can be part of it at all. */
  readonly isUsable?: (hop: PlannedHop) => boolean;
};

/**
 * The best single path through one or two intermediate tokens, by the amounts that a chain of instructions can execute. It is the floor
 * under every searched route, and the only one for pools that the search cannot see into. Every path is tried. At each hop the pool that
 * brings most is taken, which is the best there is because quotes do not fall as inputs grow. `worth` judges the output. Null when no path
 * gives anything and fits one transaction.
 */
export function bestChain(
  pools: readonly Pool[],
  order: SwapOrder,
  worth: (legs: readonly SettledHop[]) => bigint = outputOf,
  form: ChainForm = {},
): readonly SettledHop[] | null {
  const fits = form.fits ?? createRouteFits(order, pools);
  let best: readonly SettledHop[] | null = null;
  for (const path of pathsOf(pools, order)) {
    const legs = along(pools, order, path, form);
    if (legs === null || !fits(legs)) continue;
    if (best === null || worth(legs) > worth(best)) best = legs;
  }
  return best;
}

/** Every way from input to output over one or two other tokens, shorter ones first, in the order of the addresses. */
export function pathsOf(
  pools: readonly Pool[],
  { mintIn, mintOut }: SwapOrder,
): readonly (readonly Address[])[] {
  const neighbours = new Map<Address, Set<Address>>();
  for (const { mints } of pools) {
    for (const [from, to] of [mints, [mints[1], mints[0]] as const]) {
      const known = neighbours.get(from);
      if (known === undefined) neighbours.set(from, new Set([to]));
      else known.add(to);
    }
  }
  const next = (mint: Address): readonly Address[] =>
    [...(neighbours.get(mint) ?? [])].filter((to) => to !== mintIn && to !== mintOut).toSorted();
  const reaches = (mint: Address): boolean => neighbours.get(mint)?.has(mintOut) === true;
  const first = next(mintIn);
  return [
    ...first.filter(reaches).map((intermediate) => [mintIn, intermediate, mintOut]),
    ...first.flatMap((a) =>
      next(a)
        .filter((b) => b !== a && reaches(b))
        .map((b) => [mintIn, a, b, mintOut]),
    ),
  ];
}

function along(
  pools: readonly Pool[],
  order: SwapOrder,
  path: readonly Address[],
  { settle = settleHops, isUsable = () => true }: ChainForm,
): readonly SettledHop[] | null {
  const hops: PlannedHop[] = [];
  let settled: readonly SettledHop[] | null = null;
  for (const [index, mintIn] of path.slice(0, -1).entries()) {
    const mintOut = path[index + 1];
    if (mintOut === undefined) return null;
    let best: readonly SettledHop[] | null = null;
    let bestHop: PlannedHop | null = null;
    for (const pool of pools) {
      if (!pool.mints.includes(mintIn) || !pool.mints.includes(mintOut)) continue;
      const hop: PlannedHop = { pool, mintIn, mintOut, weight: 1n };
      const tried = settle([...hops, hop], order);
      if (tried === null || !isBetter(tried, best) || !isUsable(hop)) continue;
      best = tried;
      bestHop = hop;
    }
    if (best === null || bestHop === null) return null;
    hops.push(bestHop);
    settled = best;
  }
  return settled;
}

/** By the certain output of the last leg; equal ones go to the smaller pool id. */
function isBetter(tried: readonly SettledHop[], best: readonly SettledHop[] | null): boolean {
  const [a, b] = [tried.at(-1), best?.at(-1)];
  if (a === undefined || b === undefined) return b === undefined;
  const [got, known] = [a.leastOut ?? a.amountOut, b.leastOut ?? b.amountOut];
  return got > known || (got === known && a.pool.id < b.pool.id);
}

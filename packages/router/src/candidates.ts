import { missingEdges } from './columns.ts';
import type { DualSolution } from './dual-problem.ts';
import { type Search, solveDual } from './search.ts';

/** Prices need not be sharp to tell which pools are missing. */
const ROUGH = 1e-3;
/** A pool or token whose gain is a smaller part of the order than this is not worth a column. */
const THRESHOLD = 1e-7;
/** The same once the set is as large as it gets for small gains. */
const MATERIAL = 1e-3;
/**
 * The same of a chain: the many that earn less would fill the set. Once it is full they are looked for once, because a large order
 * finds another in every round.
 */
const CHAIN = 1e-4;

/** Edges worth knowing for one order, and the best unlimited use of them. */
export type Candidates = {
  readonly edges: readonly number[];
  readonly solution: DualSolution;
  /**
   * True when no edge of the whole market would improve the solution, chains worth less than `CHAIN` aside: its value then bounds
   * every route but those.
   */
  readonly complete: boolean;
};

/**
 * Grows a seed by column generation: solve, price every edge of the market at the solution's prices, add those that would earn, repeat.
 * Choosing pools by price matters most for the result; splitting among them is the easy part.
 */
export function growCandidates(
  search: Search,
  seed: readonly number[],
  columns = search.limits.columns,
): Candidates {
  const { materialColumns } = search.limits;
  const inside = new Set(seed);
  const roughly = Math.max(search.limits.tolerance, ROUGH);
  let shortlist: readonly number[] | null = null;
  let chain = CHAIN;
  for (let round = 0; ; round++) {
    const edges = [...inside];
    const solution = solveDual(search, edges, roughly, 0, search.market.rough);
    const isFull =
      round >= columns.rounds ||
      inside.size >= columns.maxEdges ||
      solution.tokens.length >= columns.maxTokens;
    const look = isFull
      ? { least: MATERIAL, leastChain: chain, room: materialColumns }
      : { least: THRESHOLD, leastChain: CHAIN, room: columns };
    let missing = missingEdges(search, solution, inside, { ...look, shortlist });
    // A shortlist saves scanning the market each round, but only the whole market can say that nothing is missing.
    if (missing.edges.length === 0 && shortlist !== null) {
      shortlist = null;
      missing = missingEdges(search, solution, inside, { ...look, shortlist });
    }
    if (missing.edges.length === 0 || round === Math.max(columns.rounds, materialColumns.rounds)) {
      return { edges, solution: solveDual(search, edges, search.limits.tolerance), complete: !isFull };
    }
    if (isFull && shortlist === null) chain = MATERIAL;
    shortlist = missing.shortlist;
    for (const edge of missing.edges) inside.add(edge);
  }
}

/**
 * Output that no route of at most `maxPools` pools can exceed, read off the unlimited optimum: the input at its price
 * plus the largest pool surpluses. Certified only for a complete candidate set.
 */
export function cappedBound(search: Search, { solution }: Candidates): number {
  const { order } = search;
  const index = solution.tokens.indexOf(order.tokenIn);
  const surpluses = solution.flows.map(({ surplus }) => surplus).sort((a, b) => b - a);
  const top = surpluses.slice(0, order.maxPools).reduce((sum, surplus) => sum + surplus, 0);
  return order.amount * (solution.prices[index] ?? 0) + top;
}

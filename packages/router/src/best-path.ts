import { at, idAt } from './array-access.ts';
import { type Curve, outputBound, outputFor } from './curve.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Reach } from './plan.ts';

/** Marks an amount that is not asked for yet. */
const UNASKED = -1;

/** One path for the whole amount. */
export type BestPath = { readonly edges: readonly number[]; readonly out: number };

/**
 * The single path of at most `order.maxHops` pools (never more than three) with the largest output for the whole amount: exact, not
 * heuristic. A pool's output never exceeds amount · spot and grows with its input. So a branch whose spot product cannot beat the best
 * output so far is skipped without evaluating it. Null when no path gives anything.
 */
export function bestPath(market: Market, order: Order, reach: Reach): BestPath | null {
  const { amount, tokenIn, tokenOut } = order;
  let best: BestPath = { edges: [], out: 0 };
  const keep = (edges: readonly number[], out: number): void => {
    // The fixed cost ranks paths of different length; it is the same for equal length.
    const cost = order.legCost * edges.length + order.intermediateCost * (edges.length - 1);
    const bestCost = best.edges.length === 0 ? 0 : costOf(order, best.edges.length);
    if (out > 0 && (best.edges.length === 0 || out - cost > best.out - bestCost)) best = { edges, out };
  };

  for (const edge of market.between(tokenIn, tokenOut)) {
    keep([edge], outputFor(curveOf(market, edge), amount));
  }
  if (order.maxHops < 2) return best.edges.length === 0 ? null : best;

  // Best first hop by token, found when first asked for. Tables, not maps: a large order asks for thousands.
  const firstOut = new Float64Array(market.tokenIds.length).fill(UNASKED);
  const firstEdge = new Int32Array(market.tokenIds.length);

  for (const intermediate of reach.exits) {
    const exitRate = at(reach.toOut, intermediate);
    // The promise of the spot prices, then the real output of the first hop: most branches end before a pool is looked up.
    if (amount * at(reach.fromIn, intermediate) * exitRate <= best.out) continue;
    if (mostHeld(market, intermediate, tokenOut) <= best.out) continue;
    const held = firstHop(market, order, intermediate, firstOut, firstEdge);
    if (held * exitRate <= best.out) continue;
    for (const edge of market.between(intermediate, tokenOut)) {
      if (mostFrom(market, edge, held) <= best.out) continue;
      keep([idAt(firstEdge, intermediate), edge], outputFor(curveOf(market, edge), held));
    }
  }
  if (order.maxHops < 3) return best.edges.length === 0 ? null : best;

  for (const last of reach.exits) {
    const exitRate = at(reach.toOut, last);
    const into = market.throughInto[last];
    if (into === undefined) continue;
    let exitHolds = UNASKED;
    for (let index = 0; index < into.length; index++) {
      const edge = idAt(into, index);
      const intermediate = idAt(market.from, edge);
      const bound = amount * at(reach.fromIn, intermediate) * at(market.spot, edge) * exitRate;
      if (bound <= best.out || intermediate === tokenOut) continue;
      // At any input: most pools do not hold the amount that a large order would have to get from them.
      if (exitHolds === UNASKED) exitHolds = mostHeld(market, last, tokenOut);
      if (exitHolds <= best.out) break;
      if (at(market.holds, edge) * exitRate <= best.out) continue;
      const entered = firstHop(market, order, intermediate, firstOut, firstEdge);
      // The same bound with the first hop's real output: large orders slip there, and most branches end here.
      if (mostFrom(market, edge, entered) * exitRate <= best.out) continue;
      const held = outputFor(curveOf(market, edge), entered);
      if (held * exitRate <= best.out) continue;
      for (const exit of market.between(last, tokenOut)) {
        keep([idAt(firstEdge, intermediate), edge, exit], outputFor(curveOf(market, exit), held));
      }
    }
  }
  return best.edges.length === 0 ? null : best;
}

/** Most that the whole amount buys of `token` in one pool, 0 when nothing; remembered in the two tables. */
function firstHop(
  market: Market,
  { amount, tokenIn }: Order,
  token: number,
  firstOut: Float64Array,
  firstEdge: Int32Array,
): number {
  const known = at(firstOut, token);
  if (known !== UNASKED) return known;
  let most = 0;
  for (const edge of market.between(tokenIn, token)) {
    if (mostFrom(market, edge, amount) <= most) continue;
    const out = outputFor(curveOf(market, edge), amount);
    if (out <= most) continue;
    most = out;
    firstEdge[token] = edge;
  }
  firstOut[token] = most;
  return most;
}

/** The most that any pool between the two can give. */
function mostHeld(market: Market, from: number, to: number): number {
  let most = 0;
  for (const edge of market.between(from, to)) most = Math.max(most, at(market.holds, edge));
  return most;
}

function costOf(order: Order, hops: number): number {
  return order.legCost * hops + order.intermediateCost * (hops - 1);
}

function mostFrom({ spot, holds, deepest }: Market, edge: number, amountIn: number): number {
  return outputBound(at(spot, edge), at(holds, edge), at(deepest, edge), amountIn);
}

function curveOf(market: Market, edge: number): Curve {
  return market.exact[edge] as Curve;
}

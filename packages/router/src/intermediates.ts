import { at, idAt } from './array-access.ts';
import { type Curve, surplusAt, surplusBound } from './curve.ts';
import type { Outside } from './outside.ts';
import type { Search } from './search.ts';
import type { PricedEdge } from './seed.ts';
import { keepTop } from './top.ts';

/** A token outside the set, with the best prices at which it could be bought from the set and sold to it. */
type Middle = { readonly token: number; readonly cheap: number; readonly dear: number };

/** Tokens worth adding as intermediates, best first, and others that may be once the prices have moved. */
export type Intermediates = { readonly best: readonly Middle[]; readonly next: readonly number[] };

/**
 * The `count` tokens outside that would earn most as an intermediate, more than `threshold`, and up to `more` others by the bound of their
 * earnings. Only those whose bound can still be among the best are priced on their curves.
 */
export function intermediatesWorthAdding(
  search: Search,
  { known, sold }: Outside,
  threshold: number,
  count: number,
  more: number,
): Intermediates {
  const { cheapest, dearest } = search;
  const hopeful: (Middle & { readonly most: number })[] = [];
  for (const token of sold) {
    const dear = at(dearest, token);
    const cheap = at(cheapest, token);
    // 0 means "no way in".
    if (cheap === 0 || dear <= cheap) continue;
    const mostOut = earned(search, known, token, 'out', cheap, boundAt, null);
    if (mostOut <= threshold) continue;
    const most = Math.min(mostOut, earned(search, known, token, 'in', dear, boundAt, null));
    if (most > threshold) hopeful.push({ token, cheap, dear, most });
  }
  hopeful.sort((a, b) => b.most - a.most);

  const best: (Middle & { readonly gain: number })[] = [];
  let least = threshold;
  for (const { token, cheap, dear, most } of hopeful) {
    if (most <= least) break;
    const out = earned(search, known, token, 'out', cheap, exactAt, null);
    if (out <= least) continue;
    const gain = Math.min(out, earned(search, known, token, 'in', dear, exactAt, null));
    if (gain <= least) continue;
    least = keepTop(best, { token, cheap, dear, gain }, count, least);
  }
  const chosen = new Set(best.map(({ token }) => token));
  const next: number[] = [];
  for (const { token } of hopeful) {
    if (next.length === more) break;
    if (!chosen.has(token)) next.push(token);
  }
  return { best, next };
}

/** Edges from known tokens that earn something when the middle is sold as dearly as it could be. */
export function waysIn(
  search: Search,
  known: readonly number[],
  { token, dear }: Omit<Middle, 'cheap'>,
): readonly PricedEdge[] {
  const found: PricedEdge[] = [];
  earned(search, known, token, 'in', dear, exactAt, found);
  return found;
}

/** Edges into known tokens that earn something when the middle is bought as cheaply as it could be. */
export function waysOut(
  search: Search,
  known: readonly number[],
  { token, cheap }: Omit<Middle, 'dear'>,
): readonly PricedEdge[] {
  const found: PricedEdge[] = [];
  earned(search, known, token, 'out', cheap, exactAt, found);
  return found;
}

/** Pools that a pair of tokens may well have. */
const FEW_POOLS = 8;

/** Edges into an intermediate, or out of it. */
type Side = 'in' | 'out';
type Surplus = (search: Search, edge: number, priceIn: number, priceOut: number) => number;

function exactAt({ market }: Search, edge: number, priceIn: number, priceOut: number): number {
  return surplusAt(market.exact[edge] as Curve, priceIn, priceOut);
}

/** The same without fetching the curve, and never less. */
function boundAt({ market }: Search, edge: number, priceIn: number, priceOut: number): number {
  const { spot, holds, deepest } = market;
  return surplusBound(at(spot, edge), at(holds, edge), at(deepest, edge), priceIn, priceOut);
}

/**
 * The joint surplus of the edges between `token` and known ones when it is worth `price`: those into it, or those out of it. They are
 * listed in `found` unless that is null.
 */
function earned(
  search: Search,
  known: readonly number[],
  token: number,
  side: Side,
  price: number,
  surplusOf: Surplus,
  found: PricedEdge[] | null,
): number {
  const { market, order } = search;
  const isIn = side === 'in';
  const through = (isIn ? market.throughInto[token] : market.through[token]) as Int32Array;
  if (through.length > known.length * FEW_POOLS) {
    // A hub: of its thousands of pools those with known tokens are found sooner by the pair.
    let sum = 0;
    for (const other of known) {
      const between = isIn ? market.between(other, token) : market.between(token, other);
      sum += earnedAlong(search, token, between, side, price, surplusOf, found);
    }
    return sum;
  }
  const sum = earnedAlong(search, token, through, side, price, surplusOf, found);
  // An end of the order with one neighbour is never an intermediate, so the list above leaves it out.
  const end = isIn ? order.tokenIn : order.tokenOut;
  if (!market.isLeaf(end)) return sum;
  const direct = isIn ? market.between(end, token) : market.between(token, end);
  return sum + earnedAlong(search, token, direct, side, price, surplusOf, found);
}

function earnedAlong(
  search: Search,
  token: number,
  edges: Int32Array,
  side: Side,
  price: number,
  surplusOf: Surplus,
  found: PricedEdge[] | null,
): number {
  const { market, order, prices } = search;
  const forbidden = side === 'in' ? order.tokenOut : order.tokenIn;
  const { before, after } = search.hops;
  const mostHops = order.maxHops - 1 - idAt(side === 'in' ? after : before, token);
  const away = side === 'in' ? before : after;
  let sum = 0;
  for (let index = 0; index < edges.length; index++) {
    const edge = idAt(edges, index);
    const end = idAt(side === 'in' ? market.from : market.to, edge);
    const known = at(prices, end);
    if (known === 0 || end === forbidden) continue;
    const priceIn = side === 'in' ? known : price;
    const priceOut = side === 'in' ? price : known;
    // Most edges earn nothing; telling so from the spot table spares the rest.
    if (priceOut * at(market.spot, edge) <= priceIn) continue;
    if (idAt(away, end) > mostHops) continue;
    const surplus = surplusOf(search, edge, priceIn, priceOut);
    sum += surplus;
    if (found !== null && surplus > 0) found.push({ edge, surplus });
  }
  return sum;
}

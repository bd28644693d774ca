import type { Curve } from '../src/curve.ts';
import type { Market } from '../src/market.ts';
import type { Order } from '../src/order.ts';

/** One order's market with every token once per hop after which it can be held. */
export type Unrolled = {
  readonly market: Market;
  readonly order: Order;
  /** The original market's edge behind each edge. */
  readonly origin: Int32Array;
};

/** The opposite direction of an unrolled edge: time does not run backwards. */
const CLOSED: Curve = { gainIn: 1, gainOut: 1, spot: 0, segments: 0, rows: new Float64Array(5) };
const NONE = new Int32Array(0);
const IN = 0;
const OUT = 1;

/**
 * Every way from the order's input to its output of at most `maxHops` pools, as ways through a market that has no others: the input, then
 * the tokens held after one hop, after two and so on, then the output. Ways that come back to the input or go on from the output are left
 * out. Curves are shared with `market`; it has a pool once per hop and direction.
 */
export function unroll(market: Market, order: Order): Unrolled {
  const layers = order.maxHops - 1;
  const count = market.tokenIds.length;
  const held = (hop: number, token: number): number => 2 + (hop - 1) * count + token;
  const from: number[] = [];
  const to: number[] = [];
  const origin: number[] = [];
  const add = (edge: number, source: number, target: number): void => {
    // Both directions, because an edge and the next one are one pool's everywhere.
    from.push(source, target);
    to.push(target, source);
    origin.push(edge, edge);
  };
  for (let edge = 0; edge < market.spot.length; edge++) {
    const u = market.from[edge] ?? 0;
    const v = market.to[edge] ?? 0;
    if ((market.spot[edge] ?? 0) === 0 || u === order.tokenOut || v === order.tokenIn) continue;
    if (u === order.tokenIn) {
      if (v === order.tokenOut) add(edge, IN, OUT);
      else if (layers > 0) add(edge, IN, held(1, v));
      continue;
    }
    for (let hop = 1; hop <= layers; hop++) {
      if (v === order.tokenOut) add(edge, held(hop, u), OUT);
      else if (hop < layers) add(edge, held(hop, u), held(hop + 1, v));
    }
  }

  const tokens = 2 + layers * count;
  const pairs = Array.from({ length: tokens }, () => new Map<number, number[]>());
  for (let edge = 0; edge < from.length; edge += 2) {
    const neighbours = pairs[from[edge] ?? 0];
    const known = neighbours?.get(to[edge] ?? 0);
    if (known === undefined) neighbours?.set(to[edge] ?? 0, [edge]);
    else known.push(edge);
  }
  const into = Array.from({ length: tokens }, (): number[] => []);
  for (let edge = 0; edge < from.length; edge += 2) into[to[edge] ?? 0]?.push(edge);
  const between = pairs.map(
    (neighbours) => new Map([...neighbours].map(([v, edges]) => [v, Int32Array.from(edges)] as const)),
  );
  const live = <T>(table: { readonly [edge: number]: T }, closed: T): T[] =>
    origin.map((edge, index) => (index % 2 === 0 ? (table[edge] ?? closed) : closed));
  return {
    market: {
      pools: [],
      tokenIds: Array.from({ length: tokens }, (_, token) => String(token)),
      tokenIndex: new Map(),
      from: Int32Array.from(from),
      to: Int32Array.from(to),
      spot: Float64Array.from(live(market.spot, 0)),
      holds: Float64Array.from(live(market.holds, 0)),
      deepest: Float64Array.from(live(market.deepest, 0)),
      exact: live(market.exact, CLOSED),
      smooth: live(market.smooth, CLOSED),
      rough: live(market.rough, CLOSED),
      through: pairs.map((neighbours) => Int32Array.from([...neighbours.values()].flat())),
      throughInto: into.map((edges) => Int32Array.from(edges)),
      hubs: [],
      bridges: NONE,
      between: (u, v) => between[u]?.get(v) ?? NONE,
      isLeaf: () => false,
    },
    order: { ...order, tokenIn: IN, tokenOut: OUT },
    origin: Int32Array.from(origin),
  };
}

import { at, idAt } from './array-access.ts';
import { type Curve, outputFor } from './curve.ts';
import type { Search } from './search.ts';

/**
 * Sends the order in equal chunks, each along the path that gives most on top of the earlier chunks, never opening more pools than the cap.
 * Returns the edges it used; how the order is best divided over them is the dual's business. It finds pool sets that pruning misses because
 * it counts slots from the first chunk on.
 */
export function incrementalEdges(
  search: Search,
  candidates: readonly number[],
  chunks: number,
): readonly number[] {
  const state = prepare(search, candidates);
  const chunk = search.order.amount / chunks;
  for (let index = 0; index < chunks; index++) {
    const path = bestIncrement(search, state, chunk);
    if (path.length === 0) break;
    send(state, path, chunk);
  }
  return state.edges.filter((_, position) => at(state.load, position) > 0);
}

type State = {
  /** Edges that can lie on a path, by position; everything below is indexed by position or by local token. */
  readonly edges: readonly number[];
  readonly curves: readonly Curve[];
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly load: Float64Array;
  readonly given: Float64Array;
  /** Position of the opposite direction of the same pool, −1 when it is no candidate. */
  readonly opposite: Int32Array;
  readonly tokens: number;
  /** Positions that can be taken at each hop: out of the input first, into the output last. */
  readonly atHop: readonly Int32Array[];
  /** Per hop, opened pools and position: the last amount sent, the load below it, and its output. */
  readonly memo: { readonly held: Float64Array; readonly load: Float64Array; readonly out: Float64Array };
  used: number;
};

/** Local numbers: the input is token 0, the output token 1. */
function prepare(search: Search, candidates: readonly number[]): State {
  const { market, order } = search;
  const local = new Map<number, number>([
    [order.tokenIn, 0],
    [order.tokenOut, 1],
  ]);
  const edges = candidates.filter(
    (edge) =>
      market.from[edge] !== order.tokenOut && market.to[edge] !== order.tokenIn && at(market.spot, edge) > 0,
  );
  const position = new Map(edges.map((edge, index) => [edge, index] as const));
  const number = (token: number): number => {
    const known = local.get(token);
    if (known !== undefined) return known;
    local.set(token, local.size);
    return local.size - 1;
  };
  const source = Int32Array.from(edges, (edge) => number(idAt(market.from, edge)));
  const target = Int32Array.from(edges, (edge) => number(idAt(market.to, edge)));
  const atHop = Array.from({ length: order.maxHops }, (_, hop) => {
    const taken = [...edges.keys()].filter(
      (index) => (source[index] === 0) === (hop === 0) && (hop < order.maxHops - 1 || target[index] === 1),
    );
    return Int32Array.from(taken);
  });
  const answers = order.maxHops * order.maxHops * edges.length;
  return {
    edges,
    curves: edges.map((edge) => market.exact[edge] as Curve),
    source,
    target,
    load: new Float64Array(edges.length),
    given: new Float64Array(edges.length),
    opposite: Int32Array.from(edges, (edge) => position.get(edge ^ 1) ?? -1),
    tokens: local.size,
    atHop,
    memo: {
      held: new Float64Array(answers).fill(-1),
      load: new Float64Array(answers),
      out: new Float64Array(answers),
    },
    used: 0,
  };
}

/**
 * Best path for one more chunk, by dynamic programming over (hops, newly opened pools, token). The second dimension is
 * needed only when fewer slots are left than a path may open.
 */
function bestIncrement(search: Search, state: State, chunk: number): readonly number[] {
  const { order } = search;
  const { memo } = state;
  const slots = order.maxPools - state.used;
  const limited = slots < order.maxHops;
  const opens = limited ? slots : 0;
  const layer = (opens + 1) * state.tokens;
  const best = new Float64Array((order.maxHops + 1) * layer);
  const via = new Int32Array(best.length).fill(-1);
  best[0] = chunk;
  let end = -1;
  for (let hop = 0; hop < order.maxHops; hop++) {
    const positions = state.atHop[hop] as Int32Array;
    for (let index = 0; index < positions.length; index++) {
      const position = idAt(positions, index);
      const from = idAt(state.source, position);
      const to = idAt(state.target, position);
      const opposite = idAt(state.opposite, position);
      if (opposite >= 0 && at(state.load, opposite) > 0) continue;
      const load = at(state.load, position);
      const opened = limited && load === 0 ? 1 : 0;
      for (let k = 0; k + opened <= opens; k++) {
        const held = at(best, hop * layer + k * state.tokens + from);
        if (held <= 0) continue;
        // A chunk changes the few pools on its path; everything else answers as it did for the chunk before.
        const known = (hop * order.maxHops + k) * state.edges.length + position;
        if (at(memo.held, known) !== held || at(memo.load, known) !== load) {
          memo.held[known] = held;
          memo.load[known] = load;
          memo.out[known] =
            outputFor(state.curves[position] as Curve, load + held) - at(state.given, position);
        }
        const out = at(memo.out, known);
        const slot = (hop + 1) * layer + (k + opened) * state.tokens + to;
        if (out > at(best, slot)) {
          best[slot] = out;
          via[slot] = position * (opens + 1) + k;
        }
      }
    }
    for (let k = 0; k <= opens; k++) {
      const slot = (hop + 1) * layer + k * state.tokens + 1;
      if (at(best, slot) > (end < 0 ? 0 : at(best, end))) end = slot;
    }
  }
  return end < 0 ? [] : walkBack(state, via, end, layer, opens + 1);
}

function walkBack(
  state: State,
  via: Int32Array,
  end: number,
  layer: number,
  width: number,
): readonly number[] {
  const path: number[] = [];
  let slot = end;
  while (slot >= layer) {
    const step = idAt(via, slot);
    const position = Math.floor(step / width);
    path.unshift(position);
    slot =
      (Math.floor(slot / layer) - 1) * layer + (step % width) * state.tokens + idAt(state.source, position);
  }
  return path;
}

function send(state: State, path: readonly number[], chunk: number): void {
  let held = chunk;
  for (const position of path) {
    if (at(state.load, position) === 0) state.used++;
    const load = at(state.load, position) + held;
    const given = outputFor(state.curves[position] as Curve, load);
    held = given - at(state.given, position);
    state.load[position] = load;
    state.given[position] = given;
  }
}

import { at, idAt } from './array-access.ts';
import type { Curve } from './curve.ts';
import type { DualProblem } from './dual-problem.ts';

/** Rounds of relaxation that find zero-size exit rates; longer chains than this never survive the hop cap. */
const RELAX_ROUNDS = 6;

/** Arrays of one solve, by local token or by kept edge. Reused from solve to solve. */
export type DualSpace = {
  /** Token → local number; −1 outside a solve. */
  readonly local: Int32Array;
  readonly global: Int32Array;
  readonly renumbered: Int32Array;
  readonly fed: Uint8Array;
  readonly scale: Float64Array;
  readonly u: Float64Array;
  readonly trial: Float64Array;
  readonly gradient: Float64Array;
  readonly step: Float64Array;
  readonly damping: Float64Array;
  readonly hessian: Float64Array;
  readonly factor: Float64Array;
  readonly edges: Int32Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly weight: Float64Array;
  /** Spot of each edge: telling that a pool is idle without fetching its curve. */
  readonly spot: Float64Array;
  /** Each edge's surplus at the prices last evaluated with derivatives. */
  readonly surplus: Float64Array;
  readonly answer: Float64Array;
  readonly active: Curve[];
};

/** How much of the arrays a problem fills; the output is the token after the variables. */
export type Layout = { readonly tokens: number; readonly variables: number; readonly edges: number };

export function allocate(tokenCount: number, localTokens: number, edges: number): DualSpace {
  return {
    local: new Int32Array(tokenCount).fill(-1),
    global: new Int32Array(localTokens),
    renumbered: new Int32Array(localTokens),
    fed: new Uint8Array(localTokens),
    scale: new Float64Array(localTokens),
    u: new Float64Array(localTokens),
    trial: new Float64Array(localTokens),
    gradient: new Float64Array(localTokens),
    step: new Float64Array(localTokens),
    damping: new Float64Array(localTokens),
    hessian: new Float64Array(localTokens * localTokens),
    factor: new Float64Array(localTokens * localTokens),
    edges: new Int32Array(edges),
    source: new Int32Array(edges),
    target: new Int32Array(edges),
    weight: new Float64Array(edges),
    spot: new Float64Array(edges),
    surplus: new Float64Array(edges),
    answer: new Float64Array(4),
    active: [],
  };
}

/** The same space, or a larger one when the problem needs it. */
export function ensure(space: DualSpace, problem: DualProblem): DualSpace {
  const tokenCount = problem.start.length;
  const edges = problem.edges.length;
  const localTokens = Math.min(tokenCount, edges + 2);
  if (
    space.local.length === tokenCount &&
    space.edges.length >= edges &&
    space.global.length >= localTokens
  ) {
    return space;
  }
  return allocate(
    tokenCount,
    Math.max(64, Math.min(tokenCount, localTokens * 2)),
    Math.max(256, edges * 2, space.edges.length),
  );
}

/**
 * Numbers the tokens (input 0, output last) and keeps the edges that lie on some way from input to output: prices of
 * tokens outside have no minimum.
 */
export function arrange(space: DualSpace, problem: DualProblem): Layout {
  const { local, global, fed, scale, edges, source, target, renumbered } = space;
  let tokens = 0;
  tokens = numbered(space, problem.tokenIn, tokens);
  tokens = numbered(space, problem.tokenOut, tokens);
  let count = 0;
  for (let position = 0; position < problem.edges.length; position++) {
    const edge = problem.edges[position] as number;
    const from = idAt(problem.from, edge);
    const to = idAt(problem.to, edge);
    const curve = problem.curves[edge];
    if (curve === undefined || curve.spot <= 0) continue;
    const backwards = from === problem.tokenOut || to === problem.tokenIn;
    if (backwards && problem.everyEdge !== true) continue;
    tokens = numbered(space, from, tokens);
    tokens = numbered(space, to, tokens);
    edges[count] = edge;
    source[count] = idAt(local, from);
    target[count] = idAt(local, to);
    space.active[count] = curve;
    space.spot[count] = curve.spot;
    space.weight[count] = problem.weights === undefined ? 1 : at(problem.weights, position);
    count++;
  }

  fed[0] = 1;
  scale[1] = 1;
  for (let round = 0; round < RELAX_ROUNDS; round++) {
    let changed = false;
    for (let k = 0; k < count; k++) {
      const u = idAt(source, k);
      const v = idAt(target, k);
      if (fed[u] === 1 && fed[v] === 0) {
        fed[v] = 1;
        changed = true;
      }
      const rate = at(scale, v) * at(space.spot, k);
      if (u !== 1 && rate > at(scale, u)) {
        scale[u] = rate;
        changed = true;
      }
    }
    if (!changed) break;
  }

  // Renumber: useful variables first, in order of appearance, the output after them.
  let variables = 0;
  for (let token = 0; token < tokens; token++) {
    renumbered[token] = -1;
    if (token === 1 || fed[token] !== 1 || at(scale, token) <= 0) continue;
    renumbered[token] = variables;
    global[variables] = idAt(global, token);
    scale[variables] = at(scale, token);
    const guess = at(problem.start, idAt(global, variables));
    space.u[variables] = guess > 0 ? guess / at(scale, variables) : 1;
    variables++;
  }
  for (const token of [problem.tokenIn, problem.tokenOut]) local[token] = -1;
  let kept = 0;
  for (let k = 0; k < count; k++) {
    local[idAt(problem.from, idAt(edges, k))] = -1;
    local[idAt(problem.to, idAt(edges, k))] = -1;
    const u = idAt(source, k) === 1 ? variables : idAt(renumbered, idAt(source, k));
    const v = idAt(target, k) === 1 ? variables : idAt(renumbered, idAt(target, k));
    if (u < 0 || v < 0) continue;
    edges[kept] = idAt(edges, k);
    source[kept] = u;
    target[kept] = v;
    space.active[kept] = space.active[k] as Curve;
    space.weight[kept] = at(space.weight, k);
    space.spot[kept] = at(space.spot, k);
    kept++;
  }
  if (renumbered[0] !== 0 || kept === 0) return { tokens: 0, variables: 0, edges: 0 };
  global[variables] = problem.tokenOut;
  scale[variables] = 1;
  space.u[variables] = 1;
  space.trial[variables] = 1;
  return { tokens: variables + 1, variables, edges: kept };
}

/** Gives the token the next local number unless it has one. Returns how many there are then. */
function numbered(space: DualSpace, token: number, tokens: number): number {
  if (idAt(space.local, token) >= 0) return tokens;
  space.local[token] = tokens;
  space.global[tokens] = token;
  space.fed[tokens] = 0;
  space.scale[tokens] = 0;
  return tokens + 1;
}

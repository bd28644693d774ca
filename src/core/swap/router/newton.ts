import { addAt, at, idAt } from './array-access.ts';
import { solveRidged } from './cholesky.ts';
import {
  ANSWER_IN,
  ANSWER_OUT,
  ANSWER_SLOPE,
  ANSWER_SURPLUS,
  answerAt,
  type Curve,
  surplusAt,
} from './curve.ts';

/** Part of the graph with the order's ends. `edges` are edge numbers; `start` holds price guesses by token, 0 = none. */
export type DualProblem = {
  readonly edges: readonly number[];
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly curves: readonly Curve[];
  readonly tokenIn: number;
  readonly tokenOut: number;
  readonly amount: number;
  readonly start: Float64Array;
  /** Multiplies each edge's surplus (by position in `edges`); only the certificate of the benchmark uses it. */
  readonly weights?: Float64Array;
  /** Also prices edges into the input and out of the output, which no route uses but every bound must count. */
  readonly everyEdge?: boolean;
  /** Relative size of the gradient at which to stop. */
  readonly tolerance: number;
};

/** An edge that trades at the optimal prices. */
export type DualFlow = {
  readonly edge: number;
  readonly amountIn: number;
  /** The output side of the flow at the optimal prices, in output units. */
  readonly worth: number;
  /** Profit of the pool at the optimal prices, in output units: how much the route would miss it. */
  readonly surplus: number;
};

export type DualSolution = {
  /** Output of the best route through these edges, were legs free and unlimited. 0 when the output is out of reach. */
  readonly value: number;
  readonly flows: readonly DualFlow[];
  /** Tokens that lie between the ends, the ends included, with their prices in output units. */
  readonly tokens: readonly number[];
  readonly prices: readonly number[];
};

/** Minimises the dual. Reuses its work space, so one instance serves one caller at a time. */
export interface DualSolver {
  solve(problem: DualProblem): DualSolution;
}

const MAX_STEPS = 60;
const MAX_HALVINGS = 25;
const LEAST_FALL = 0.3;
const LARGEST_RISE = 3;
const ARMIJO = 1e-4;
/** Flows worth less than this part of the whole are numerical dust. */
const DUST = 1e-7;
/** Rounds of relaxation that find zero-size exit rates; longer chains than this never survive the hop cap. */
const RELAX_ROUNDS = 6;

/**
 * Newton's method on g(ν) = amount · ν_in + Σ surplus(ν_u, ν_v), ν_out = 1. By convex duality its minimum is the output of
 * the best unlimited route, and the trades that earn the surpluses are that route's flows.
 */
export function createDualSolver(): DualSolver {
  let space = allocate(0, 0, 0);

  return {
    solve(problem) {
      space = ensure(space, problem);
      const layout = arrange(space, problem);
      if (layout.variables === 0) return { value: 0, flows: [], tokens: [], prices: [] };
      const value = minimise(space, problem, layout);
      return describe(space, layout, value);
    },
  };
}

type Space = {
  /** Token → local number; −1 outside a solve. */
  readonly local: Int32Array;
  readonly global: Int32Array;
  readonly fed: Uint8Array;
  readonly scale: Float64Array;
  readonly u: Float64Array;
  readonly trial: Float64Array;
  readonly gradient: Float64Array;
  readonly step: Float64Array;
  readonly hessian: Float64Array;
  readonly factor: Float64Array;
  readonly edges: Int32Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly weight: Float64Array;
  /** Spot of each edge: telling that a pool is idle without fetching its curve. */
  readonly spot: Float64Array;
  readonly answer: Float64Array;
  readonly active: Curve[];
};

type Layout = { readonly tokens: number; readonly variables: number; readonly edges: number };

function allocate(tokenCount: number, localTokens: number, edges: number): Space {
  return {
    local: new Int32Array(tokenCount).fill(-1),
    global: new Int32Array(localTokens),
    fed: new Uint8Array(localTokens),
    scale: new Float64Array(localTokens),
    u: new Float64Array(localTokens),
    trial: new Float64Array(localTokens),
    gradient: new Float64Array(localTokens),
    step: new Float64Array(localTokens),
    hessian: new Float64Array(localTokens * localTokens),
    factor: new Float64Array(localTokens * localTokens),
    edges: new Int32Array(edges),
    source: new Int32Array(edges),
    target: new Int32Array(edges),
    weight: new Float64Array(edges),
    spot: new Float64Array(edges),
    answer: new Float64Array(4),
    active: [],
  };
}

function ensure(space: Space, problem: DualProblem): Space {
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
function arrange(space: Space, problem: DualProblem): Layout {
  const { local, global, fed, scale, edges, source, target } = space;
  let tokens = 0;
  const number = (token: number): number => {
    if (idAt(local, token) < 0) {
      local[token] = tokens;
      global[tokens] = token;
      fed[tokens] = 0;
      scale[tokens] = 0;
      tokens++;
    }
    return idAt(local, token);
  };
  number(problem.tokenIn);
  number(problem.tokenOut);
  let count = 0;
  problem.edges.forEach((edge, position) => {
    const from = idAt(problem.from, edge);
    const to = idAt(problem.to, edge);
    const curve = problem.curves[edge];
    if (curve === undefined || curve.spot <= 0) return;
    const backwards = from === problem.tokenOut || to === problem.tokenIn;
    if (backwards && problem.everyEdge !== true) return;
    edges[count] = edge;
    source[count] = number(from);
    target[count] = number(to);
    space.active[count] = curve;
    space.weight[count] = problem.weights === undefined ? 1 : at(problem.weights, position);
    count++;
  });

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
      const rate = at(scale, v) * (space.active[k] as Curve).spot;
      if (u !== 1 && rate > at(scale, u)) {
        scale[u] = rate;
        changed = true;
      }
    }
    if (!changed) break;
  }

  // Renumber: useful variables first, in order of appearance, the output after them.
  const useful = (token: number) => fed[token] === 1 && at(scale, token) > 0;
  const renumbered = new Int32Array(tokens).fill(-1);
  let variables = 0;
  for (let token = 0; token < tokens; token++) {
    if (token === 1 || !useful(token)) continue;
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
    space.spot[kept] = (space.active[k] as Curve).spot;
    kept++;
  }
  if (renumbered[0] !== 0 || kept === 0) return { tokens: 0, variables: 0, edges: 0 };
  global[variables] = problem.tokenOut;
  scale[variables] = 1;
  space.u[variables] = 1;
  space.trial[variables] = 1;
  return { tokens: variables + 1, variables, edges: kept };
}

function minimise(space: Space, problem: DualProblem, layout: Layout): number {
  const { u, trial, gradient, step, scale } = space;
  const n = layout.variables;
  const unit = problem.amount * at(scale, 0);
  let ridge = 1e-9 * unit;
  let value = derivatives(space, problem, layout, u);
  for (let iteration = 0; iteration < MAX_STEPS; iteration++) {
    let steepest = 0;
    for (let i = 0; i < n; i++) steepest = Math.max(steepest, Math.abs(at(gradient, i) * at(u, i)));
    if (steepest < problem.tolerance * unit) break;

    if (!solveRidged(space.hessian, n, ridge, space.factor, gradient, step)) {
      ridge *= 100;
      continue;
    }
    let length = 1;
    let descent = 0;
    for (let i = 0; i < n; i++) {
      const move = -at(step, i) / at(u, i);
      descent -= at(gradient, i) * at(step, i);
      if (move < LEAST_FALL - 1) length = Math.min(length, (LEAST_FALL - 1) / move);
      if (move > LARGEST_RISE - 1) length = Math.min(length, (LARGEST_RISE - 1) / move);
    }
    const full = length;
    let reached = value;
    let accepted = false;
    for (let halving = 0; halving < MAX_HALVINGS; halving++) {
      for (let i = 0; i < n; i++) trial[i] = at(u, i) - length * at(step, i);
      reached = valueAt(space, problem, layout, trial);
      if (reached <= value + ARMIJO * length * descent) {
        accepted = true;
        break;
      }
      length /= 2;
    }
    if (!accepted) {
      if (ridge > unit) break;
      ridge *= 100;
      continue;
    }
    for (let i = 0; i < n; i++) u[i] = at(trial, i);
    const before = value;
    value = derivatives(space, problem, layout, u);
    if (length === full) ridge = Math.max(ridge * 0.1, 1e-14 * unit);
    if (before - value < 1e-12 * value && steepest < 1e-3 * unit) break;
  }
  return value;
}

/** g at scaled prices `u`, with its gradient and the lower triangle of its Hessian left in the work space. */
function derivatives(space: Space, problem: DualProblem, layout: Layout, u: Float64Array): number {
  const { gradient, hessian, source, target, scale, answer, active, weight, spot } = space;
  const n = layout.variables;
  gradient.fill(0, 0, n);
  hessian.fill(0, 0, n * n);
  let value = problem.amount * at(u, 0) * at(scale, 0);
  gradient[0] = problem.amount * at(scale, 0);
  for (let k = 0; k < layout.edges; k++) {
    const i = idAt(source, k);
    const j = idAt(target, k);
    const scaleU = at(scale, i);
    const scaleV = at(scale, j);
    const priceU = at(u, i) * scaleU;
    const priceV = at(u, j) * scaleV;
    if (priceV * at(spot, k) <= priceU) continue;
    answerAt(active[k] as Curve, priceU, priceV, answer);
    const w = at(weight, k);
    value += w * at(answer, ANSWER_SURPLUS);
    const bend = (w * at(answer, ANSWER_SLOPE)) / priceV;
    const ratio = priceU / priceV;
    // Number n is the output, whose price is fixed.
    if (i < n) {
      addAt(gradient, i, -w * scaleU * at(answer, ANSWER_IN));
      addAt(hessian, i * n + i, bend * scaleU * scaleU);
    }
    if (j < n) {
      addAt(gradient, j, w * scaleV * at(answer, ANSWER_OUT));
      addAt(hessian, j * n + j, bend * ratio * ratio * scaleV * scaleV);
    }
    if (i < n && j < n) addAt(hessian, i > j ? i * n + j : j * n + i, -bend * ratio * scaleU * scaleV);
  }
  return value;
}

function valueAt(space: Space, problem: DualProblem, layout: Layout, u: Float64Array): number {
  const { source, target, scale, active, weight, spot } = space;
  let value = problem.amount * at(u, 0) * at(scale, 0);
  for (let k = 0; k < layout.edges; k++) {
    const i = idAt(source, k);
    const j = idAt(target, k);
    const priceU = at(u, i) * at(scale, i);
    const priceV = at(u, j) * at(scale, j);
    if (priceV * at(spot, k) <= priceU) continue;
    value += at(weight, k) * surplusAt(active[k] as Curve, priceU, priceV);
  }
  return value;
}

function describe(space: Space, layout: Layout, value: number): DualSolution {
  const { u, scale, source, target, answer, active, global } = space;
  const tokens: number[] = [];
  const prices: number[] = [];
  for (let i = 0; i < layout.tokens; i++) {
    tokens.push(idAt(global, i));
    prices.push(at(u, i) * at(scale, i));
  }
  const flows: DualFlow[] = [];
  for (let k = 0; k < layout.edges; k++) {
    const priceV = prices[idAt(target, k)] ?? 0;
    answerAt(active[k] as Curve, prices[idAt(source, k)] ?? 0, priceV, answer);
    const worth = at(answer, ANSWER_OUT) * priceV;
    if (worth <= DUST * value) continue;
    flows.push({
      edge: idAt(space.edges, k),
      amountIn: at(answer, ANSWER_IN),
      worth,
      surplus: at(answer, ANSWER_SURPLUS),
    });
  }
  if (space.active.length > layout.edges) space.active.length = layout.edges;
  return { value, flows, tokens, prices };
}

import { addAt, at, idAt } from './array-access.ts';
import { solveRidged } from './cholesky.ts';
import { ANSWER_IN, ANSWER_OUT, ANSWER_SLOPE, ANSWER_SURPLUS, answerAt, type Curve } from './curve.ts';
import type { DualFlow, DualProblem, DualSolution } from './dual-problem.ts';
import { allocate, arrange, type DualSpace, ensure, type Layout } from './dual-space.ts';
import { recall, remember } from './solution-memo.ts';

/** Minimises the dual. Reuses its work space, so one instance serves one caller at a time. */
export interface DualSolver {
  solve(problem: DualProblem): DualSolution;
}

const MAX_STEPS = 60;
const LEAST_FALL = 0.3;
const LARGEST_RISE = 3;
/** Points looked at along one step. */
const MAX_POINTS = 25;
const ARMIJO = 1e-4;
/** Part of the slope at a step's start that may be left at its end. */
const SLOPE_LEFT = 0.2;
/** Each point takes at least this part off the rest of the step. */
const LEAST_CLOSING = 0.25;
/** The search also ends when two steps in a row lower the value by less than this part of the tolerance. */
const SETTLED = 1e-3;
/** A price moves by at most about 1 part in this many per step, however flat the dual is along it. */
const DAMPING = 1.5;
/** Flows worth less than this part of the whole are numerical dust. */
const DUST = 1e-7;
const NOTHING: DualSolution = { value: 0, flows: [], tokens: [], prices: [] };

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
      if (layout.variables === 0) return NOTHING;
      const least = problem.least ?? 0;
      const { memo } = problem;
      const known = memo === undefined ? null : recall(memo, space.edges, layout.edges, least);
      if (known !== null) return known;
      const value = minimise(space, problem, layout);
      const solution = value < least ? { ...NOTHING, value } : describe(space, layout, value);
      return memo === undefined ? solution : remember(memo, space.edges, layout.edges, solution);
    },
  };
}

function minimise(space: DualSpace, problem: DualProblem, layout: Layout): number {
  const { u, trial, gradient, step, scale, damping } = space;
  const n = layout.variables;
  const unit = problem.amount * at(scale, 0);
  let ridge = 1e-9 * unit;
  const least = problem.least ?? 0;
  const mostEdges = problem.mostEdges ?? layout.edges;
  let stalled = 0;
  let value = derivatives(space, problem, layout, u);
  for (let iteration = 0; iteration < MAX_STEPS; iteration++) {
    // Below the values that the caller can use: the minimum is no higher than this.
    if (value < least) return value;
    if (mostEdges < layout.edges) {
      const capped = value - smallestSum(space, layout, layout.edges - mostEdges);
      if (capped < least) return capped;
    }
    let steepest = 0;
    for (let i = 0; i < n; i++) steepest = Math.max(steepest, Math.abs(at(gradient, i) * at(u, i)));
    if (steepest < problem.tolerance * unit) break;

    // Between bins a price has a gradient but no curvature. A uniform ridge lets it ask for an endless step, which then
    // shortens all steps; a ridge in proportion to its own gradient bounds it alone and fades at the optimum.
    for (let i = 0; i < n; i++) damping[i] = ridge + (DAMPING * Math.abs(at(gradient, i))) / at(u, i);
    if (!solveRidged(space.hessian, n, damping, space.factor, gradient, step)) {
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
    const point = searchLine(space, problem, layout, { value, descent, end: length });
    if (point === null) {
      if (ridge > unit) break;
      ridge *= 100;
      value = derivatives(space, problem, layout, u);
      continue;
    }
    for (let i = 0; i < n; i++) u[i] = at(trial, i);
    const before = value;
    value = point.value;
    if (point.isEnd) ridge = Math.max(ridge * 0.1, 1e-14 * unit);
    // Value left over is second order in the gradient left over, so it settles first; one short step may be bad luck.
    stalled = before - value < problem.tolerance * SETTLED * value ? stalled + 1 : 0;
    if (stalled === 2) break;
  }
  return value;
}

/** A point of a line that is low enough: g there, and whether it is the line's end. */
type Point = { readonly value: number; readonly isEnd: boolean };

/**
 * Goes from `u` against `step`, at most `end` of it, to about the lowest point. Leaves that point in `trial` and its derivatives in the
 * work space. At the edge of a bin the slope jumps, and only inside the jump does the Hessian know of it: from a point short of it the next
 * step would be blocked at once. So the jump is closed in on by the sign of the slope. Null when nothing on the line is lower.
 */
function searchLine(
  space: DualSpace,
  problem: DualProblem,
  layout: Layout,
  { value, descent, end }: { readonly value: number; readonly descent: number; readonly end: number },
): Point | null {
  const { u, trial, gradient, step } = space;
  const n = layout.variables;
  let low = 0;
  let lowSlope = descent;
  let high = end;
  let highSlope = 0;
  let length = end;
  for (let points = 0; points < MAX_POINTS; points++) {
    for (let i = 0; i < n; i++) trial[i] = at(u, i) - length * at(step, i);
    const reached = derivatives(space, problem, layout, trial);
    let slope = 0;
    for (let i = 0; i < n; i++) slope -= at(gradient, i) * at(step, i);
    const isEnd = length === end;
    const isLower = reached <= value + ARMIJO * length * descent;
    const isLevel = slope <= -SLOPE_LEFT * descent && (isEnd || slope >= SLOPE_LEFT * descent);
    if (isLower && isLevel) return { value: reached, isEnd };
    if (slope < 0 && isEnd) return null;
    if (slope < 0) {
      low = length;
      lowSlope = slope;
    } else {
      high = length;
      highSlope = slope;
    }
    // Where the slope would be 0 if it changed evenly; over a jump it does not, hence the margins.
    const level = low + ((high - low) * lowSlope) / (lowSlope - highSlope);
    const margin = (high - low) * LEAST_CLOSING;
    length = Math.min(high - margin, Math.max(low + margin, level));
  }
  return null;
}

/** g at scaled prices `u`, with its gradient and the lower triangle of its Hessian left in the work space. */
function derivatives(space: DualSpace, problem: DualProblem, layout: Layout, u: Float64Array): number {
  const { gradient, hessian, source, target, scale, answer, active, weight, spot, surplus } = space;
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
    surplus[k] = 0;
    if (priceV * at(spot, k) <= priceU) continue;
    answerAt(active[k] as Curve, priceU, priceV, answer);
    const w = at(weight, k);
    surplus[k] = w * at(answer, ANSWER_SURPLUS);
    value += at(surplus, k);
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

/** The joint surplus of the `count` edges that earn least, at the prices last evaluated. */
function smallestSum({ surplus }: DualSpace, layout: Layout, count: number): number {
  let sum = 0;
  let known = -1;
  let knownEdge = -1;
  for (let taken = 0; taken < count; taken++) {
    let least = Number.POSITIVE_INFINITY;
    let leastEdge = -1;
    for (let k = 0; k < layout.edges; k++) {
      const one = at(surplus, k);
      if (one >= least || one < known || (one === known && k <= knownEdge)) continue;
      least = one;
      leastEdge = k;
    }
    sum += least;
    known = least;
    knownEdge = leastEdge;
  }
  return sum;
}

function describe(space: DualSpace, layout: Layout, value: number): DualSolution {
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

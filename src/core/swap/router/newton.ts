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
import type { DualFlow, DualProblem, DualSolution } from './dual-problem.ts';
import { allocate, arrange, type DualSpace, ensure, type Layout } from './dual-space.ts';

/** Minimises the dual. Reuses its work space, so one instance serves one caller at a time. */
export interface DualSolver {
  solve(problem: DualProblem): DualSolution;
}

const MAX_STEPS = 60;
const MAX_HALVINGS = 25;
const LEAST_FALL = 0.3;
const LARGEST_RISE = 3;
const ARMIJO = 1e-4;
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
      const value = minimise(space, problem, layout);
      if (value < (problem.least ?? 0)) return { ...NOTHING, value };
      return describe(space, layout, value);
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
    // Below what the caller can use: whatever the minimum is, it is no higher than this.
    if (value < least) return value;
    if (mostEdges < layout.edges) {
      const capped = value - smallestSum(space, layout, layout.edges - mostEdges);
      if (capped < least) return capped;
    }
    let steepest = 0;
    for (let i = 0; i < n; i++) steepest = Math.max(steepest, Math.abs(at(gradient, i) * at(u, i)));
    if (steepest < problem.tolerance * unit) break;

    // Between bins a price has a gradient but no curvature. A uniform ridge lets it ask for an endless step, which then
    // shortens everybody's; a ridge in proportion to its own gradient bounds it alone and fades at the optimum.
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
      // The lowest point of the parabola through what is known, within bounds: bins need many halvings.
      const lowest = (-descent * length * length) / (2 * (reached - value - descent * length));
      length = Math.min(length / 2, Math.max(length / 4, lowest));
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
    // Value left over is second order in the gradient left over, so it settles first; one short step may be bad luck.
    stalled = before - value < problem.tolerance * SETTLED * value ? stalled + 1 : 0;
    if (stalled === 2) break;
  }
  return value;
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

function valueAt(space: DualSpace, problem: DualProblem, layout: Layout, u: Float64Array): number {
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

/** What the `count` edges that earn least earn together, at the prices last evaluated. */
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

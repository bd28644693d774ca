import type { Curve } from './curve.ts';
import type { SolutionMemo } from './solution-memo.ts';

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
  /**
   * A value below this is of no use to the caller. Every iterate bounds the optimum from above, so the solve ends, with
   * that value and without flows, as soon as one falls below.
   */
  readonly least?: number;
  /** Most edges the caller can use in the end: the bound that is held against `least` then counts only so many. */
  readonly mostEdges?: number;
  /** The known solutions of problems that differ from this one in their edges only; new ones are added. */
  readonly memo?: SolutionMemo;
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

import { describe, expect, it } from 'vitest';
import type { DualProblem, DualSolution } from '../src/dual-problem.ts';
import type { Market } from '../src/market.ts';
import { createDualSolver } from '../src/newton.ts';
import { recall, remember, type SolutionMemo } from '../src/solution-memo.ts';
import { buildMarket, innerOrder } from './build-market.ts';

function problemOf(market: Market, tokens: readonly [string, string], amountIn: string): DualProblem {
  const { tokenIn, tokenOut, amount } = innerOrder(market, {
    tokenIn: tokens[0],
    tokenOut: tokens[1],
    amountIn,
  });
  return {
    edges: Array.from(market.from, (_, edge) => edge),
    from: market.from,
    to: market.to,
    curves: market.smooth,
    tokenIn,
    tokenOut,
    amount,
    start: new Float64Array(market.tokenIds.length),
    tolerance: 1e-8,
  };
}

describe('the dual solver', () => {
  it('finds prices at which what reaches a token leaves it, however many bins and ticks lie on the way', () => {
    const { market, snapshot } = buildMarket({ seed: 5, pools: 120, orders: 30 });
    const solver = createDualSolver();
    for (const { tokenIn, tokenOut, amountIn } of snapshot.orders) {
      const problem = problemOf(market, [tokenIn, tokenOut], amountIn);
      const { flows, tokens, prices, value } = solver.solve(problem);
      expect(flows.length).toBeGreaterThan(0);
      const priceOf = new Map(tokens.map((token, index) => [token, prices[index] ?? 0]));
      const balance = new Map<number, number>([[problem.tokenIn, problem.amount]]);
      for (const { edge, amountIn: sent, worth } of flows) {
        const from = market.from[edge] ?? 0;
        const to = market.to[edge] ?? 0;
        balance.set(from, (balance.get(from) ?? 0) - sent);
        balance.set(to, (balance.get(to) ?? 0) + worth / (priceOf.get(to) ?? 0));
      }
      for (const [token, left] of balance) {
        if (token === problem.tokenOut) expect(left / value).toBeCloseTo(1, 4);
        else expect((Math.abs(left) * (priceOf.get(token) ?? 0)) / value).toBeLessThan(1e-4);
      }
    }
  });

  it('ends the same wherever it starts', () => {
    const { market, snapshot } = buildMarket({ seed: 8, pools: 100, orders: 20 });
    const solver = createDualSolver();
    for (const { tokenIn, tokenOut, amountIn } of snapshot.orders) {
      const problem = problemOf(market, [tokenIn, tokenOut], amountIn);
      const { value, tokens, prices } = solver.solve(problem);
      const far = new Float64Array(problem.start.length);
      tokens.forEach((token, index) => {
        far[token] = (prices[index] ?? 0) * (index % 2 === 0 ? 0.2 : 4);
      });
      expect(solver.solve({ ...problem, start: far }).value / value).toBeCloseTo(1, 7);
    }
  });
});

describe('what is known of sets of edges', () => {
  const solution = (value: number, isGivenUp = false): DualSolution => ({
    value,
    flows: isGivenUp ? [] : [{ edge: 7, amountIn: 1, worth: 1, surplus: 0 }],
    tokens: [],
    prices: [],
  });
  const set = (...edges: number[]): Int32Array => Int32Array.from(edges);

  it('is found in any order, and not for a part or for others', () => {
    const memo: SolutionMemo = new Map();
    const known = remember(memo, set(3, 8, 1), 3, solution(10));
    expect(recall(memo, set(8, 1, 3), 3, 0)).toBe(known);
    expect(recall(memo, set(8, 1, 3), 2, 0)).toBeNull();
    expect(recall(memo, set(8, 1, 4), 3, 0)).toBeNull();
    // The work space behind the set is used again.
    expect(recall(memo, set(8, 1, 3, 99), 3, 0)).toBe(known);
  });

  it('is a bound only, where the solve was given up', () => {
    const memo: SolutionMemo = new Map();
    const givenUp = remember(memo, set(1, 2), 2, solution(10, true));
    expect(recall(memo, set(1, 2), 2, 10.5)).toBe(givenUp);
    expect(recall(memo, set(1, 2), 2, 10)).toBeNull();
    const solved = remember(memo, set(1, 2), 2, solution(9));
    expect(recall(memo, set(1, 2), 2, 0)).toBe(solved);
  });
});

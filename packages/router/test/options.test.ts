import { expect, it } from 'vitest';
import { createRouter, feeGains, type RoutablePool } from '../src/index.ts';

const POOL: RoutablePool = {
  id: 'p',
  tokens: ['A', 'B'],
  shape: { kind: 'constant-product', reserves: [1_000n, 1_000n] },
  gains: feeGains(0, 'input'),
  quote: (_, amountIn) => amountIn,
};

it.each([
  [{ shape: { kind: 'curve' } }, 'pool p: expected a shape of kind constant-product, launch-curve,'],
  [{ tokens: ['A'] }, 'pool p: expected tokens: [A, B]'],
  [{ tokens: ['A', 'A'] }, 'pool p: trades a token against itself'],
  [{ gains: [{ in: 2, out: 1 }] }, 'pool p: expected gains'],
  [{ quote: 7 }, 'pool p: expected a function quote(tokenIn, amountIn)'],
  [{ id: 7 }, 'pool 7: expected an id that is a text'],
])('says what it expected of a pool with %j', (change, sentence) => {
  expect(() => createRouter([{ ...POOL, ...change } as never])).toThrow(sentence);
});

it.each([
  [{ amountIn: 5 }, 'amountIn must be a bigint, got 5'],
  [{ legCost: -1n }, 'legCost must be a bigint from 0, got -1'],
  [{ intermediateCost: 3 }, 'intermediateCost must be a bigint from 0, got 3'],
])('says what it expected of a request %#', (change, sentence) => {
  const request = { tokenIn: 'A', tokenOut: 'B', amountIn: 1n, maxPools: 1, maxHops: 1, ...change };
  expect(() => createRouter([POOL]).route(request as never)).toThrow(sentence);
});

import { describe, expect, it } from 'vitest';
import { hopBound } from '../bench/branch.ts';
import type { SnapshotPool } from '../bench/snapshot.ts';
import {
  buildMarket,
  buildPool,
  fromSnapshot,
  innerOrder,
  MAX_POOLS,
  orderOf,
  replay,
  requestOf,
} from './build-market.ts';

const DEEP = [10n ** 15n, 10n ** 15n] as const;
const FAIR = [10n ** 12n, 10n ** 12n] as const;
/** A fee that leaves a tenth. */
const POOR = 900_000;

/** Pools that the best route of a tenth of a fair pool uses, in a market where one such pool trades A for D. */
function poolsUsed(others: readonly SnapshotPool[], tokenIn = 'A', tokenOut = 'D'): readonly string[] {
  const pools = [buildPool('ad', ['A', 'D'], FAIR), ...others];
  const tokens = [...new Set(pools.flatMap((pool) => pool.tokens))].map((id) => ({ id }));
  const { router, snapshot } = fromSnapshot({ version: 1, tokens, pools, orders: [] });
  const order = { tokenIn, tokenOut, amountIn: (10n ** 11n).toString() };
  const route = router.route(requestOf(order));
  expect(route && replay(snapshot, order, route, MAX_POOLS)).toBe(route?.out);
  // A chain needs three hops, and the direct pool is the best single path.
  expect(router.route({ ...requestOf(order), maxHops: 2 })?.legs).toHaveLength(1);
  return (route?.legs ?? []).map(({ pool }) => pool).sort();
}

describe('the candidates of the router', () => {
  const chain = [
    buildPool('ab', ['A', 'B'], DEEP, 100),
    buildPool('bc', ['B', 'C'], DEEP, 100),
    buildPool('cd', ['C', 'D'], FAIR),
  ];

  it('include a chain of two tokens neither of which touches both ends', () => {
    expect(poolsUsed(chain)).toEqual(['ab', 'ad', 'bc', 'cd']);
  });

  it('include a chain of two tokens that touch both ends and are no use as an intermediate', () => {
    const poor = [buildPool('bd', ['B', 'D'], FAIR, POOR), buildPool('ac', ['A', 'C'], FAIR, POOR)];
    expect(poolsUsed([...chain, ...poor])).toEqual(['ab', 'ad', 'bc', 'cd']);
  });

  it.each([
    ['few tokens touch the output', [] as readonly string[]],
    ['many tokens touch both ends', ['E', 'F', 'G']],
  ])('include a chain through a hub in either direction where %s', (_, intermediates) => {
    const around = Array.from({ length: 20 }, (_, n) => buildPool(`bt${n}`, ['B', `T${n}`], FAIR));
    const poor = intermediates.flatMap((token) => [
      buildPool(`a${token}`, ['A', token], FAIR, POOR),
      buildPool(`${token}d`, ['D', token], FAIR, POOR),
    ]);
    const market = [...chain, ...around, ...poor];
    expect(poolsUsed(market)).toEqual(['ab', 'ad', 'bc', 'cd']);
    expect(poolsUsed(market, 'D', 'A')).toEqual(['ab', 'ad', 'bc', 'cd']);
  });
});

describe('a hop that comes too late', () => {
  // From X the cheap way to C leads over Y, but A, X, Y, C, D is a pool too long: the dear pool from X to C must be found beside it.
  const market = [
    buildPool('ax', ['A', 'X'], DEEP, 100),
    buildPool('xy', ['X', 'Y'], DEEP, 100),
    buildPool('yc', ['Y', 'C'], DEEP, 100),
    buildPool('xc', ['X', 'C'], DEEP, 2_500),
    buildPool('yd', ['Y', 'D'], FAIR),
    buildPool('cd', ['C', 'D'], FAIR),
  ];
  const used = (pools: readonly SnapshotPool[]): readonly string[] => {
    const tokens = ['A', 'X', 'Y', 'C', 'D'].map((id) => ({ id }));
    const { router, snapshot } = fromSnapshot({ version: 1, tokens, pools: [...pools], orders: [] });
    const order = { tokenIn: 'A', tokenOut: 'D', amountIn: (2n * 10n ** 11n).toString() };
    const route = router.route(requestOf(order));
    expect(route && replay(snapshot, order, route, MAX_POOLS)).toBe(route?.out);
    return (route?.legs ?? []).map(({ pool }) => pool).sort();
  };

  it('does not hide the dearer pool that comes in time', () => {
    expect(used(market)).toEqual(['ax', 'cd', 'xc', 'xy', 'yd']);
  });

  it('does not hide it either where a poor pool leads to the later token at once', () => {
    expect(used([...market, buildPool('ay', ['A', 'Y'], FAIR, POOR)])).toEqual([
      'ax',
      'cd',
      'xc',
      'xy',
      'yd',
    ]);
  });

  it('does not hide it in a generated market: the route is within a basis point of what branch and bound proves', () => {
    const { snapshot, market, router } = buildMarket({ seed: 121, pools: 150, orders: 60 });
    const order = orderOf(snapshot, 'O13');
    const out = Number(router.route(requestOf(order))?.out ?? 0n);
    expect(out / (hopBound(market, innerOrder(market, order), out) ?? 0)).toBeGreaterThan(0.9999);
  });
});

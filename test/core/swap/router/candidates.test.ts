import { describe, expect, it } from 'vitest';
import type { SnapshotPool } from '../../../../bench/router/snapshot.ts';
import { buildPool, fromSnapshot, MAX_POOLS, replay, requestOf } from './build-market.ts';

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

  it('include a chain of two tokens that touch both ends and are no use as a middle', () => {
    const poor = [buildPool('bd', ['B', 'D'], FAIR, POOR), buildPool('ac', ['A', 'C'], FAIR, POOR)];
    expect(poolsUsed([...chain, ...poor])).toEqual(['ab', 'ad', 'bc', 'cd']);
  });

  it.each([
    ['few tokens touch the output', [] as readonly string[]],
    ['many tokens touch both ends', ['E', 'F', 'G']],
  ])('include a chain through a hub in either direction where %s', (_, middles) => {
    const around = Array.from({ length: 20 }, (_, n) => buildPool(`bt${n}`, ['B', `T${n}`], FAIR));
    const poor = middles.flatMap((token) => [
      buildPool(`a${token}`, ['A', token], FAIR, POOR),
      buildPool(`${token}d`, ['D', token], FAIR, POOR),
    ]);
    const market = [...chain, ...around, ...poor];
    expect(poolsUsed(market)).toEqual(['ab', 'ad', 'bc', 'cd']);
    expect(poolsUsed(market, 'D', 'A')).toEqual(['ab', 'ad', 'bc', 'cd']);
  });
});

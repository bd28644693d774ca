import { describe, expect, it } from 'vitest';
import { createBounder } from '../bench/bound.ts';
import { BY_PRICES, hopBound, THOROUGH } from '../bench/branch.ts';
import { createRandom } from '../bench/generate.ts';
import { createSimulator } from '../bench/simulators.ts';
import { buildMarket, buildPool, fromSnapshot, innerOrder, orderOf, requestOf } from './build-market.ts';

describe('the certified bounds', () => {
  it('hold for random routes too', () => {
    const { snapshot, market } = buildMarket({ seed: 6, pools: 100, orders: 25 });
    const random = createRandom(99);
    const bounds = createBounder(market);
    let checked = 0;
    for (const order of snapshot.orders) {
      const inner = innerOrder(market, order);
      const bound = Math.min(bounds(inner, 0)?.capped ?? 0, hopBound(market, inner, 0) ?? 0);
      for (let attempt = 0; attempt < 40; attempt++) {
        // A random split over random direct and two-hop ways, each pool once.
        const used = new Set<string>();
        let left = BigInt(order.amountIn);
        let out = 0n;
        for (let leg = 0; leg < 2; leg++) {
          const amount = leg === 1 ? left : (left * BigInt(Math.floor(random() * 1000))) / 1000n;
          let token: string = order.tokenIn;
          let held = amount;
          const pools: string[] = [];
          for (let hop = 0; hop < 2 && token !== order.tokenOut; hop++) {
            const choices = snapshot.pools.filter(
              ({ id, tokens }) =>
                tokens.includes(token) && !used.has(id) && (hop === 0 || tokens.includes(order.tokenOut)),
            );
            const pool = choices[Math.floor(random() * choices.length)];
            if (pool === undefined) break;
            const direction = pool.tokens[0] === token ? 0 : 1;
            held = createSimulator(pool)(direction, held);
            token = pool.tokens[1 - direction] ?? '';
            pools.push(pool.id);
          }
          if (token !== order.tokenOut) continue;
          for (const id of pools) used.add(id);
          left -= amount;
          out += held;
        }
        if (out > 0n) checked++;
        expect(Number(out)).toBeLessThanOrEqual(bound);
      }
    }
    expect(checked).toBeGreaterThan(100);
  });

  it('come down to the best route once pools are in or out for good', () => {
    const { snapshot, market, router } = buildMarket({ seed: 28, pools: 60, orders: 40 });
    const order = orderOf(snapshot, 'O6');
    const out = Number(router.route(requestOf(order))?.out ?? 0n);
    const inner = innerOrder(market, order);
    const byPrices = hopBound(market, inner, out, BY_PRICES) ?? 0;
    const proven = hopBound(market, inner, out) ?? 0;
    expect(byPrices / out).toBeGreaterThan(1.01);
    expect(proven / out).toBeLessThan(1.000_03);
    expect(proven).toBeGreaterThanOrEqual(out);
  });

  it('hold in every branch, also for one who knows of a worse route only', () => {
    const { snapshot, market, router } = buildMarket({ seed: 24, pools: 60, orders: 12 });
    for (const order of snapshot.orders) {
      const out = Number(router.route(requestOf(order))?.out ?? 0n);
      const inner = innerOrder(market, order);
      const bound = hopBound(market, inner, out * 0.995, { ...THOROUGH, branches: 25 }) ?? 0;
      expect(bound).toBeGreaterThanOrEqual(out);
      expect(bound).toBeLessThanOrEqual(hopBound(market, inner, out, BY_PRICES) ?? 0);
    }
  });

  it('know how many hops an order may take', () => {
    const deep = (id: string, tokens: readonly [string, string]) =>
      buildPool(id, tokens, [10n ** 15n, 10n ** 15n]);
    const { market } = fromSnapshot({
      version: 1,
      tokens: ['A', 'B', 'C', 'D', 'E'].map((id) => ({ id })),
      pools: [
        deep('ab', ['A', 'B']),
        deep('bc', ['B', 'C']),
        deep('cd', ['C', 'D']),
        deep('de', ['D', 'E']),
        buildPool('ae', ['A', 'E'], [10n ** 12n, 10n ** 12n / 2n]),
      ],
      orders: [],
    });
    const order = innerOrder(market, { tokenIn: 'A', tokenOut: 'E', amountIn: '1000000000' });
    const direct = hopBound(market, { ...order, maxHops: 3 }, 0) ?? 0;
    expect(direct / 499_000_000).toBeCloseTo(1, 2);
    // Nearly all of it goes along the chain, which a fourth hop opens.
    expect((hopBound(market, { ...order, maxHops: 4 }, 0) ?? 0) / 990_000_000).toBeCloseTo(1, 1);
    expect(hopBound(market, { ...order, maxHops: 1 }, 0)).toBe(direct);
  });
});

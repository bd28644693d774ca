import { describe, expect, it } from 'vitest';
import { routablePool } from '../bench/snapshot-pool.ts';
import { LIVE_LIMITS, type Limits } from '../src/limits.ts';
import { createRouter } from '../src/router.ts';
import { buildMarket, MAX_POOLS, orderOf, replay, requestOf } from './build-market.ts';

describe('a plan that no exchange of one pool improves', () => {
  /** How far a router without one step stays below the whole, in parts of the whole's output. */
  const lossWithout = (step: Partial<Limits>, seed: number, id: string): number => {
    const { snapshot, router } = buildMarket({ seed, pools: 100, orders: 40 });
    const without = createRouter(snapshot.pools.map(routablePool), [], { ...LIVE_LIMITS, ...step });
    const request = requestOf(orderOf(snapshot, id));
    const whole = router.route(request);
    if (whole === null) throw new Error(`no route for ${id}`);
    expect(replay(snapshot, orderOf(snapshot, id), whole, MAX_POOLS)).toBe(whole.out);
    return 1 - Number(without.route(request)?.out ?? 0n) / Number(whole.out);
  };

  it('is improved around one of its tokens: two pools in a row hold a place that one pool could free', () => {
    expect(lossWithout({ detours: 0 }, 58, 'O17')).toBeGreaterThan(0.01);
    expect(lossWithout({ detours: 0 }, 76, 'O7')).toBeGreaterThan(0.005);
  });

  it('is improved by pools that are idle in the unlimited optimum', () => {
    expect(lossWithout({ marketLooks: 0 }, 57, 'O2')).toBeGreaterThan(0.000_2);
    expect(lossWithout({ marketLooks: 0 }, 271, 'O30')).toBeGreaterThan(0.000_2);
  });
});

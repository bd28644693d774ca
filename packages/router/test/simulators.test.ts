import { describe, expect, it } from 'vitest';
import { toQ64 } from '../bench/fixed-point.ts';
import { generateMarket } from '../bench/generate.ts';
import { createSimulator } from '../bench/simulators.ts';
import { parseSnapshot, type SnapshotPool } from '../bench/snapshot.ts';
import { routablePool } from '../bench/snapshot-pool.ts';
import { capacityIn, outputFor } from '../src/curve.ts';
import { buildCurve } from '../src/segments.ts';

describe('the exact simulators', () => {
  it('agree with the curves, for every kind of pool, in both directions', () => {
    const { pools } = generateMarket({ seed: 8, pools: 400, orders: 1 });
    const kinds = new Map<string, number>();
    for (const pool of pools) {
      const routable = routablePool(pool);
      const simulate = createSimulator(pool);
      for (const direction of [0, 1] as const) {
        const curve = buildCurve(routable.shape, direction, routable.gains[direction], 0);
        if (curve.spot === 0) continue;
        const capacity = capacityIn(curve);
        const whole = Number.isFinite(capacity) ? capacity : 1e12 / Math.sqrt(curve.spot);
        for (const share of [0.001, 0.1, 0.6]) {
          const amount = Math.floor(whole * share);
          const exact = Number(simulate(direction, BigInt(amount)));
          const claimed = outputFor(curve, amount);
          // Crossing a bin or tick rounds by a unit, in or out; there are at most 130 of them.
          const slack = 1e-8 * claimed + 130 * (1 + curve.spot);
          expect(
            Math.abs(exact - claimed),
            `${pool.type} ${pool.id} ${direction} ${share}`,
          ).toBeLessThanOrEqual(slack);
          kinds.set(pool.type, (kinds.get(pool.type) ?? 0) + 1);
        }
      }
    }
    for (const type of ['cp', 'pump', 'clmm', 'dlmm']) expect(kinds.get(type)).toBeGreaterThan(50);
  });

  it('compute the published examples by hand', () => {
    const cp: SnapshotPool = {
      id: 'a',
      type: 'cp',
      tokens: ['A', 'B'],
      feePpm: 3000,
      reserves: ['1000000', '2000000'],
    };
    // fee ceil(30) = 30, net 9970: floor(9970 · 2000000 / 1009970) = 19743.
    expect(createSimulator(cp)(0, 10_000n)).toBe(19_743n);
    const pump: SnapshotPool = {
      id: 'b',
      type: 'pump',
      tokens: ['A', 'B'],
      feePpm: 10_000,
      feeSide: 'quote',
      virtualReserves: ['1000000', '1000000'],
      realReserves: ['900000', '5000'],
    };
    // Capped at the real 5000 before the fee of ceil(50).
    expect(createSimulator(pump)(0, 500_000n)).toBe(4_950n);
    // B→A pays on the input: net 9900 of 10000; floor(9900 · 1000000 / 1009900) = 9802.
    expect(createSimulator(pump)(1, 10_000n)).toBe(9_802n);
  });

  it('keep every bit of a double in Q64.64', () => {
    expect(toQ64(1)).toBe(1n << 64n);
    expect(toQ64(1.5)).toBe(3n << 63n);
    expect(toQ64(2 ** -64)).toBe(1n);
    expect(toQ64(2 ** -65)).toBe(0n);
    expect(toQ64(2 ** 80)).toBe(1n << 144n);
  });
});

describe('a snapshot', () => {
  const valid = { version: 1, tokens: [{ id: 'A' }, { id: 'B' }], pools: [], orders: [], seed: 3 };

  it('is read with unknown fields ignored', () => {
    expect(parseSnapshot(valid).tokens).toEqual([{ id: 'A' }, { id: 'B' }]);
  });

  it('is refused with the place of the problem', () => {
    const pool = { id: 'p', type: 'cp', tokens: ['A', 'B'], feePpm: 3000, reserves: ['1', 2] };
    expect(() => parseSnapshot({ ...valid, pools: [pool] })).toThrow('pools.0.reserves.1');
    expect(() => parseSnapshot({ ...valid, version: 2 })).toThrow('version');
    const good = { ...pool, reserves: ['1', '2'] };
    expect(() => parseSnapshot({ ...valid, pools: [good, good] })).toThrow('two entries for pool p');
    expect(() => parseSnapshot({ ...valid, pools: [{ ...good, tokens: ['A', 'Z'] }] })).toThrow(
      'unknown token Z',
    );
    const order = { id: 'o', tokenIn: 'A', tokenOut: 'B', amountIn: '0' };
    expect(() => parseSnapshot({ ...valid, orders: [order] })).toThrow('above 0');
  });
});

import { describe, expect, it } from 'vitest';
import { poolDepth } from '../src/pool-depth.ts';

const MAX_U64 = 18_446_744_073_709_551_615n;

describe('the depth of a pool', () => {
  it('is the reserves of a constant product, and what can really leave a launch curve', () => {
    expect(poolDepth({ kind: 'constant-product', reserves: [5n, MAX_U64 + 9n] })).toEqual([5n, MAX_U64]);
    expect(
      poolDepth({ kind: 'launch-curve', virtualReserves: [900n, 900n], realReserves: [7n, -1n] }),
    ).toEqual([7n, 0n]);
  });

  it('is the sum of all bins', () => {
    const bins = [
      { price: 1, reserves: [0n, 40n] },
      { price: 2, reserves: [3n, 2n] },
      { price: 3, reserves: [9n, 0n] },
    ] as const;
    expect(poolDepth({ kind: 'bins', bins, activeBin: 1, activeIsExact: true })).toEqual([12n, 42n]);
  });

  it('is what the ticks that were read hold, each range at its own liquidity', () => {
    // Price 4 (square root 2). Above: 1000 up to 4, then 600 up to 5. Below: 1000 down to 1.
    const ticks = [
      { sqrtPrice: 1, liquidityNet: 1_000n },
      { sqrtPrice: 4, liquidityNet: -400n },
      { sqrtPrice: 5, liquidityNet: -600n },
    ];
    const [a, b] = poolDepth({ kind: 'concentrated', sqrtPrice: 2, liquidity: 1_000n, ticks });
    // 1000 (1/2 − 1/4) + 600 (1/4 − 1/5) = 250 + 30, and 1000 (2 − 1).
    expect(Math.abs(Number(a) - 280)).toBeLessThanOrEqual(1);
    expect(b).toBe(1_000n);
  });

  it('is nothing for a shape of nonsense', () => {
    const ticks = [{ sqrtPrice: 2, liquidityNet: -5n }];
    expect(poolDepth({ kind: 'concentrated', sqrtPrice: 0, liquidity: 5n, ticks })).toEqual([0n, 0n]);
    expect(poolDepth({ kind: 'concentrated', sqrtPrice: Number.NaN, liquidity: 5n, ticks })).toEqual([
      0n,
      0n,
    ]);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareRates, type Rate } from '../../../src/core/orders/rate.ts';
import { createHeldLow, createTrail } from '../../../src/core/orders/trail.ts';

const rateOf = (price: bigint): Rate => ({ got: price, given: 1_000n });
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('price' as const), price: fc.bigInt(1n, 1_000n) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        bps: fc.integer({ min: 100, max: 9_000 }),
        high: fc.option(fc.bigInt(1n, 1_000n)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), index: fc.nat(20) }) },
  ),
  { maxLength: 120 },
);

it('agrees with a list of prices per order, over random paths', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 2, 6), (path, n) => {
      const low = createHeldLow(n);
      const trail = createTrail();
      const prices: bigint[] = [];
      const model = new Map<string, { bps: number; high: bigint | null }>();
      let added = 0;
      for (const step of path) {
        if (step.kind === 'add') {
          const id = `o${added++}`;
          model.set(id, { bps: step.bps, high: step.high });
          trail.add(id, step.bps, step.high === null ? null : rateOf(step.high));
        } else if (step.kind === 'remove') {
          model.delete(`o${step.index}`);
          trail.remove(`o${step.index}`);
        } else {
          prices.push(step.price);
          const last = prices.slice(-n);
          const least = last.length < n ? null : last.reduce((a, b) => (a < b ? a : b));
          low.push(() => rateOf(step.price));
          const held = low.low();
          expect(held === null ? null : held.got).toBe(least);
          if (held !== null) trail.raise(held);
          for (const order of model.values()) {
            if (least !== null && (order.high === null || least > order.high)) order.high = least;
          }
          const fallen = [...model].filter(
            ([, { bps, high }]) => high !== null && step.price * 10_000n <= high * BigInt(10_000 - bps),
          );
          expect([...trail.fallen(rateOf(step.price))].toSorted()).toEqual(
            fallen.map(([id]) => id).toSorted(),
          );
          for (const [id, { high }] of model) expect(trail.highOf(id)?.got ?? null).toBe(high);
        }
      }
    }),
    { numRuns: 500 },
  );
});

it('does not rise with a pump of fewer slots than it is held for', () => {
  for (let pump = 1; pump <= 6; pump += 1) {
    const low = createHeldLow(6);
    const trail = createTrail();
    trail.add('stop', 1_000);
    for (let slot = 1; slot <= 30; slot += 1) {
      low.push(() => rateOf(slot > 10 && slot <= 10 + pump ? 500n : 100n));
      const held = low.low();
      if (held !== null) trail.raise(held);
    }
    expect(compareRates(trail.highOf('stop') ?? rateOf(0n), rateOf(pump === 6 ? 500n : 100n))).toBe(0);
  }
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHeldLow } from '../../../src/modules/orders/rules/held-low.ts';
import type { Look } from '../../../src/modules/orders/rules/hold-window.ts';
import type { Rate } from '../../../src/modules/orders/rules/rate.ts';
import { createTrail } from '../../../src/modules/orders/rules/trail.ts';

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
      const low = createHeldLow(n === 1 ? 0 : n * 400);
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
          low.push(() => rateOf(step.price), {
            at: prices.length * 400,
            slot: BigInt(prices.length),
            how: 'followed',
          });
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

const slotAt = (at: number): bigint => BigInt(Math.floor(at / 400));

/** What the high is after a price of 100 that is 500 in the looks between `from` and `until`. */
function highAfterPump(
  looksAt: readonly number[],
  { from, until, how }: { readonly from: number; readonly until: number; readonly how: Look['how'] },
): bigint | undefined {
  const low = createHeldLow(2_400);
  const trail = createTrail();
  trail.add('stop', 1_000);
  for (const at of looksAt) {
    low.push(() => rateOf(at >= from && at <= until ? 500n : 100n), { at, slot: slotAt(at), how });
    const held = low.low();
    if (held !== null) trail.raise(held);
  }
  return trail.highOf('stop')?.got;
}

const every = (ms: number): readonly number[] => Array.from({ length: 60 }, (_, look) => look * ms);

it('does not rise with a pump of fewer slots than it is held for', () => {
  for (let pump = 1; pump <= 7; pump += 1) {
    const until = 4_000 + (pump - 1) * 400;
    const highOf = (how: Look['how']) => highAfterPump(every(400), { from: 4_000, until, how });
    expect(highOf('followed')).toBe(pump >= 6 ? 500n : 100n);
    // A sample says nothing of the slots around it: 2.4 s must lie between the first and the last.
    expect(highOf('polled')).toBe(pump >= 7 ? 500n : 100n);
  }
});

it('counts the time of a token that is polled, however few looks a slow node allows', () => {
  for (const ms of [700, 1_300, 2_400, 4_000]) {
    const held = { from: 12_000, until: 12_000 + 2_400 + 2 * ms, how: 'polled' } as const;
    expect(highAfterPump(every(ms), held)).toBe(500n);
    const short = { from: 12_000, until: 12_000 + 2_399, how: 'polled' } as const;
    expect(highAfterPump(every(ms), short)).toBe(100n);
  }
});

it('knows nothing before the time has passed once', () => {
  const low = createHeldLow(2_400);
  for (const at of [0, 1_000, 2_399]) {
    low.push(() => rateOf(1n), { at, slot: slotAt(at), how: 'polled' });
    expect(low.low()).toBeNull();
  }
  low.push(() => rateOf(2n), { at: 2_400, slot: 6n, how: 'polled' });
  expect(low.low()?.got).toBe(1n);
  low.clear();
  expect(low.low()).toBeNull();
});

it('does not count the time in which a chain makes hardly a slot', () => {
  const low = createHeldLow(2_400);
  for (const [slot, at] of [
    [10n, 0],
    [11n, 3_000],
    [13n, 6_000],
  ] as const) {
    low.push(() => rateOf(1n), { at, slot, how: 'polled' });
    expect(low.low()).toBeNull();
  }
  low.push(() => rateOf(1n), { at: 7_000, slot: 15n, how: 'polled' });
  expect(low.low()?.got).toBe(1n);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type HoldWindow,
  isHeld,
  type Look,
  observe,
} from '../../../src/modules/orders/rules/hold-window.ts';

const looks = fc
  .array(
    fc.record({
      slotStep: fc.constantFrom(1, 1, 1, 1, 2, 5),
      ms: fc.constantFrom(400, 400, 400, 3_000, 10_000, 10_001),
      isTrue: fc.constantFrom(true, true, true, true, false),
      how: fc.constantFrom('followed' as const, 'followed' as const, 'reread' as const),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    let [slot, at] = [1_000n, 1_000_000];
    return steps.map(({ slotStep, ms, isTrue, how }): Look => {
      slot += BigInt(slotStep);
      at += ms;
      return { slot, at, isTrue, how };
    });
  });

/** The last `n` looks are all true, and nothing is missing between them. */
function naive(seen: readonly Look[], n: number): boolean {
  const last = seen.slice(-n);
  if (last.length < n || last.some(({ isTrue }) => !isTrue)) return false;
  return last.slice(1).every((look, index) => {
    const before = last[index];
    if (before === undefined || look.at - before.at > 10_000) return false;
    return look.slot - before.slot === 1n || look.how === 'reread';
  });
}

it('is held exactly when the last N believed slots say so', () => {
  fc.assert(
    fc.property(looks, fc.constantFrom(1, 2, 6, 30), (all, n) => {
      let window: HoldWindow | null = null;
      for (const [index, look] of all.entries()) {
        window = observe(window, look);
        expect(isHeld(window, n, look.how)).toBe(naive(all.slice(0, index + 1), n));
      }
    }),
    { numRuns: 1_000 },
  );
});

it('is never held by a wick of fewer slots', () => {
  for (const n of [2, 6, 30]) {
    for (let wick = 1; wick <= n; wick += 1) {
      let window: HoldWindow | null = null;
      let held = false;
      for (let slot = 1; slot <= n * 3; slot += 1) {
        const isTrue = slot > n && slot <= n + wick;
        window = observe(window, { slot: BigInt(slot), at: slot * 400, isTrue, how: 'followed' });
        held ||= isHeld(window, n, 'followed');
      }
      expect(held).toBe(wick === n);
    }
  }
});

it('counts one slot once, forgets what is older, and closes on a second, contrary look', () => {
  const look = (slot: bigint, isTrue = true): Look => ({ slot, at: 1_000, isTrue, how: 'followed' });
  const first = observe(null, look(5n));
  expect(observe(first, look(5n))).toEqual(first);
  expect(observe(first, look(4n, false))).toEqual(first);
  expect(observe(first, look(5n, false))).toBeNull();
});

it('judges polled tokens by time between samples', () => {
  const sample = (slot: bigint, at: number, isTrue = true): Look => ({ slot, at, isTrue, how: 'polled' });
  const first = observe(null, sample(10n, 0));
  expect(isHeld(first, 1, 'polled')).toBe(true);
  expect(isHeld(first, 6, 'polled')).toBe(false);
  expect(isHeld(observe(first, sample(15n, 2_399)), 6, 'polled')).toBe(false);
  expect(isHeld(observe(first, sample(16n, 2_400)), 6, 'polled')).toBe(true);
  const contrary = observe(first, sample(13n, 1_200, false));
  expect(isHeld(observe(contrary, sample(16n, 2_400)), 6, 'polled')).toBe(false);
  expect(isHeld(observe(first, sample(40n, 10_001)), 6, 'polled')).toBe(false);
});

it('counts no time in which a polled node answers the same slot', () => {
  const sample = (slot: bigint, at: number): Look => ({ slot, at, isTrue: true, how: 'polled' });
  let window = observe(null, sample(10n, 0));
  for (let at = 400; at <= 9_600; at += 400) {
    window = observe(window, sample(10n, at));
    expect(isHeld(window, 6, 'polled')).toBe(false);
  }
  // The chain has made two slots meanwhile, which one leader can hold.
  window = observe(window, sample(12n, 9_900));
  expect(isHeld(window, 6, 'polled')).toBe(false);
  // Six slots, the first and the last counted.
  expect(isHeld(observe(window, sample(15n, 10_300)), 6, 'polled')).toBe(true);
  // What the node did not show for ten seconds nobody has seen.
  const late = observe(observe(null, sample(10n, 0)), sample(10n, 9_600));
  expect(isHeld(observe(late, sample(60n, 10_001)), 6, 'polled')).toBe(false);
});

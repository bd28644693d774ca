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

/**
 * Held without the book-keeping: the looks of the unbroken run that ends now, counted, and the time of those that followed the one before.
 * The last lasts as long as they do on average.
 */
function naive(seen: readonly Look[], holdMs: number): boolean {
  const run: Look[] = [];
  for (const look of seen) {
    const before = run.at(-1);
    const isBroken =
      before === undefined ||
      look.at - before.at > 10_000 ||
      (look.slot - before.slot !== 1n && look.how === 'followed');
    if (isBroken) run.length = 0;
    if (look.isTrue) run.push(look);
    else run.length = 0;
  }
  if (run.length === 0) return false;
  if (holdMs === 0) return true;
  const gaps = run.slice(1).flatMap((look, index) => {
    const before = run[index];
    return before !== undefined && look.slot - before.slot === 1n ? [look.at - before.at] : [];
  });
  const lasted = gaps.reduce((sum, ms) => sum + ms, 0);
  const least = holdMs < 2_000 ? 2 : 5;
  return run.length >= least && gaps.length > 0 && lasted * (gaps.length + 1) >= holdMs * gaps.length;
}

it('is held exactly when the looks of the unbroken run took so long', () => {
  fc.assert(
    fc.property(looks, fc.constantFrom(0, 800, 2_400, 12_000), (all, holdMs) => {
      let window: HoldWindow | null = null;
      for (const [index, look] of all.entries()) {
        window = observe(window, look);
        expect(isHeld(window, holdMs, look.how)).toBe(naive(all.slice(0, index + 1), holdMs));
      }
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  [200, 12],
  [214, 12],
  [300, 8],
  [400, 6],
  // One leader has four slots in a row.
  [800, 5],
])('of 2.4 s takes, in slots of %i ms, %i of them', (slotMs, slots) => {
  let window: HoldWindow | null = null;
  for (let slot = 1; slot <= slots; slot += 1) {
    expect(isHeld(window, 2_400, 'followed')).toBe(false);
    window = observe(window, { slot: BigInt(slot), at: slot * slotMs, isTrue: true, how: 'followed' });
  }
  expect(isHeld(window, 2_400, 'followed')).toBe(true);
});

it('does not count the time of a gap', () => {
  const look = (slot: bigint, at: number, how: Look['how'] = 'followed'): Look => ({
    slot,
    at,
    isTrue: true,
    how,
  });
  let window = [0, 1, 2, 3].reduce<HoldWindow | null>(
    (open, step) => observe(open, look(BigInt(step), step * 200)),
    null,
  );
  window = observe(window, look(30n, 6_600, 'reread'));
  for (const step of [1, 2, 3, 4, 5, 6]) {
    expect(isHeld(window, 2_400, 'followed')).toBe(false);
    window = observe(window, look(30n + BigInt(step), 6_600 + step * 200));
  }
  expect(isHeld(window, 2_400, 'followed')).toBe(false);
});

it('is never held by a wick of fewer slots', () => {
  for (const n of [2, 6, 30]) {
    for (let wick = 1; wick <= n; wick += 1) {
      let window: HoldWindow | null = null;
      let held = false;
      for (let slot = 1; slot <= n * 3; slot += 1) {
        const isTrue = slot > n && slot <= n + wick;
        window = observe(window, { slot: BigInt(slot), at: slot * 400, isTrue, how: 'followed' });
        held ||= isHeld(window, n * 400, 'followed');
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
  expect(isHeld(first, 0, 'polled')).toBe(true);
  expect(isHeld(first, 2_400, 'polled')).toBe(false);
  expect(isHeld(observe(first, sample(15n, 2_399)), 2_400, 'polled')).toBe(false);
  expect(isHeld(observe(first, sample(16n, 2_400)), 2_400, 'polled')).toBe(true);
  const contrary = observe(first, sample(13n, 1_200, false));
  expect(isHeld(observe(contrary, sample(16n, 2_400)), 2_400, 'polled')).toBe(false);
  expect(isHeld(observe(first, sample(40n, 10_001)), 2_400, 'polled')).toBe(false);
});

it('counts no time in which a polled node answers the same slot', () => {
  const sample = (slot: bigint, at: number): Look => ({ slot, at, isTrue: true, how: 'polled' });
  let window = observe(null, sample(10n, 0));
  for (let at = 400; at <= 9_600; at += 400) {
    window = observe(window, sample(10n, at));
    expect(isHeld(window, 2_400, 'polled')).toBe(false);
  }
  // The chain has made two slots meanwhile, which one leader can hold.
  window = observe(window, sample(12n, 9_900));
  expect(isHeld(window, 2_400, 'polled')).toBe(false);
  // Six slots, the first and the last counted.
  expect(isHeld(observe(window, sample(15n, 10_300)), 2_400, 'polled')).toBe(true);
  // Ten seconds without a look count as unseen.
  const late = observe(observe(null, sample(10n, 0)), sample(10n, 9_600));
  expect(isHeld(observe(late, sample(60n, 10_001)), 2_400, 'polled')).toBe(false);
});

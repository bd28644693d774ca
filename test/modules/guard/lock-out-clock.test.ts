import { describe, expect, it } from 'vitest';
import { isLockedOut, SKEW_MS } from '../../../src/core/time/span.ts';
import { emptyGuard, type Guard } from '../../../src/modules/guard/rules/guard.ts';
import { assertPinUsable, PIN_TRIES, takePinTry } from '../../../src/modules/guard/rules/pin.ts';

const NOW = Date.UTC(2026, 10, 26);
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A guard after so many lock-outs in a row, the last of which begins now. */
function lockedOut(times: number): Guard {
  let guard: Guard = { ...emptyGuard('u'), pinHash: 'x' };
  let now = NOW - 400 * 24 * HOUR;
  for (let lock = 1; lock <= times; lock += 1) {
    if (lock === times) now = NOW;
    for (let one = 0; one < PIN_TRIES; one += 1) guard = takePinTry(guard, now);
    now = guard.pinLockedUntil ?? now;
  }
  return guard;
}
const isUsable = (guard: Guard, now: number): boolean => {
  try {
    assertPinUsable(guard, now);
    return true;
  } catch {
    return false;
  }
};

describe('a lock-out of the PIN', () => {
  it.each([
    [1, 15 * MINUTE],
    [2, 30 * MINUTE],
    [3, HOUR],
    [9, 24 * HOUR],
    [20, 24 * HOUR],
  ])('after %d in a row lasts its time and not a moment longer', (times, lasts) => {
    const guard = lockedOut(times);
    expect(guard.pinLockedUntil).toBe(NOW + lasts);
    expect([NOW, NOW + lasts - 1, NOW + lasts].map((at) => isUsable(guard, at))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([HOUR, 5 * HOUR, 400 * 24 * HOUR])(
    'locks nobody out after the clock was set back by %d ms',
    (back) => {
      for (const times of [1, 2]) expect(isUsable(lockedOut(times), NOW - back)).toBe(true);
      expect(isUsable(lockedOut(20), NOW - 400 * 24 * HOUR)).toBe(true);
    },
  );

  it('is ended by no other process whose clock is a little behind', () => {
    for (const times of [1, 2, 9, 20]) {
      expect(isUsable(lockedOut(times), NOW - SKEW_MS)).toBe(false);
      expect(isUsable(lockedOut(times), NOW - SKEW_MS - 1)).toBe(true);
    }
  });

  it('gives five tries again after it, and locks anew for longer', () => {
    let guard = lockedOut(1);
    const back = NOW - 5 * HOUR;
    for (let one = 0; one < PIN_TRIES; one += 1) guard = takePinTry(guard, back);
    expect(guard.pinLockedUntil).toBe(back + 30 * MINUTE);
    expect(isUsable(guard, back)).toBe(false);
  });
});

it('whatever moment is stored, no lock-out lasts longer than it can', () => {
  for (const stored of [-400 * 24, -1, 0, 1, 400 * 24].map((hours) => NOW + hours * HOUR)) {
    const holds = isLockedOut(stored, NOW, 15 * MINUTE);
    expect(holds).toBe(stored > NOW && stored - NOW <= 16 * MINUTE);
    // Between it and its end there is no moment beyond which it goes on.
    for (let at = NOW; at < NOW + 17 * MINUTE; at += MINUTE)
      if (at >= NOW + 16 * MINUTE) expect(isLockedOut(NOW + 15 * MINUTE, at, 15 * MINUTE)).toBe(false);
  }
});

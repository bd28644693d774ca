import { describe, expect, it } from 'vitest';
import { isWithin, SKEW_MS } from '../../../src/core/time/span.ts';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import { assertPinUsable, PIN_TRIES, takePinTry } from '../../../src/modules/guard/rules/pin.ts';
import {
  ENROLMENT_MS,
  openEnrolment,
  withEnrolment,
  withOpenedLink,
} from '../../../src/modules/guard/rules/second-factor.ts';
import { isUnlocked, UNLOCK_MS, unlocked } from '../../../src/modules/guard/rules/unlock.ts';

const NOW = 1_800_000_000_000;
const YEAR = 365 * 86_400_000;

describe('a clock that jumps', () => {
  it.each([
    ['before it was given', -YEAR, false],
    ['just farther back than clocks lie apart', -SKEW_MS - 1, false],
    ['as far back as clocks may lie apart', -SKEW_MS, true],
    ['at the moment it was given', 0, true],
    ['one before its end', 999_999, true],
    ['at its end', 1_000_000, false],
    ['long after', YEAR, false],
  ])('what is allowed for a span, asked %s', (_, offset, allowed) => {
    expect(isWithin({ from: NOW, until: NOW + 1_000_000 }, NOW + offset)).toBe(allowed);
  });

  it('never lets trades through for longer than twelve hours from what the clock shows', () => {
    const guard = unlocked(emptyGuard('ann'), NOW);
    expect(isUnlocked(guard, NOW)).toBe(true);
    expect(isUnlocked(guard, NOW + UNLOCK_MS - 1)).toBe(true);
    expect(isUnlocked(guard, NOW + UNLOCK_MS)).toBe(false);
    expect(isUnlocked(guard, NOW - SKEW_MS)).toBe(true);
    expect(isUnlocked(guard, NOW - SKEW_MS - 1)).toBe(false);
    expect(isUnlocked(guard, NOW - YEAR)).toBe(false);
  });

  it('does not keep the link to a new secret open when it is set back', () => {
    const box = 'sealed';
    const waiting = withOpenedLink(withEnrolment(emptyGuard('ann'), { box, link: 'digest' }, NOW), ['code']);
    expect(openEnrolment(waiting, NOW)).toBe(box);
    expect(openEnrolment(waiting, NOW + ENROLMENT_MS)).toBeNull();
    expect(openEnrolment(waiting, NOW - SKEW_MS - 1)).toBeNull();
  });

  it('set back by more than a lock of a PIN lasts locks nobody out, and by less lifts none', () => {
    let guard = { ...emptyGuard('ann'), pinHash: 'hash' };
    for (let n = 0; n < PIN_TRIES; n += 1) guard = { ...takePinTry(guard, NOW), pinHash: 'hash' };
    for (const now of [NOW, NOW - 1, NOW - SKEW_MS])
      expect(() => assertPinUsable(guard, now)).toThrow('PIN_LOCKED');
    for (const now of [NOW - SKEW_MS - 1, NOW - YEAR, NOW + 15 * 60_000])
      expect(() => assertPinUsable(guard, now)).not.toThrow();
  });
});

import { describe, expect, it } from 'vitest';
import { emptyGuard, type Guard } from '../../../../src/modules/guard/rules/guard.ts';
import {
  ENROLMENT_MS,
  isUnused,
  openEnrolment,
  readFactors,
  rightFactors,
  secondFactor,
  withEnrolment,
  withOpenedLink,
  withoutSecondFactor,
  withSecondFactor,
} from '../../../../src/modules/guard/rules/second-factor.ts';

const NOW = 1_800_000_000_000;
const PIN = '409271';
const PLAIN: Guard = { ...emptyGuard('u'), pinHash: 'x' };
const BOTH: Guard = { ...PLAIN, totpBox: 'box', totpStep: 10, recoveryCodes: ['one', 'two'] };
/** Tries, an unlocking and a lock-out that a right proof ends. */
const TRIED = { pinFailures: 3, pinLocks: 2, pinLockedUntil: NOW + 1, pinTrying: 'digest' };
const FORGOTTEN = { pinFailures: 0, pinLocks: 0, pinLockedUntil: null, pinTrying: null };

describe('the codes of an authenticator', () => {
  it('are asked for until the end that an operator set, to the millisecond', () => {
    expect(secondFactor(PLAIN, NOW)).toBeNull();
    expect(secondFactor(BOTH, NOW)).toBe('box');
    const ends = { ...BOTH, totpEndsAt: NOW };
    expect(secondFactor(ends, NOW - 1)).toBe('box');
    expect(secondFactor(ends, NOW)).toBeNull();
  });

  it('are typed behind the PIN, with or without something between', () => {
    for (const between of ['', ' ', ', ', '/', '+', '-', '.', ' - '])
      expect(readFactors(BOTH, `${PIN}${between}123456`, NOW)).toEqual({
        pin: PIN,
        code: { kind: 'totp', text: '123456' },
      });
  });

  it('may be a recovery code, in small letters and in groups', () => {
    for (const typed of ['abcdefgh234567ij', 'ABCD-EFGH-2345-67IJ', 'abcd efgh 2345 67ij'])
      expect(readFactors(BOTH, `${PIN} ${typed}`, NOW)).toEqual({
        pin: PIN,
        code: { kind: 'recovery', text: 'ABCDEFGH234567IJ' },
      });
  });

  it.each([
    ['the PIN alone', PIN],
    ['a code of five digits', `${PIN} 12345`],
    ['a code of seven digits', `${PIN} 1234567`],
    ['four signs between', `${PIN}    .123456`],
    ['a PIN of five digits', `40927 123456`],
    ['a recovery code that is too short', `${PIN} ABCDEFGH234567I`],
    ['a recovery code that is too long', `${PIN} ABCDEFGH234567IJK`],
    ['a recovery code with a digit that none has', `${PIN} ABCDEFGH234567I1`],
    ['text in front', `x${PIN} 123456`],
    ['letters in front of the code', `${PIN} x123456`],
    ['nothing', ''],
  ])('are refused without a try: %s', (_, text) => {
    expect(() => readFactors(BOTH, text, NOW)).toThrow(
      expect.objectContaining({ code: 'PIN_UNSUITABLE', details: { reason: 'code' } }),
    );
  });

  it('are not looked for where there is no authenticator: all that was typed is the PIN', () => {
    expect(readFactors(PLAIN, `${PIN} 123456`, NOW)).toEqual({ pin: `${PIN} 123456`, code: null });
  });

  it('count once: neither a step again, nor an older one, nor a recovery code that is gone', () => {
    expect([9, 10, 11].map((step) => isUnused(BOTH, { step }))).toEqual([false, false, true]);
    expect(isUnused({ ...BOTH, totpStep: null }, { step: 0 })).toBe(true);
    expect(isUnused(BOTH, { recovery: 'two' })).toBe(true);
    expect(isUnused(BOTH, { recovery: 'three' })).toBe(false);
    const used = rightFactors(BOTH, { recovery: 'one' }, NOW);
    expect(used.recoveryCodes).toEqual(['two']);
    expect(isUnused(used, { recovery: 'one' })).toBe(false);
    expect(isUnused(rightFactors(BOTH, { step: 11 }, NOW), { step: 11 })).toBe(false);
  });
});

describe('a right proof', () => {
  const before = { ...BOTH, ...TRIED, totpEndsAt: NOW + 5 };

  it('forgets the wrong tries and notes when it was right', () => {
    for (const code of [null, { step: 11 }, { recovery: 'one' }])
      expect(rightFactors(before, code, NOW)).toMatchObject({ ...FORGOTTEN, pinRightAt: NOW });
  });

  it('calls the end of the authenticator off where it held a code, and leaves it where it held none', () => {
    expect(rightFactors(before, { step: 11 }, NOW)).toMatchObject({ totpStep: 11, totpEndsAt: null });
    expect(rightFactors(before, { recovery: 'one' }, NOW)).toMatchObject({ totpStep: 10, totpEndsAt: null });
    expect(rightFactors(before, null, NOW)).toMatchObject({ totpStep: 10, totpEndsAt: NOW + 5 });
  });
});

describe('a new authenticator', () => {
  const asked = withEnrolment(BOTH, { box: 'new', link: 'digest' }, NOW);
  const opened = withOpenedLink(asked, ['a', 'b']);

  it('waits for its link to be opened, with codes, and for ten minutes', () => {
    expect(asked).toMatchObject({
      nextTotpBox: 'new',
      nextTotpLink: 'digest',
      nextTotpUntil: NOW + ENROLMENT_MS,
      nextRecoveryCodes: [],
    });
    expect(openEnrolment(asked, NOW)).toBeNull();
    expect(openEnrolment(PLAIN, NOW)).toBeNull();
    expect(openEnrolment(withOpenedLink(asked, []), NOW)).toBeNull();
    // Codes that were shown before a new link was asked for are not those of the new one.
    expect(openEnrolment({ ...asked, nextRecoveryCodes: ['a'] }, NOW)).toBeNull();
    expect(openEnrolment(opened, NOW + 10 * 60_000 - 1)).toBe('new');
    expect(openEnrolment(opened, NOW + 10 * 60_000)).toBeNull();
    expect(withEnrolment(opened, { box: 'newer', link: 'other' }, NOW).nextRecoveryCodes).toEqual([]);
  });

  it('is not needed for new recovery codes: the one in force confirms them', () => {
    const codes = withOpenedLink(withEnrolment(BOTH, { box: null, link: 'digest' }, NOW), ['a']);
    expect(openEnrolment(codes, NOW)).toBe('box');
    expect(openEnrolment({ ...codes, totpEndsAt: NOW }, NOW)).toBeNull();
  });

  it('replaces the former one with its codes, locks trades and leaves nothing to be confirmed', () => {
    const done = withSecondFactor(
      { ...opened, ...TRIED, unlockedUntil: NOW + 9, totpEndsAt: NOW + 9 },
      'new',
      42,
    );
    expect(done).toMatchObject({
      totpBox: 'new',
      totpStep: 42,
      totpEndsAt: null,
      recoveryCodes: ['a', 'b'],
      nextTotpBox: null,
      nextTotpLink: null,
      nextTotpUntil: null,
      nextRecoveryCodes: [],
      unlockedUntil: null,
      lockEpoch: BOTH.lockEpoch + 1,
      ...FORGOTTEN,
    });
  });

  it('once it is off leaves no secret, no step and no code, and locks trades', () => {
    const off = withoutSecondFactor({ ...opened, unlockedUntil: NOW + 9, totpEndsAt: NOW });
    expect(off).toEqual({ ...PLAIN, lockEpoch: PLAIN.lockEpoch + 1 });
  });
});

import { describe, expect, it } from 'vitest';
import { usableAt } from '../../../../src/modules/guard/rules/address-book.ts';
import {
  capAct,
  capNow,
  nextCap,
  withCap,
  withoutRaises,
  withRaisesPutOff,
} from '../../../../src/modules/guard/rules/cap.ts';
import {
  assertNotFrozen,
  endOfFreeze,
  freeze,
  hadRipePin,
  isFrozen,
  thawWaitMs,
  unfreeze,
} from '../../../../src/modules/guard/rules/freeze.ts';
import { grantsHold } from '../../../../src/modules/guard/rules/grants.ts';
import { emptyGuard, type Guard } from '../../../../src/modules/guard/rules/guard.ts';
import { PRODUCTION_RULES } from '../../../../src/modules/guard/rules/guard-rules.ts';
import {
  assertPinShape,
  assertPinSuitable,
  assertPinUsable,
  isRemovable,
  rightPin,
  takeNamedTry,
  takePinTry,
  withoutPin,
  withPin,
  wrongPin,
} from '../../../../src/modules/guard/rules/pin.ts';
import { isRipe, ripeFrom, ripensAt } from '../../../../src/modules/guard/rules/ripe.ts';
import {
  assertMayUnlock,
  hasRipePin,
  isUnlocked,
  locked,
  unlocked,
} from '../../../../src/modules/guard/rules/unlock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;
const rules = { ...PRODUCTION_RULES, dailyCapLamports: 100n, spendCapLamports: 50n };
const EMPTY = emptyGuard('u');
const WITH_PIN: Guard = { ...EMPTY, pinHash: 'x', pinSetAt: NOW - 9 * DAY, pinRightAt: NOW - 9 * DAY };
const KINDS = ['withdrawals', 'spending'] as const;
const refusal = (code: string, details: object) => expect.objectContaining({ code, details });

it('a person of whom no row tells has no PIN, no freeze, no code and the common caps', () => {
  expect(EMPTY).toMatchObject({
    pinHash: null,
    pinIsFirst: false,
    frozenAt: null,
    totpBox: null,
    recoveryCodes: [],
    nextRecoveryCodes: [],
    capLamports: null,
    spendCapLamports: null,
    lockEpoch: 0,
  });
});

describe('each of the two caps', () => {
  it.each([
    ['withdrawals', 100n],
    ['spending', 50n],
  ] as const)('%s: is the common one until it is changed, and changes alone', (kind, common) => {
    const other = kind === 'spending' ? 'withdrawals' : 'spending';
    expect(capNow(EMPTY, NOW, rules, kind)).toBe(common);
    expect(nextCap(EMPTY, NOW, kind)).toBeNull();
    const lower = withCap(EMPTY, 7n, NOW, rules, kind);
    expect(capNow(lower, NOW, rules, kind)).toBe(7n);
    expect(capNow(lower, NOW, rules, other)).toBe(capNow(EMPTY, NOW, rules, other));
    const raised = withCap(lower, 900n, NOW, rules, kind);
    expect(nextCap(raised, NOW, kind)).toEqual({ lamports: 900n, at: NOW + DAY });
    expect(nextCap(raised, NOW, other)).toBeNull();
    expect(nextCap(raised, NOW + DAY - 1, kind)).toEqual({ lamports: 900n, at: NOW + DAY });
    // From its moment on it waits no more: it is the cap.
    expect(nextCap(raised, NOW + DAY, kind)).toBeNull();
    expect(capNow(raised, NOW + DAY - 1, rules, kind)).toBe(7n);
    expect(capNow(raised, NOW + DAY, rules, kind)).toBe(900n);
    // A raise without an amount, or without a moment, is none.
    expect(capNow({ ...raised, nextCapAt: null, nextSpendCapAt: null }, NOW + DAY, rules, kind)).toBe(7n);
    const noAmount = { ...raised, nextCapLamports: null, nextSpendCapLamports: null };
    expect(capNow(noAmount, NOW + DAY, rules, kind)).toBe(7n);
    expect(nextCap(noAmount, NOW, kind)).toBeNull();
    expect(nextCap({ ...raised, nextCapAt: null, nextSpendCapAt: null }, NOW, kind)).toBeNull();
  });

  it('is lowered by the same amount too, which needs no PIN, and raised by one lamport more', () => {
    for (const kind of KINDS) {
      const cap = capNow(EMPTY, NOW, rules, kind);
      expect(capAct(EMPTY, cap, NOW, rules, kind)).toBe('cap-lower');
      expect(capAct(EMPTY, cap + 1n, NOW, rules, kind)).toBe('cap-raise');
    }
  });

  it('waits anew for its raise when the PIN changes, where the raise still waits', () => {
    for (const kind of KINDS) {
      const raised = withCap(EMPTY, 900n, NOW, rules, kind);
      const later = NOW + HOUR;
      expect(nextCap(withRaisesPutOff(raised, later, rules), later, kind)?.at).toBe(later + DAY);
      for (const over of [NOW + DAY, NOW + 2 * DAY])
        expect(capNow(withRaisesPutOff(raised, over, rules), over, rules, kind)).toBe(900n);
    }
    expect(withRaisesPutOff(EMPTY, NOW, rules)).toEqual(EMPTY);
  });

  it('keeps a raise that has taken effect when Stop calls off those that wait', () => {
    const both = withCap(withCap(EMPTY, 900n, NOW, rules), 800n, NOW + HOUR, rules, 'spending');
    const at = NOW + DAY;
    const stopped = withoutRaises(both, at);
    expect(capNow(stopped, at + DAY, rules)).toBe(900n);
    expect(capNow(stopped, at + DAY, rules, 'spending')).toBe(50n);
    const early = withoutRaises(both, NOW + HOUR);
    expect(KINDS.map((kind) => capNow(early, at + DAY, rules, kind))).toEqual([100n, 50n]);
    expect(KINDS.map((kind) => nextCap(early, NOW + HOUR, kind))).toEqual([null, null]);
  });
});

describe('a freeze', () => {
  it('locks trades, keeps its first moment, and begins anew once it was over', () => {
    const open = unlocked(WITH_PIN, NOW);
    const frozen = freeze(open, NOW);
    expect(frozen).toMatchObject({ frozenAt: NOW, unfreezeAt: null, unlockedUntil: null, lockEpoch: 1 });
    expect(freeze(frozen, NOW + 5)).toMatchObject({ frozenAt: NOW, lockEpoch: 2 });
    const over = unfreeze(frozen, NOW, rules);
    expect(freeze(over, NOW + 2 * HOUR - 1).frozenAt).toBe(NOW);
    expect(freeze(over, NOW + 2 * HOUR).frozenAt).toBe(NOW + 2 * HOUR);
  });

  it('refuses and says when it ends, where that is known', () => {
    expect(() => assertNotFrozen(EMPTY, NOW)).not.toThrow();
    const frozen = freeze(WITH_PIN, NOW);
    expect(() => assertNotFrozen(frozen, NOW)).toThrow(refusal('ACCOUNT_FROZEN', { until: null }));
    const ends = unfreeze(frozen, NOW, rules);
    expect(() => assertNotFrozen(ends, NOW)).toThrow(refusal('ACCOUNT_FROZEN', { until: NOW + 2 * HOUR }));
    expect(() => assertNotFrozen(ends, NOW + 2 * HOUR)).not.toThrow();
  });

  it('ends after the short wait where the PIN was ripe as it began, and after seven days elsewhere', () => {
    const ripeAt = (unlocksFrom: number | null): Guard => ({ ...WITH_PIN, unlocksFrom, frozenAt: NOW });
    const cases = [
      [ripeAt(null), true],
      [ripeAt(NOW), true],
      [ripeAt(NOW + 1), false],
      [{ ...ripeAt(null), pinHash: null }, false],
      // Not frozen: nothing was ripe then.
      [{ ...ripeAt(NOW - 1), frozenAt: null }, false],
    ] as const;
    for (const [guard, isShort] of cases) {
      expect(hadRipePin(guard)).toBe(isShort);
      expect(endOfFreeze(guard)).toBe(isShort ? 'freeze-end' : 'freeze-end-unripe');
      expect(thawWaitMs(guard, rules)).toBe(isShort ? 2 * HOUR : 7 * DAY);
    }
  });

  it('has no end to ask for where there is none, and the first asking counts', () => {
    expect(unfreeze(WITH_PIN, NOW, rules)).toEqual(WITH_PIN);
    const asked = unfreeze(freeze(WITH_PIN, NOW), NOW, rules);
    expect(unfreeze(asked, NOW + HOUR, rules)).toEqual(asked);
    expect(isFrozen(asked, NOW + HOUR)).toBe(true);
  });
});

describe('a PIN', () => {
  it('is refused in another way where it is easy to guess than where it is none', () => {
    expect(() => assertPinSuitable('123456')).toThrow(refusal('PIN_UNSUITABLE', { reason: 'weak' }));
    expect(() => assertPinSuitable('12345')).toThrow(refusal('PIN_UNSUITABLE', { reason: 'shape' }));
    for (const text of ['a123456', '123456a', '1234567']) expect(() => assertPinShape(text)).toThrow();
    expect(() => assertPinShape('123456')).not.toThrow();
    for (const pin of ['135790', '246813', '001234', '123450'])
      expect(() => assertPinSuitable(pin)).not.toThrow();
  });

  it('that is missing is asked for before any try is taken', () => {
    expect(() => takePinTry(EMPTY, NOW)).toThrow(refusal('PIN_REQUIRED', {}));
    expect(() => takeNamedTry(EMPTY, NOW, 'digest', false)).toThrow(refusal('PIN_REQUIRED', {}));
    expect(() => assertPinUsable(EMPTY, NOW)).toThrow(refusal('PIN_REQUIRED', {}));
  });

  it('costs a try for each guess, and the same guess once where its process died', () => {
    const first = takeNamedTry(WITH_PIN, NOW, 'one', false);
    expect(first).toMatchObject({ pinFailures: 1, pinTrying: 'one' });
    expect(takeNamedTry(first, NOW, 'one', false)).toEqual(first);
    // While it is being compared the second one is a guess of its own.
    expect(takeNamedTry(first, NOW, 'one', true)).toMatchObject({ pinFailures: 2, pinTrying: 'one' });
    expect(takeNamedTry(first, NOW, 'two', false)).toMatchObject({ pinFailures: 2, pinTrying: 'two' });
    const out = { ...WITH_PIN, pinLockedUntil: NOW + 1, pinLocks: 1, pinTrying: 'one' };
    expect(() => takeNamedTry(out, NOW, 'one', false)).toThrow(refusal('PIN_LOCKED', { until: NOW + 1 }));
  });

  it('that is wrong says how many tries are left, or until when it is locked', () => {
    let guard = WITH_PIN;
    const left: unknown[] = [];
    for (let n = 0; n < 5; n += 1) {
      guard = takePinTry(guard, NOW);
      left.push(wrongPin(guard));
    }
    expect(left.slice(0, 4)).toEqual(
      [4, 3, 2, 1].map((triesLeft) => refusal('PIN_WRONG', { triesLeft, withCode: false })),
    );
    expect(left[4]).toEqual(refusal('PIN_LOCKED', { until: NOW + HOUR / 4 }));
    expect(wrongPin({ ...WITH_PIN, totpBox: 'box' })).toEqual(
      refusal('PIN_WRONG', { triesLeft: 5, withCode: true }),
    );
  });

  it('that is right forgets tries and lock-outs', () => {
    const tried = { pinFailures: 5, pinLocks: 3, pinLockedUntil: NOW, pinTrying: 'one' };
    expect(rightPin({ ...WITH_PIN, ...tried })).toEqual(WITH_PIN);
  });

  it('that is new locks trades, restarts every wait, and is known as the first or a later one', () => {
    const before = { ...unlocked(EMPTY, NOW), pinFailures: 3, pinTrying: 'one' };
    const first = withPin(before, 'hash', NOW, rules);
    expect(first).toEqual({
      ...EMPTY,
      pinHash: 'hash',
      pinSetAt: NOW,
      pinRightAt: NOW,
      pinIsFirst: true,
      delayFrom: NOW,
      unlocksFrom: NOW + DAY,
      lockEpoch: 1,
    });
    expect(withPin(EMPTY, 'hash', NOW, rules, true).unlocksFrom).toBeNull();
    expect(withPin(WITH_PIN, 'hash', NOW, rules).pinIsFirst).toBe(false);
  });

  it('that is the first and young is taken away by Stop, and by it alone', () => {
    const first = withPin(EMPTY, 'hash', NOW, rules);
    expect(isRemovable(first, NOW + DAY - 1, rules)).toBe(true);
    expect(isRemovable(first, NOW + DAY, rules)).toBe(false);
    expect(isRemovable({ ...first, pinHash: null }, NOW, rules)).toBe(false);
    expect(isRemovable({ ...first, pinSetAt: null }, NOW, rules)).toBe(false);
    expect(isRemovable(withPin(first, 'other', NOW, rules), NOW, rules)).toBe(false);
    expect(withoutPin(unlocked(first, NOW))).toEqual({ ...EMPTY, delayFrom: NOW, lockEpoch: 2 });
  });
});

describe('a PIN that has to ripen', () => {
  it('is ripe a day after it was set, and never without a PIN or its moment', () => {
    expect(ripeFrom({ pinHash: 'x', pinSetAt: NOW }, rules)).toBe(NOW + DAY);
    expect(ripeFrom({ pinHash: null, pinSetAt: NOW }, rules)).toBeNull();
    expect(ripeFrom({ pinHash: 'x', pinSetAt: null }, rules)).toBeNull();
    expect(isRipe({ pinHash: null, pinSetAt: 0 }, NOW, rules)).toBe(false);
  });

  it('says when it is old enough: for trades from their moment, for a key from its own age', () => {
    const young = { pinHash: 'x', pinSetAt: NOW, unlocksFrom: NOW + HOUR };
    expect(ripensAt(young, NOW, rules)).toBe(NOW + HOUR);
    expect(ripensAt(young, NOW + HOUR - 1, rules)).toBe(NOW + HOUR);
    expect(ripensAt(young, NOW + HOUR, rules)).toBeNull();
    expect(ripensAt(young, NOW + HOUR, rules, true)).toBe(NOW + DAY);
    expect(ripensAt(young, NOW + DAY, rules, true)).toBeNull();
    expect(ripensAt({ ...young, unlocksFrom: null }, NOW, rules)).toBeNull();
  });

  it('unlocks trades from its moment on, for twelve hours, and what locks ends that', () => {
    const young = { ...WITH_PIN, unlocksFrom: NOW };
    expect(() => assertMayUnlock(young, NOW - 1)).toThrow(refusal('PIN_TOO_NEW', { until: NOW }));
    expect(() => assertMayUnlock(young, NOW)).not.toThrow();
    expect(() => assertMayUnlock(WITH_PIN, NOW)).not.toThrow();
    expect(() => assertMayUnlock(EMPTY, NOW)).toThrow(refusal('PIN_REQUIRED', {}));
    expect([NOW - 1, NOW].map((at) => hasRipePin(young, at))).toEqual([false, true]);
    expect(hasRipePin(WITH_PIN, NOW)).toBe(true);
    expect(hasRipePin({ pinHash: null, unlocksFrom: null }, NOW)).toBe(false);
    const open = unlocked(WITH_PIN, NOW);
    expect(open.unlockedUntil).toBe(NOW + 12 * HOUR);
    expect(isUnlocked(open, NOW)).toBe(true);
    expect(isUnlocked(EMPTY, NOW)).toBe(false);
    expect(locked(open)).toEqual({ ...WITH_PIN, lockEpoch: 1 });
  });
});

describe('what the PIN has allowed an order', () => {
  const grants = { steep: true, doubts: [], lockEpoch: 3, until: NOW };

  it('holds until its end and until a lock, and nothing holds where nothing was allowed', () => {
    expect(grantsHold(grants, { lockEpoch: 3 }, NOW - 1)).toBe(true);
    expect(grantsHold(grants, { lockEpoch: 3 }, NOW)).toBe(false);
    expect(grantsHold(grants, { lockEpoch: 4 }, NOW - 1)).toBe(false);
    expect(grantsHold(null, { lockEpoch: 3 }, NOW)).toBe(false);
  });
});

describe('an address of the book', () => {
  it('may be paid two hours after it was added, or after the PIN changed where that is later', () => {
    expect(usableAt({ addedAt: NOW }, { delayFrom: null }, rules)).toBe(NOW + 2 * HOUR);
    expect(usableAt({ addedAt: NOW }, { delayFrom: NOW - 1 }, rules)).toBe(NOW + 2 * HOUR);
    expect(usableAt({ addedAt: NOW }, { delayFrom: NOW + 9 }, rules)).toBe(NOW + 9 + 2 * HOUR);
  });
});

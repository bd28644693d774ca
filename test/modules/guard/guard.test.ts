import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { capNow, nextCap, withCap } from '../../../src/modules/guard/rules/cap.ts';
import { freeze, isFrozen, unfreeze } from '../../../src/modules/guard/rules/freeze.ts';
import { emptyGuard, type Guard } from '../../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { judgeWithdrawal } from '../../../src/modules/guard/rules/judge-withdrawal.ts';
import { assertPinSuitable, takePinTry, withPin } from '../../../src/modules/guard/rules/pin.ts';
import { assertRipe, isRipe } from '../../../src/modules/guard/rules/ripe.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const rules = {
  ...LOCAL_RULES,
  delayMs: 2 * HOUR,
  longDelayMs: 24 * HOUR,
  dailyCapLamports: 100n,
  spendCapLamports: 100n,
};
const guard: Guard = { ...emptyGuard('u'), pinHash: 'hash' };

describe('a PIN', () => {
  it.each([
    '',
    '12345',
    '1234567',
    '12345a',
    '١٢٣٤٥٦',
    ' 12345',
    '12 456',
    '000000',
    '999999',
    '123456',
    '987654',
  ])('is refused when it is %j', (pin) => {
    expect(() => assertPinSuitable(pin)).toThrow(expect.objectContaining({ code: 'PIN_UNSUITABLE' }));
  });

  it.each(['739154', '112233', '135791', '000001'])('may be %s', (pin) => {
    expect(() => assertPinSuitable(pin)).not.toThrow();
  });

  it('locks with the fifth try for 15 minutes, then for twice as long each time, up to a day', () => {
    let now = 1_000;
    let state = guard;
    const lengths: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      for (let tries = 1; tries <= 5; tries += 1) state = takePinTry(state, now);
      expect(() => takePinTry(state, now)).toThrow(expect.objectContaining({ code: 'PIN_LOCKED' }));
      const until = state.pinLockedUntil ?? 0;
      lengths.push((until - now) / MINUTE);
      expect(() => takePinTry(state, until - 1)).toThrow(expect.objectContaining({ code: 'PIN_LOCKED' }));
      now = until;
    }
    expect(lengths).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
  });

  it('restarts the delay of addresses and of a raised cap that waits when it changes', () => {
    const raised = withCap(guard, 500n, 0, rules);
    const changed = withPin(raised, 'other', HOUR, rules);
    expect(changed).toMatchObject({ delayFrom: HOUR, nextCapAt: HOUR + rules.longDelayMs, pinFailures: 0 });
    // What is in force already stays so.
    expect(capNow(withPin(raised, 'other', 25 * HOUR, rules), 25 * HOUR, rules)).toBe(500n);
  });
});

describe('a ripe PIN', () => {
  it('is one that was set or changed a day ago, to the millisecond', () => {
    const set = withPin(emptyGuard('u'), 'hash', HOUR, rules);
    expect(isRipe(set, 25 * HOUR - 1, rules)).toBe(false);
    expect(() => assertRipe(set, 25 * HOUR - 1, rules)).toThrow(
      expect.objectContaining({ code: 'PIN_TOO_NEW', details: { until: 25 * HOUR } }),
    );
    expect(isRipe(set, 25 * HOUR, rules)).toBe(true);
    const changed = withPin(set, 'other', 26 * HOUR, rules);
    expect(isRipe(changed, 49 * HOUR, rules)).toBe(false);
    expect(isRipe(changed, 50 * HOUR, rules)).toBe(true);
  });

  it('is none where there is no PIN, and none where no row says how old it is', () => {
    const noWait = { longDelayMs: 0 };
    for (const unproved of [emptyGuard('u'), { ...emptyGuard('u'), pinSetAt: 0 }, guard]) {
      expect(isRipe(unproved, 99 * HOUR, noWait)).toBe(false);
      expect(() => assertRipe(unproved, 99 * HOUR, noWait)).toThrow(
        expect.objectContaining({ code: 'PIN_REQUIRED' }),
      );
    }
  });

  it('is any at once on a local chain, and not before its time when the clock was set back', () => {
    const set = withPin(emptyGuard('u'), 'hash', HOUR, rules);
    expect(isRipe(set, HOUR, { longDelayMs: 0 })).toBe(true);
    expect(isRipe(set, 0, rules)).toBe(false);
  });
});

describe('the daily cap', () => {
  it('falls at once and rises after the delay', () => {
    const lower = withCap(guard, 40n, 0, rules);
    expect(capNow(lower, 0, rules)).toBe(40n);
    const raised = withCap(lower, 400n, 0, rules);
    expect(capNow(raised, rules.longDelayMs - 1, rules)).toBe(40n);
    expect(capNow(raised, rules.longDelayMs, rules)).toBe(400n);
    // Lowering withdraws the raise that waits.
    expect(capNow(withCap(raised, 30n, 1, rules), rules.longDelayMs, rules)).toBe(30n);
    // So does the same cap once more.
    expect(nextCap(withCap(raised, 40n, 1, rules), 1, 'withdrawals')).toBeNull();
    // A second raise waits its whole time.
    expect(capNow(withCap(raised, 500n, HOUR, rules), rules.longDelayMs, rules)).toBe(40n);
  });
});

describe('a freeze', () => {
  it('holds until an unfreezing has waited, and freezing again voids that', () => {
    const frozen = freeze(guard, 0);
    expect(isFrozen(frozen, 9e15)).toBe(true);
    const asked = unfreeze(frozen, 10, rules);
    expect(isFrozen(asked, 10 + rules.delayMs - 1)).toBe(true);
    expect(isFrozen(asked, 10 + rules.delayMs)).toBe(false);
    expect(unfreeze(asked, 20, rules)).toEqual(asked);
    expect(isFrozen(freeze(asked, 30), 9e15)).toBe(true);
  });
});

describe('a withdrawal that nobody can price', () => {
  const entry = {
    id: 'e',
    userId: 'u',
    walletId: 'w',
    address: 'a' as Address,
    name: 'Cold',
    addedAt: 0,
  };
  const judge = (person: Guard, unpriced: number) =>
    judgeWithdrawal({
      guard: person,
      entry,
      value: null,
      used: { lamports: 0n, unpriced },
      now: 9 * HOUR,
      rules,
    });

  it('counts as more than the cap unless the proof held a second factor, and then by number', () => {
    expect(() => judge(guard, 0)).toThrow(expect.objectContaining({ code: 'UNPRICED_TOKEN' }));
    const ended: Guard = { ...guard, totpBox: 'box', totpEndsAt: 8 * HOUR };
    expect(() => judge(ended, 0)).toThrow(expect.objectContaining({ code: 'UNPRICED_TOKEN' }));
    const both: Guard = { ...guard, totpBox: 'box' };
    expect(judge(both, 4)).toEqual({ notBefore: null });
    expect(() => judge(both, 5)).toThrow(expect.objectContaining({ code: 'DAILY_COUNT' }));
  });
});

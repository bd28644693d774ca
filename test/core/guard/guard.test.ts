import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/core/address/address.ts';
import { capNow, withCap } from '../../../src/core/guard/cap.ts';
import { freeze, isFrozen, unfreeze } from '../../../src/core/guard/freeze.ts';
import { emptyGuard, type Guard } from '../../../src/core/guard/guard.ts';
import { judgeWithdrawal } from '../../../src/core/guard/judge-withdrawal.ts';
import { assertPinSuitable, takePinTry, withPin } from '../../../src/core/guard/pin.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const rules = { delayMs: 2 * HOUR, dailyCapLamports: 100n, spendCapLamports: 100n };
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
    expect(changed).toMatchObject({ delayFrom: HOUR, nextCapAt: HOUR + rules.delayMs, pinFailures: 0 });
    // What is in force already stays so.
    expect(capNow(withPin(raised, 'other', 3 * HOUR, rules), 3 * HOUR, rules)).toBe(500n);
  });
});

describe('the daily cap', () => {
  it('falls at once and rises after the delay', () => {
    const lower = withCap(guard, 40n, 0, rules);
    expect(capNow(lower, 0, rules)).toBe(40n);
    const raised = withCap(lower, 400n, 0, rules);
    expect(capNow(raised, rules.delayMs - 1, rules)).toBe(40n);
    expect(capNow(raised, rules.delayMs, rules)).toBe(400n);
    // Lowering withdraws the raise that waits.
    expect(capNow(withCap(raised, 30n, 1, rules), rules.delayMs, rules)).toBe(30n);
    // A second raise waits its whole time.
    expect(capNow(withCap(raised, 500n, HOUR, rules), rules.delayMs, rules)).toBe(40n);
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

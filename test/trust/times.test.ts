import { describe, expect, it } from 'vitest';
import { windowStart } from '../../src/core/time/age.ts';
import { isOver, isStill } from '../../src/core/time/due.ts';
import { isWithin, SKEW_MS } from '../../src/core/time/span.ts';
import { usableAt } from '../../src/modules/guard/rules/address-book.ts';
import { capNow } from '../../src/modules/guard/rules/cap.ts';
import { isFrozen } from '../../src/modules/guard/rules/freeze.ts';
import { grantsHold } from '../../src/modules/guard/rules/grants.ts';
import { emptyGuard, type Guard, type GuardRules } from '../../src/modules/guard/rules/guard.ts';
import { exportState } from '../../src/modules/guard/rules/key-export.ts';
import { noticeMailNow } from '../../src/modules/guard/rules/notice-mail.ts';
import { assertPinUsable, PIN_TRIES, takePinTry } from '../../src/modules/guard/rules/pin.ts';
import { isRipe } from '../../src/modules/guard/rules/ripe.ts';
import { secondFactor } from '../../src/modules/guard/rules/second-factor.ts';
import { hasRipePin, isUnlocked, unlocked } from '../../src/modules/guard/rules/unlock.ts';
import { spentNow } from '../../src/modules/guard/use/guard-spending.ts';
import { isOpenKey } from '../../src/modules/personal-keys/rules/personal-key.ts';
import { comparedClock } from '../../src/platform/clock/compared-clock.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import { storedIntent } from '../conformance/store-rows.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { prismaSchema } from '../support/prisma-schema.ts';
import { STORED_TIMES, type TimeClass } from '../support/stored-times.ts';

const NOW = Date.UTC(2026, 10, 26);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MOVES = [HOUR, -HOUR, 400 * DAY, -400 * DAY];
const RULES = { delayMs: HOUR, longDelayMs: DAY, dailyCapLamports: 1n, spendCapLamports: 1n } as GuardRules;
const guard: Guard = { ...emptyGuard('u'), pinHash: 'x' };
const exported = {
  id: 'e',
  userId: 'u',
  walletId: 'w',
  askedAt: NOW - DAY,
  readyAt: NOW,
  endsAt: NOW + DAY,
  end: null,
};
const world = { guard: { pinHash: 'x', pinSetAt: null, frozenAt: null }, thrownAt: null };
const stateOf = (found: typeof exported, clock: Clock) => exportState(found, world, clock).kind;

/** Whether the wait that is due at `due` is over. */
const WAITS: Readonly<Record<string, (due: number, clock: Clock) => boolean>> = {
  'Guard.unfreezeAt': (due, clock) => !isFrozen({ frozenAt: 0, unfreezeAt: due }, clock),
  'Guard.nextCapAt': (due, clock) =>
    capNow({ ...guard, capLamports: 1n, nextCapLamports: 9n, nextCapAt: due }, clock, RULES) === 9n,
  'Guard.nextSpendCapAt': (due, clock) =>
    capNow(
      { ...guard, spendCapLamports: 1n, nextSpendCapLamports: 9n, nextSpendCapAt: due },
      clock,
      RULES,
      'spending',
    ) === 9n,
  'Guard.nextNoticeMailAt': (due, clock) =>
    noticeMailNow({ noticeMail: null, nextNoticeMail: 'new@example.org', nextNoticeMailAt: due }, clock) !==
    null,
  'Guard.totpEndsAt': (due, clock) => secondFactor({ totpBox: 'box', totpEndsAt: due }, clock) === null,
  'Guard.unlocksFrom': (due, clock) => hasRipePin({ pinHash: 'x', unlocksFrom: due }, clock),
  'Guard.delayFrom': (due, clock) =>
    isOver(usableAt({ addedAt: 0 }, { delayFrom: due - HOUR }, RULES), clock),
  'AddressBookEntry.addedAt': (due, clock) =>
    isOver(usableAt({ addedAt: due - HOUR }, { delayFrom: null }, RULES), clock),
  'Export.readyAt': (due, clock) =>
    stateOf({ ...exported, readyAt: due, endsAt: due + 900 * DAY }, clock) === 'READY',
  'Intent.notBefore': (due, clock) => isOver(due, clock),
};

/** Whether a permission until then still holds. */
const PERMISSIONS: Readonly<Record<string, (until: number, clock: Clock) => boolean>> = {
  'Guard.unlockedUntil': (unlockedUntil, clock) => isUnlocked({ unlockedUntil }, clock),
  'Export.endsAt': (endsAt, clock) => stateOf({ ...exported, readyAt: 0, endsAt }, clock) === 'READY',
  'ApiKey.expiresAt': (until, clock) => isWithin({ from: NOW - 900 * DAY, until }, clock),
  'OneTimeLink.expiresAt': (until, clock) => isStill(until, clock),
  'Copy.until': (until, clock) => isStill(until, clock),
  'PersonalKey.until': (until, clock) =>
    isOpenKey({ until, endedAt: null, lockEpoch: guard.lockEpoch }, guard, clock),
  grants: (until, clock) =>
    grantsHold({ steep: true, doubts: [], lockEpoch: guard.lockEpoch, until }, guard, clock),
};

/** A machine whose own clock was set by `by`, while the database's is right. */
function setBy(by: number): Clock {
  const clock = comparedClock({ now: () => NOW + by }, () => 0);
  clock.compared('database', NOW);
  return clock;
}

describe('stored times', () => {
  it('have one class each, and every column of the schema has one', () => {
    const columns = [...prismaSchema().matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].flatMap(
      ([, model, body = '']) =>
        [...body.matchAll(/^ +(\w+) +DateTime/gm)].map(([, field]) => `${model}.${field}`),
    );
    expect(columns.length).toBeGreaterThan(100);
    expect(Object.keys(STORED_TIMES).toSorted()).toEqual(columns.toSorted());
  });

  it.each(Object.entries(WAITS))('a wait is not shortened, whatever the machine shows: %s', (_, isDone) => {
    for (const by of [0, ...MOVES]) {
      for (const left of [2_000, HOUR, 399 * DAY])
        expect([by, left, isDone(NOW + left, setBy(by))]).toEqual([by, left, false]);
    }
    expect(isDone(NOW, setBy(0))).toBe(true);
    // A machine that is ahead ends none early, and one that is right again ends it at once.
    expect(isDone(NOW, setBy(HOUR))).toBe(true);
  });

  it.each(Object.entries(PERMISSIONS))(
    'a permission does not last longer, whatever the machine shows: %s',
    (_, isHeld) => {
      for (const by of [0, ...MOVES]) {
        for (const ago of [2_000, HOUR, 399 * DAY])
          expect([by, ago, isHeld(NOW - ago, setBy(by))]).toEqual([by, ago, false]);
      }
      expect(isHeld(NOW + HOUR, setBy(0))).toBe(true);
    },
  );

  it.each(MOVES)('what was used counts for its whole window, whatever the machine shows: %i', (by) => {
    for (const ago of [0, HOUR, DAY - 2_000])
      expect([ago, NOW - ago >= windowStart(DAY, setBy(by))]).toEqual([ago, true]);
    expect(NOW - DAY - 1 >= windowStart(DAY, setBy(0))).toBe(false);
  });

  it.each(MOVES)('a PIN ripens no sooner, whatever the machine shows: %i', (by) => {
    const young = { pinHash: 'x', pinSetAt: NOW - DAY + 2_000 };
    expect(isRipe(young, setBy(by), { longDelayMs: DAY })).toBe(false);
    expect(isRipe(young, NOW + 2_000, { longDelayMs: DAY })).toBe(true);
  });

  it.each(MOVES)('a cap of 24 hours is full whatever the machine shows: %i', async (by) => {
    const db = fakeDatabase();
    const { id: intentId, userId } = await storedIntent(db);
    if (userId === null) throw new Error('the intent is a person’s');
    const use = { intentId, userId, countsAt: NOW - HOUR, fees: 0n };
    await db.guards.addSpending({ ...use, lamports: 5n, all: 5n, doubted: 0n, floor: 0n });
    expect((await spentNow(db, userId, setBy(by))).k).toBe(5n);
  });

  it('a right PIN unlocks for twelve hours and no more after the clock was set back', () => {
    const { unlockedUntil } = unlocked(guard, NOW);
    for (const back of [HOUR, 400 * DAY])
      expect(isUnlocked({ unlockedUntil }, { now: () => NOW - back })).toBe(false);
  });

  it.each(MOVES)(
    'a lock-out of the PIN lasts its span and no longer after the clock was set by %i ms',
    (by) => {
      let locked = guard;
      for (let one = 0; one < PIN_TRIES; one += 1) locked = takePinTry(locked, NOW);
      const span = (locked.pinLockedUntil ?? NOW) - NOW;
      // From the moment it was set, the clock runs on for its span and the skew: then it is over, however wrong it is.
      expect(() => assertPinUsable(locked, NOW + by + (by < 0 ? 0 : span + SKEW_MS))).not.toThrow();
      expect(() => assertPinUsable(locked, NOW + span - 1)).toThrow('PIN_LOCKED');
    },
  );

  it('each wait of the schema is judged here, or is an age that one of these counts from', () => {
    const of = (kind: TimeClass) => Object.keys(STORED_TIMES).filter((name) => STORED_TIMES[name] === kind);
    expect(of('wait').filter((name) => WAITS[name] === undefined)).toEqual([
      'Guard.pinSetAt',
      'Wallet.confirmedAt',
      'Wallet.payoutFrom',
      // No money or key waits for it: a receiver that fails for five days from it is switched off.
      'Webhook.failingSince',
    ]);
    // Their own tests: a button and an enrolment are judged by one clock.
    expect(of('permission').filter((name) => PERMISSIONS[name] === undefined)).toEqual([
      'Button.expiresAt',
      'Guard.nextTotpUntil',
    ]);
  });
});

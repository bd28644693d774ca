import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { DOUBTS } from '../../../../src/modules/guard/rules/doubt.ts';
import { FLOOR_TIER } from '../../../../src/modules/guard/rules/floor.ts';
import { emptyGuard, type Guard } from '../../../../src/modules/guard/rules/guard.ts';
import {
  guardRulesOf,
  LOCAL_RULES,
  PRODUCTION_RULES,
} from '../../../../src/modules/guard/rules/guard-rules.ts';
import { type ActCase, asksPin, judgeAct } from '../../../../src/modules/guard/rules/judge-act.ts';
import { dueAt, judgeWithdrawal } from '../../../../src/modules/guard/rules/judge-withdrawal.ts';
import { FREE_ACTS, passFire, passFree } from '../../../../src/modules/guard/rules/pass-free.ts';
import { leftWithoutPin, rest } from '../../../../src/modules/guard/rules/spent.ts';
import { countedFees } from '../../../../src/modules/guard/rules/withdrawal-fees.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;
const SOL = 1_000_000_000n;
const rules = {
  ...PRODUCTION_RULES,
  dailyCapLamports: 100n,
  unripeCapLamports: 20n,
  spendCapLamports: 50n,
  sinceRightPinLamports: 60n,
  allSpendingLamports: 500n,
  floorFeesLamports: 5n,
};
const OPEN: Guard = emptyGuard('u');
const WITH_PIN: Guard = { ...OPEN, pinHash: 'x', pinSetAt: NOW - 9 * DAY };
const YOUNG: Guard = { ...WITH_PIN, pinSetAt: NOW, unlocksFrom: NOW + 1 };
const NOTHING = { s: 0n, k: 0n, d: 0n, floor: 0n, sinceRight: 0n };
const refusal = (code: string, details: object) => expect.objectContaining({ code, details });

describe('a withdrawal', () => {
  const entry = {
    id: 'e',
    userId: 'u',
    walletId: 'w',
    address: 'a' as Address,
    name: 'Cold',
    addedAt: NOW - 9 * DAY,
  };
  const facts = {
    guard: WITH_PIN,
    entry,
    value: 1n,
    used: { lamports: 0n, unpriced: 0 },
    now: NOW,
    rules,
  } as const;
  const judge = (change: Partial<Parameters<typeof judgeWithdrawal>[0]>) =>
    judgeWithdrawal({ ...facts, ...change });

  it('is due at once to an address that is old enough, and else when it is', () => {
    expect(judge({})).toEqual({ notBefore: null });
    expect(judge({ entry: { ...entry, addedAt: NOW - 2 * HOUR } })).toEqual({ notBefore: null });
    const young = { ...entry, addedAt: NOW - 2 * HOUR + 1 };
    expect(judge({ entry: young })).toEqual({ notBefore: NOW + 1 });
    expect(dueAt({ ...facts, entry: young })).toBe(NOW + 1);
    expect(dueAt(facts)).toBe(NOW);
    expect(judge({ guard: { ...WITH_PIN, delayFrom: NOW } })).toEqual({ notBefore: NOW + 2 * HOUR });
  });

  it('takes a PIN, and none leaves while everything is frozen', () => {
    expect(() => judge({ guard: OPEN })).toThrow(refusal('PIN_REQUIRED', {}));
    expect(() => judge({ guard: { ...WITH_PIN, frozenAt: NOW } })).toThrow(
      refusal('ACCOUNT_FROZEN', { until: null }),
    );
  });

  it('is at most the rest of the cap, and of the small cap while the PIN is young', () => {
    const used = { lamports: 40n, unpriced: 0 };
    expect(judge({ used, value: 60n })).toEqual({ notBefore: null });
    expect(() => judge({ used, value: 61n })).toThrow(
      refusal('DAILY_CAP', { needed: 61n, available: 60n, cap: 100n }),
    );
    expect(() => judge({ used: { lamports: 900n, unpriced: 0 } })).toThrow(
      refusal('DAILY_CAP', { needed: 1n, available: 0n, cap: 100n }),
    );
    expect(judge({ guard: YOUNG, value: 20n })).toEqual({ notBefore: null });
    expect(() => judge({ guard: YOUNG, value: 21n })).toThrow(
      refusal('DAILY_CAP', { needed: 21n, available: 20n, cap: 20n }),
    );
    // A cap that the person lowered below the small one holds.
    expect(() => judge({ guard: { ...YOUNG, capLamports: 7n }, value: 8n })).toThrow(
      refusal('DAILY_CAP', { needed: 8n, available: 7n, cap: 7n }),
    );
    expect(() => judge({ guard: { ...WITH_PIN, capLamports: 7n }, value: 8n })).toThrow(
      refusal('DAILY_CAP', { needed: 8n, available: 7n, cap: 7n }),
    );
  });

  it('without a price goes with a second factor alone, five times a day', () => {
    expect(() => judge({ value: null })).toThrow(refusal('UNPRICED_TOKEN', {}));
    const guard = { ...WITH_PIN, totpBox: 'box' };
    expect(judge({ guard, value: null, used: { lamports: 900n, unpriced: 4 } })).toEqual({
      notBefore: null,
    });
    expect(() => judge({ guard, value: null, used: { lamports: 0n, unpriced: 5 } })).toThrow(
      refusal('DAILY_COUNT', { max: 5 }),
    );
  });
});

describe('the network fees of a withdrawal', () => {
  const count = (fees: bigint, guard: Guard, spent: Partial<typeof NOTHING> = {}) =>
    countedFees(fees, { guard, spent: { ...NOTHING, ...spent }, rules, now: NOW });

  it('count in all spending where the PIN is ripe, and there is room to the lamport', () => {
    expect(count(10n, WITH_PIN, { k: 490n })).toEqual({ s: 0n, k: 10n, d: 0n, floor: 0n });
    expect(count(10n, WITH_PIN, { s: 999n, sinceRight: 999n })).toEqual({ s: 0n, k: 10n, d: 0n, floor: 0n });
  });

  it('count as spending without a PIN too while it is young, and the smaller rest holds', () => {
    expect(count(10n, YOUNG, { s: 40n })).toEqual({ s: 10n, k: 10n, d: 0n, floor: 0n });
    expect(() => count(11n, YOUNG, { s: 40n })).toThrow(
      refusal('SPENDING_LIMIT', { needed: 11n, available: 10n, cap: 50n, of: 'all' }),
    );
    expect(() => count(11n, YOUNG, { k: 490n })).toThrow(
      refusal('SPENDING_LIMIT', { needed: 11n, available: 10n, cap: 50n, of: 'all' }),
    );
  });

  it('count as fees of sales where no sum has room, and are refused above that', () => {
    const full = { k: 500n };
    expect(count(5n, WITH_PIN, full)).toEqual({ s: 0n, k: 0n, d: 0n, floor: 5n });
    expect(count(2n, WITH_PIN, { ...full, floor: 3n })).toEqual({ s: 0n, k: 0n, d: 0n, floor: 2n });
    expect(() => count(3n, WITH_PIN, { ...full, floor: 3n })).toThrow(
      refusal('SPENDING_LIMIT', { needed: 3n, available: 0n, cap: 500n, of: 'all' }),
    );
  });
});

describe('what may be spent without the PIN', () => {
  it('is the rest of the day, and of the allowance since the last right PIN where one is ripe', () => {
    const left = (guard: Guard, s: bigint, sinceRight: bigint) =>
      leftWithoutPin(guard, { s, sinceRight }, NOW, rules);
    expect(left(OPEN, 10n, 59n)).toBe(40n);
    expect(left(YOUNG, 10n, 59n)).toBe(40n);
    expect(left(WITH_PIN, 10n, 59n)).toBe(1n);
    expect(left(WITH_PIN, 49n, 10n)).toBe(1n);
    expect(left(WITH_PIN, 99n, 0n)).toBe(0n);
  });

  it('is never below nothing', () => {
    expect([rest(3n, 2n), rest(3n, 3n), rest(3n, 4n)]).toEqual([1n, 0n, 0n]);
  });
});

describe('an act', () => {
  const judge = (change: Partial<ActCase> & Pick<ActCase, 'act'>) =>
    judgeAct({ guard: WITH_PIN, pauses: [], done: [], now: NOW, rules, ...change });

  it('is refused by the freeze of one clock, though another shows its end', () => {
    const guard = { ...WITH_PIN, frozenAt: NOW - DAY, unfreezeAt: NOW };
    expect(() => judge({ act: 'settings', guard })).not.toThrow();
    expect(() => judge({ act: 'wallet-delete', guard })).not.toThrow();
    expect(() => judge({ act: 'wallet-delete', guard, earliest: NOW - 1 })).toThrow(
      refusal('ACCOUNT_FROZEN', { until: NOW }),
    );
    expect(() => judge({ act: 'settings', guard, earliest: NOW - 1 })).not.toThrow();
  });

  it('is refused by a switch of its own, which is named with its reason', () => {
    const pause = { what: 'withdrawals', reason: 'the node is away', since: NOW, until: null } as const;
    expect(() => judge({ act: 'withdraw', pauses: [pause] })).toThrow(refusal('PAUSED', pause));
    expect(() => judge({ act: 'wallet-rename', pauses: [pause] })).not.toThrow();
  });

  it('is refused once its rate is used up, until the oldest of so many leaves the span', () => {
    const done = [NOW - 30, NOW - 20, NOW - 10];
    expect(() => judge({ act: 'wallet-import', done: done.slice(0, 2) })).not.toThrow();
    expect(() => judge({ act: 'wallet-import', done })).toThrow(
      refusal('ACT_LIMIT', { rate: 'import', max: 3, spanMs: DAY, until: NOW - 30 + DAY }),
    );
    // More than the limit allows now: as many as it does have to leave.
    expect(() => judge({ act: 'wallet-import', done: [NOW - 40, ...done] })).toThrow(
      refusal('ACT_LIMIT', { rate: 'import', max: 3, spanMs: DAY, until: NOW - 30 + DAY }),
    );
    expect(() => judge({ act: 'wallet-make', done: Array.from({ length: 99 }, () => NOW) })).not.toThrow();
  });

  it('takes the PIN that its row asks for, and a ripe one by the slower clock', () => {
    expect(
      ['withdraw', 'unlock', 'wallet-import', 'buy', 'lock'].map((act) => asksPin(act as never, OPEN)),
    ).toEqual([true, true, false, false, false]);
    expect(['wallet-import', 'buy', 'lock'].map((act) => asksPin(act as never, WITH_PIN))).toEqual([
      true,
      false,
      false,
    ]);
    expect(() => judge({ act: 'withdraw', guard: OPEN })).toThrow(refusal('PIN_REQUIRED', {}));
    expect(() => judge({ act: 'wallet-import', guard: OPEN })).not.toThrow();
    const out = { ...WITH_PIN, pinLocks: 1, pinLockedUntil: NOW + 1 };
    expect(() => judge({ act: 'wallet-import', guard: out })).toThrow(
      refusal('PIN_LOCKED', { until: NOW + 1 }),
    );
    expect(() => judge({ act: 'lock', guard: out })).not.toThrow();
    const ripens = { ...WITH_PIN, unlocksFrom: NOW };
    expect(() => judge({ act: 'unlock', guard: ripens })).not.toThrow();
    expect(() => judge({ act: 'unlock', guard: ripens, earliest: NOW - 1 })).toThrow(
      refusal('PIN_TOO_NEW', { until: NOW }),
    );
    expect(() => judge({ act: 'withdraw', guard: ripens, earliest: NOW - 1 })).not.toThrow();
    // A key waits for the age of the PIN itself.
    const today = { ...WITH_PIN, unlocksFrom: null, pinSetAt: NOW };
    expect(() => judge({ act: 'unlock', guard: today })).not.toThrow();
    expect(() => judge({ act: 'export-ask', guard: today })).toThrow(
      refusal('PIN_TOO_NEW', { until: NOW + DAY }),
    );
  });

  it('that nothing refuses passes with its name and its person', () => {
    for (const act of FREE_ACTS) expect(passFree(act, 'u')).toEqual({ act, userId: 'u' });
    expect(passFree('service', null)).toEqual({ act: 'service', userId: null });
    expect(passFire({} as never, 'u')).toEqual({ act: 'order-fire', userId: 'u' });
  });
});

describe('the limits that an operator leaves alone', () => {
  it('are those of docs/configuration.md', () => {
    const { rates, ...sums } = PRODUCTION_RULES;
    const text = ({ count, spanMs }: { count: number; spanMs: number }) =>
      `${count}/${spanMs % DAY === 0 ? `${spanMs / DAY}d` : `${spanMs / HOUR}h`}`;
    expect(Object.entries(rates).map(([rate, rule]) => `${rate}=${text(rule)}`)).toEqual([
      'withdraw=10/1h',
      'export=3/7d',
      'order=20/1h',
      'import=3/1d',
      'switch=20/1h',
      'payout-wallet=1/7d',
      'rename=5/1d',
      'pin-change=3/1d',
      'settings=60/1h',
      'referral-code=3/1d',
      'api-keys=5/1h',
      'key-ask=5/1h',
      'notice-mail=5/1d',
      'mail-code=5/1h',
    ]);
    expect(sums).toEqual({
      delayMs: 2 * HOUR,
      longDelayMs: DAY,
      dailyCapLamports: 5n * SOL,
      unripeCapLamports: SOL,
      spendCapLamports: 5n * SOL,
      sinceRightPinLamports: 15n * SOL,
      allSpendingLamports: 50n * SOL,
      doubtedLamports: 10n * SOL,
      floorFeesLamports: SOL / 20n,
      payoutsLamports: 5n * SOL,
      unprovedLamports: SOL / 2n,
    });
    expect(LOCAL_RULES).toEqual({ ...PRODUCTION_RULES, delayMs: 0, longDelayMs: 0 });
  });

  it('wait so many seconds where that is set, and 0 is a wait too', () => {
    const set = {
      addressDelaySeconds: null,
      longDelaySeconds: null,
      dailyCapLamports: 1n,
      spendCapLamports: 2n,
      allSpendingLamports: 3n,
      doubtedLamports: 4n,
      sinceRightPinLamports: 5n,
      payoutsLamports: 6n,
      unprovedLamports: 7n,
      actRates: {},
    };
    const waits = (change: Partial<typeof set> | object, isLocal: boolean) => {
      const { delayMs, longDelayMs } = guardRulesOf({ ...set, ...change }, isLocal);
      return [delayMs, longDelayMs];
    };
    expect(waits({}, false)).toEqual([2 * HOUR, DAY]);
    expect(waits({}, true)).toEqual([0, 0]);
    for (const isLocal of [true, false]) {
      expect(waits({ addressDelaySeconds: 7, longDelaySeconds: 9 }, isLocal)).toEqual([7_000, 9_000]);
      expect(waits({ addressDelaySeconds: 0, longDelaySeconds: 0 }, isLocal)).toEqual([0, 0]);
    }
    expect(guardRulesOf(set, false)).toMatchObject({
      dailyCapLamports: 1n,
      spendCapLamports: 2n,
      allSpendingLamports: 3n,
      doubtedLamports: 4n,
      sinceRightPinLamports: 5n,
      payoutsLamports: 6n,
      unprovedLamports: 7n,
    });
  });

  it('know three reasons against a token, and sell at the lowest priority where nothing else has room', () => {
    expect(DOUBTS).toEqual(['young', 'home-made', 'poor-exit']);
    expect(FLOOR_TIER).toBe('economy');
  });
});

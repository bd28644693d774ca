import { describe, expect, it } from 'vitest';
import { guardFacts } from '../../../src/modules/guard/rules/certified-guard.ts';
import { freeze } from '../../../src/modules/guard/rules/freeze.ts';
import { emptyGuard, type Guard } from '../../../src/modules/guard/rules/guard.ts';
import { onlyStops } from '../../../src/modules/guard/rules/only-stops.ts';
import { withoutPin } from '../../../src/modules/guard/rules/pin.ts';

const NOW = 1_800_000_000_000;
const BEFORE: Guard = {
  ...emptyGuard('ann'),
  pinHash: 'hash',
  pinSetAt: NOW - 9,
  pinIsFirst: true,
  delayFrom: NOW - 9,
  unlocksFrom: NOW + 9,
  capLamports: 5n,
  nextCapLamports: 9n,
  nextCapAt: NOW + 9,
  spendCapLamports: 5n,
  nextSpendCapLamports: 9n,
  nextSpendCapAt: NOW + 9,
  totpBox: 'box',
  totpEndsAt: NOW + 9,
  recoveryCodes: ['a', 'b'],
  noticeMail: 'ann@example.org',
  nextNoticeMail: 'thief@example.org',
  nextNoticeMailAt: NOW + 9,
  lockEpoch: 3,
};
const STOPPED = freeze(BEFORE, NOW);

describe('a change that only stops', () => {
  it('is a freeze, also with what waits taken back and the PIN taken away', () => {
    expect(onlyStops(BEFORE, STOPPED)).toBe(true);
    const without = { ...STOPPED, nextCapLamports: null, nextCapAt: null, totpEndsAt: null };
    expect(onlyStops(BEFORE, without)).toBe(true);
    expect(onlyStops(BEFORE, withoutPin(without))).toBe(true);
    expect(onlyStops(STOPPED, withoutPin(STOPPED))).toBe(true);
  });

  it('is none without a freeze that lasts', () => {
    expect(onlyStops(BEFORE, BEFORE)).toBe(false);
    expect(onlyStops(BEFORE, { ...STOPPED, unfreezeAt: NOW })).toBe(false);
    expect(onlyStops(STOPPED, { ...STOPPED, frozenAt: null })).toBe(false);
  });

  const others: Readonly<Record<string, Partial<Guard>>> = {
    userId: { userId: 'bob' },
    pinHash: { pinHash: 'another' },
    pinSetAt: { pinSetAt: 1 },
    pinIsFirst: { pinIsFirst: false },
    unlocksFrom: { unlocksFrom: null },
    delayFrom: { delayFrom: 1 },
    capLamports: { capLamports: 6n },
    nextCapLamports: { nextCapLamports: 10n },
    nextCapAt: { nextCapAt: 1 },
    spendCapLamports: { spendCapLamports: null },
    nextSpendCapLamports: { nextSpendCapLamports: 10n },
    nextSpendCapAt: { nextSpendCapAt: 1 },
    totpBox: { totpBox: null },
    totpEndsAt: { totpEndsAt: 1 },
    recoveryCodes: { recoveryCodes: ['a', 'c'] },
    nextTotpBox: { nextTotpBox: 'mine' },
    unlockedUntil: { unlockedUntil: NOW + 9 },
    noticeMail: { noticeMail: 'thief@example.org' },
    nextNoticeMail: { nextNoticeMail: 'other@example.org' },
    nextNoticeMailAt: { nextNoticeMailAt: 1 },
    lockEpoch: { lockEpoch: 2 },
    frozenAt: { frozenAt: null },
    unfreezeAt: { unfreezeAt: 1 },
  };

  it.each(Object.entries(others))('is none with another %s beside the freeze', (_, change) => {
    expect(onlyStops(BEFORE, { ...STOPPED, ...change })).toBe(false);
  });

  it('was tried with each certified column', () => {
    const facts = Object.keys(guardFacts(BEFORE)).filter((name) => name !== 'version');
    expect(Object.keys(others).toSorted()).toEqual(facts.toSorted());
  });
});

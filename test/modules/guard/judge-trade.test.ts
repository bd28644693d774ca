import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import type { Grants } from '../../../src/modules/guard/rules/grants.ts';
import { emptyGuard, type Guard } from '../../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import {
  fairOut,
  judgeTrade,
  spotOutOf,
  type TradeCase,
} from '../../../src/modules/guard/rules/judge-trade.ts';
import type { SpentSums } from '../../../src/modules/guard/rules/spent.ts';
import { locked, UNLOCK_MS, unlocked } from '../../../src/modules/guard/rules/unlock.ts';

const NOTHING_SPENT: SpentSums = { s: 0n, k: 0n, d: 0n, floor: 0n, sinceRight: 0n };

const NOW = 1_700_000_000_000;
const OPEN: Guard = emptyGuard('person');
const WITH_PIN: Guard = { ...OPEN, pinHash: 'hash' };
const GRANTS: Grants = { steep: true, doubts: ['young'], lockEpoch: 0, until: NOW + 1 };

const BUY: TradeCase = {
  side: 'buy',
  units: 100n,
  minOut: 0n,
  leastOut: 0n,
  spotOut: 0n,
  medianOut: null,
  doubts: [],
  fees: 0n,
  floorFees: null,
  guard: WITH_PIN,
  grants: null,
  spent: NOTHING_SPENT,
  rules: {
    ...LOCAL_RULES,
    spendCapLamports: 100n,
    sinceRightPinLamports: 150n,
    allSpendingLamports: 1_000n,
    doubtedLamports: 200n,
    floorFeesLamports: 10n,
  },
  source: 'tap',
  now: NOW,
};
const SALE: TradeCase = { ...BUY, side: 'sell', minOut: 850n, leastOut: 850n, spotOut: 1_000n };
const judge = (one: TradeCase, more: Partial<TradeCase> = {}) => judgeTrade({ ...one, ...more });
const passes = (s: bigint, k: bigint, d = 0n) => ({ kind: 'pass', count: { s, k, d, floor: 0n } });
const atFloor = (floor: bigint) => ({ kind: 'pass', count: { s: 0n, k: 0n, d: 0n, floor }, isAtFloor: true });
const asks = (...reasons: readonly string[]) => ({ kind: 'ask', reasons });
const pauses = (reason: string) => ({ kind: 'pause', reason });

describe('a trade that its person makes', () => {
  it('passes up to each cap, and asks or is refused one lamport above it', () => {
    const spent = NOTHING_SPENT;
    expect(judge(BUY)).toMatchObject(passes(100n, 100n));
    expect(judge(BUY, { units: 101n })).toMatchObject({ ...asks('cap'), cap: 100n, left: 100n });
    expect(judge(BUY, { spent: { ...spent, s: 1n } })).toMatchObject({ ...asks('cap'), left: 99n });
    expect(judge(BUY, { spent: { ...spent, s: 101n } })).toMatchObject({ ...asks('cap'), left: 0n });
    expect(judge(BUY, { spent: { ...spent, sinceRight: 50n } })).toMatchObject(passes(100n, 100n));
    expect(judge(BUY, { spent: { ...spent, sinceRight: 51n } })).toMatchObject({ ...asks('cap'), left: 99n });
    // Who has no PIN could not make room by typing it.
    expect(judge(BUY, { guard: OPEN, spent: { ...spent, sinceRight: 999n } })).toMatchObject(
      passes(100n, 100n),
    );
    expect(judge(BUY, { spent: { ...spent, k: 900n } })).toMatchObject(passes(100n, 100n));
    expect(judge(BUY, { spent: { ...spent, k: 901n } })).toEqual({
      kind: 'refuse',
      of: 'all',
      needed: 100n,
      cap: 1_000n,
      left: 99n,
    });
    const doubted = { doubts: ['young'] as const, guard: unlocked(WITH_PIN, NOW) };
    expect(judge(BUY, { ...doubted, spent: { ...spent, d: 100n } })).toMatchObject(passes(0n, 100n, 100n));
    expect(judge(BUY, { ...doubted, spent: { ...spent, d: 101n } })).toMatchObject({
      kind: 'refuse',
      left: 99n,
    });
  });

  it('of a program asks what it asks a tap, and a PIN that was typed in the chat opens nothing for it', () => {
    const program = { source: 'program' } as const;
    expect(judge(BUY, program)).toMatchObject(passes(100n, 100n));
    const open = unlocked(WITH_PIN, NOW);
    for (const [one, reason] of [
      [{ units: 101n }, 'cap'],
      [{ doubts: ['young'] }, 'young'],
    ] as const) {
      expect(judge(BUY, { ...one, guard: open })).toMatchObject({ kind: 'pass' });
      expect(judge(BUY, { ...one, ...program, guard: open })).toMatchObject(asks(reason));
    }
    expect(judge(SALE, { minOut: 849n, leastOut: 849n, ...program, guard: open })).toMatchObject(
      asks('steep'),
    );
  });

  it('counts its fees with what it gives, a sale its fees alone, and what is no trade like a purchase', () => {
    expect(judge(BUY, { units: 99n, fees: 1n })).toMatchObject(passes(100n, 100n));
    expect(judge(BUY, { units: 100n, fees: 1n })).toMatchObject(asks('cap'));
    expect(judge(SALE, { units: 9_999n, fees: 7n })).toMatchObject(passes(7n, 7n));
    expect(judge(SALE, { units: 9_999n, fees: 101n })).toMatchObject(asks('cap'));
    expect(judge(BUY, { side: 'spend' })).toMatchObject(passes(100n, 100n));
    expect(judge(BUY, { side: 'spend', units: 101n })).toMatchObject(asks('cap'));
  });

  it('sells at the lowest priority where its fees alone pass a limit, up to a sum of its own, and buys nothing by it', () => {
    const spent = { ...NOTHING_SPENT, s: 94n };
    const sale = { ...SALE, fees: 7n, floorFees: 2n, spent };
    for (const guard of [OPEN, WITH_PIN]) {
      expect(judge(sale, { guard, spent: { ...spent, s: 93n } })).toEqual({ ...passes(7n, 7n), covered: [] });
      expect(judge(sale, { guard })).toEqual({ ...atFloor(2n), covered: [] });
      expect(judge(sale, { guard, spent: { ...spent, k: 1_000n } })).toMatchObject(atFloor(2n));
      expect(judge(sale, { guard, spent: { ...spent, floor: 8n } })).toMatchObject(atFloor(2n));
      expect(judge(sale, { guard, spent: { ...spent, floor: 9n } })).toMatchObject(asks('cap'));
      expect(judge(sale, { guard, spent: { ...spent, floor: 9n, k: 994n } })).toMatchObject({
        kind: 'refuse',
        needed: 7n,
        left: 6n,
      });
      // What needs the PIN for another reason says that alone.
      expect(judge(sale, { guard, minOut: 849n, leastOut: 849n })).toMatchObject(asks('steep'));
    }
    for (const side of ['buy', 'spend'] as const)
      expect(judge({ ...sale, side, units: 1n })).toMatchObject(asks('cap'));
    const open = unlocked(WITH_PIN, NOW);
    const steep = { minOut: 0n, leastOut: 0n, guard: open };
    expect(judge(sale, steep)).toMatchObject({ ...passes(0n, 7n), covered: ['steep', 'cap'] });
    expect(judge(sale, { ...steep, spent: { ...spent, k: 994n } })).toMatchObject({
      ...atFloor(2n),
      covered: ['steep'],
    });
  });

  it('is asked every doubt of a purchase, with or without a PIN, and none of a sale at its price', () => {
    const doubts = ['young', 'home-made'] as const;
    for (const guard of [OPEN, WITH_PIN])
      expect(judge(BUY, { doubts, guard })).toMatchObject(asks(...doubts));
    for (const guard of [OPEN, WITH_PIN, { ...WITH_PIN, unlocksFrom: NOW + 1 }])
      expect(judge(SALE, { doubts, guard })).toMatchObject({ ...passes(0n, 0n), covered: [] });
    expect(judge(SALE, { doubts, minOut: 849n, leastOut: 849n })).toMatchObject(asks('steep'));
  });

  it('sells for 85 % of the price and more, and below that takes the PIN also where there is none yet', () => {
    for (const guard of [OPEN, WITH_PIN]) {
      expect(judge(SALE, { guard })).toMatchObject(passes(0n, 0n));
      expect(judge(SALE, { guard, minOut: 849n, leastOut: 849n })).toMatchObject(asks('steep'));
    }
    expect(judge(BUY, { minOut: 0n, spotOut: 1_000n })).toMatchObject(passes(100n, 100n));
  });

  it('sells below 85 % of what was usual, and takes the PIN only where there is one that counts', () => {
    const fallen = { medianOut: 1_001n };
    expect(judge(SALE, { medianOut: 1_000n })).toMatchObject(passes(0n, 0n));
    expect(judge(SALE, fallen)).toMatchObject(asks('fallen'));
    expect(judge(SALE, { ...fallen, guard: OPEN })).toMatchObject(passes(0n, 0n));
    expect(judge(SALE, { ...fallen, guard: { ...WITH_PIN, unlocksFrom: NOW + 1 } })).toMatchObject(
      passes(0n, 0n),
    );
    // Judged before: the agreed minimum may fall as far as that.
    expect(judge(SALE, { ...fallen, leastOut: null })).toMatchObject(passes(0n, 0n));
    // The least of any later fire counts, however fair the first would be.
    expect(judge(SALE, { minOut: 1_000n, leastOut: 0n, medianOut: 1n })).toMatchObject(asks('fallen'));
  });

  it('passes what it needed the PIN for while that unlocks trades, and says what that was', () => {
    const guard = unlocked(WITH_PIN, NOW);
    const needs = { units: 101n, doubts: ['young'] as const, guard };
    expect(judge(BUY, needs)).toEqual({ ...passes(0n, 101n, 101n), covered: ['young', 'cap'] });
    expect(judge(BUY, { ...needs, now: NOW + UNLOCK_MS - 1 })).toMatchObject({ kind: 'pass' });
    expect(judge(BUY, { ...needs, now: NOW + UNLOCK_MS })).toMatchObject(asks('young', 'cap'));
    expect(judge(BUY, { ...needs, guard: locked(guard) })).toMatchObject(asks('young', 'cap'));
    // What an order was granted helps no tap.
    expect(judge(BUY, { ...needs, guard: WITH_PIN, grants: GRANTS })).toMatchObject(asks('young', 'cap'));
  });

  it('is refused while the account is frozen, whatever it is', () => {
    const guard = { ...unlocked(WITH_PIN, NOW), frozenAt: NOW };
    for (const source of ['tap', 'placing', 'fire'] as const) {
      let thrown: unknown = null;
      try {
        judge(SALE, { guard, source });
      } catch (error) {
        thrown = error;
      }
      expect(hasCode(thrown, 'ACCOUNT_FROZEN')).toBe(true);
    }
  });
});

describe.each(['fire', 'round', 'leg', 'copy'] as const)('a %s, which nobody is there for', (source) => {
  it('counts like a tap, and pauses for what a tap would ask', () => {
    expect(judge(BUY, { source })).toMatchObject(passes(100n, 100n));
    expect(judge(BUY, { source })).toMatchObject({ covered: [] });
    expect(judge(BUY, { source, units: 101n })).toEqual({ ...pauses('cap'), doubts: [] });
    expect(judge(BUY, { source, spent: { ...NOTHING_SPENT, k: 901n } })).toEqual({
      ...pauses('cap'),
      doubts: [],
    });
    expect(judge(BUY, { source, doubts: ['young'] })).toEqual({ ...pauses('doubt'), doubts: ['young'] });
    const doubted = { source, doubts: ['young'] as const };
    expect(judge(SALE, { ...doubted, minOut: 849n })).toEqual({ ...pauses('steep'), doubts: [] });
    expect(judge(SALE, { ...doubted, fees: 101n })).toEqual({ ...pauses('cap'), doubts: [] });
    // Doubts are about the bought token: lamports that leave without a trade count for none.
    expect(judge(BUY, { ...doubted, side: 'spend', grants: GRANTS })).toMatchObject(passes(0n, 100n, 0n));
    expect(judge(SALE, { source, medianOut: 1_001n })).toMatchObject(pauses('steep'));
  });

  it('sells at the lowest priority where its fees alone pass a limit, and pauses once those are used up', () => {
    const spent = { ...NOTHING_SPENT, s: 100n, k: 1_000n };
    const sale = { ...SALE, source, fees: 7n, floorFees: 2n, spent };
    expect(judge(sale)).toMatchObject(atFloor(2n));
    expect(judge(sale, { spent: { ...spent, floor: 9n } })).toMatchObject(pauses('cap'));
    expect(judge(sale, { minOut: 849n })).toMatchObject(pauses('steep'));
    expect(judge(sale, { minOut: 0n, grants: GRANTS })).toMatchObject(atFloor(2n));
    expect(judge(sale, { minOut: 0n, grants: GRANTS, now: NOW + 1 })).toMatchObject(pauses('locked'));
  });

  it('does not live on what is unlocked for its person at that moment', () => {
    const guard = unlocked(WITH_PIN, NOW);
    expect(judge(BUY, { source, guard, units: 101n })).toMatchObject(pauses('cap'));
    expect(judge(BUY, { source, guard, doubts: ['young'] })).toMatchObject(pauses('doubt'));
  });

  it('passes what it was granted, counted in all spending alone, and pauses for any more', () => {
    const granted = { source, grants: GRANTS, doubts: ['young'] as const };
    expect(judge(BUY, { ...granted, units: 200n })).toMatchObject(passes(0n, 200n, 200n));
    expect(judge(BUY, { ...granted, units: 201n })).toMatchObject(pauses('cap'));
    expect(judge(BUY, { ...granted, doubts: ['young', 'poor-exit'] })).toMatchObject(pauses('doubt'));
    expect(
      judge(SALE, { source, grants: GRANTS, minOut: 0n, leastOut: 0n, medianOut: 9_999n }),
    ).toMatchObject(passes(0n, 0n));
    const fair = { ...GRANTS, steep: false };
    expect(judge(SALE, { source, grants: fair, minOut: 849n })).toMatchObject(pauses('steep'));
    expect(judge(SALE, { source, grants: fair, medianOut: 1_001n })).toMatchObject(pauses('steep'));
  });

  it('pauses as locked once its grant has ended or trades were locked since, whatever it needs', () => {
    const needs = { source, grants: GRANTS };
    expect(judge(BUY, { ...needs, now: NOW })).toMatchObject({ kind: 'pass' });
    expect(judge(BUY, { ...needs, now: NOW + 1 })).toMatchObject(pauses('locked'));
    expect(judge(BUY, { ...needs, guard: locked(WITH_PIN), doubts: ['young'] })).toEqual({
      ...pauses('locked'),
      doubts: [],
    });
    expect(judge(BUY, { ...needs, guard: { ...WITH_PIN, lockEpoch: 1 } })).toMatchObject(pauses('locked'));
  });
});

describe('the price before a trade\u2019s own impact', () => {
  it('is rounded down, and without end where the impact is all', () => {
    expect(spotOutOf({ quotedOut: 90n, priceImpactBps: 1_000 })).toBe(100n);
    expect(spotOutOf({ quotedOut: 91n, priceImpactBps: 1_000 })).toBe(101n);
    expect(spotOutOf({ quotedOut: 1n, priceImpactBps: 10_000 })).toBeGreaterThan(10n ** 18n);
  });

  it('makes what is raised to the fair minimum fair, to the unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 19n }), (spotOut) => {
        const minOut = fairOut(spotOut);
        expect(judge(SALE, { minOut, leastOut: null, spotOut })).toMatchObject({ kind: 'pass' });
        if (minOut > 0n)
          expect(judge(SALE, { minOut: minOut - 1n, leastOut: null, spotOut })).toMatchObject(asks('steep'));
      }),
    );
  });
});

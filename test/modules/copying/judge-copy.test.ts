import { describe, expect, it } from 'vitest';
import {
  ACCEPTABLE,
  COPY_DEFAULTS,
  COPY_LIMITS,
  type CopyRules,
  isWider,
  misfitOf,
} from '../../../src/modules/copying/rules/copy.ts';
import { restAfter, saleSlippageBps, unitsToSell } from '../../../src/modules/copying/rules/copy-sale.ts';
import { copyKey, copyOfKey, legOf } from '../../../src/modules/copying/rules/copy-trade.ts';
import {
  copySize,
  dearerThan,
  isAskedAgain,
  judgeMarket,
  judgeSeen,
  type MarketFacts,
  type SeenFacts,
  SKIP_REASONS,
  type SkipReason,
} from '../../../src/modules/copying/rules/judge-copy.ts';
import { NO_EXITS } from '../../../src/modules/settings/rules/exit-set.ts';
import { newAddress } from '../../conformance/store-rows.ts';

const SOL = 1_000_000_000n;
const RULES: CopyRules = { ...COPY_DEFAULTS, exits: NO_EXITS };

const SEEN: SeenFacts = {
  rules: RULES,
  ageMs: 400,
  isPaused: false,
  isBase: false,
  isLeaderMade: false,
  isCopied: false,
  isHidden: false,
  boughtBefore: false,
  leaderLamports: SOL,
  spentToday: 0n,
  spentInAll: 0n,
};

const MARKET: MarketFacts = {
  level: 'CAREFUL',
  warnings: [],
  isYoung: false,
  isMadeHere: false,
  liquidityUsd: 100_000n,
  depthLamports: 600n * SOL,
  crowdLamports: 0n,
  ours: { lamports: SOL / 10n, units: 98_000n },
  theirs: { lamports: SOL, units: 1_000_000n },
  roundTripBps: 9_600n,
};

/** Each reason with the one fact that brings it about, in the order in which they are asked. */
const SEEN_FAULTS: readonly (readonly [SkipReason, Partial<SeenFacts>])[] = [
  ['late', { ageMs: 15_001 }],
  ['paused', { isPaused: true }],
  ['base', { isBase: true }],
  ['leader-made', { isLeaderMade: true }],
  ['copied', { isCopied: true }],
  ['hidden', { isHidden: true }],
  ['bought-before', { boughtBefore: true }],
  ['unpriced', { leaderLamports: null }],
  ['leader-small', { rules: { ...RULES, leastLamports: 2n * SOL } }],
  ['dust', { rules: { ...RULES, size: { kind: 'share', percent: 1 } }, leaderLamports: SOL - 1n }],
  ['trade-cap', { rules: { ...RULES, tradeLamports: SOL / 10n - 1n } }],
  ['day-cap', { spentToday: RULES.dayLamports - SOL / 10n + 1n }],
  ['total-cap', { spentInAll: RULES.totalLamports - SOL / 10n + 1n }],
];
const MARKET_FAULTS: readonly (readonly [SkipReason, Partial<MarketFacts>])[] = [
  ['block', { level: 'BLOCK', warnings: [{ code: 'PERMANENT_DELEGATE', severity: 'BLOCK' }] }],
  ['mint-code', { warnings: [{ code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL' }] }],
  ['young', { isYoung: true }],
  ['made-here', { isMadeHere: true }],
  ['liquidity', { liquidityUsd: 9_999n }],
  ['depth', { depthLamports: 4n * SOL - 1n }],
  ['crowd', { crowdLamports: 30n * SOL - SOL / 10n + 1n }],
  ['dearer', { ours: { lamports: SOL / 10n, units: 90_900n } }],
  ['round-trip', { roundTripBps: 8_499n }],
];

describe('the judge of a copied purchase', () => {
  it('lets one pass that breaks nothing, and asks in the order that is written down', () => {
    expect(judgeSeen(SEEN)).toBeNull();
    expect(judgeMarket(RULES, MARKET)).toBeNull();
    const asked = [...SEEN_FAULTS, ...MARKET_FAULTS].map(([reason]) => reason);
    expect(SKIP_REASONS.filter((reason) => asked.includes(reason))).toEqual(asked);
    // The quote itself refuses the rest.
    expect(SKIP_REASONS.filter((reason) => !asked.includes(reason))).toEqual([
      'exits',
      'funds',
      'no-route',
      'not-held',
    ]);
  });

  it.each(SEEN_FAULTS)('skips what is %s', (reason, fault) => {
    expect(judgeSeen({ ...SEEN, ...fault })?.reason).toBe(reason);
  });

  it.each(MARKET_FAULTS)('skips what is %s in the market', (reason, fault) => {
    expect(judgeMarket(RULES, { ...MARKET, ...fault })?.reason).toBe(reason);
  });

  it('names the first of two reasons', () => {
    for (const [index, [reason, fault]] of SEEN_FAULTS.entries())
      for (const [, later] of SEEN_FAULTS.slice(index + 1))
        if (
          !('rules' in fault && 'rules' in later) &&
          !('leaderLamports' in fault && 'leaderLamports' in later)
        )
          expect(judgeSeen({ ...SEEN, ...later, ...fault })?.reason).toBe(reason);
    for (const [index, [reason, fault]] of MARKET_FAULTS.entries())
      for (const [, later] of MARKET_FAULTS.slice(index + 1))
        expect(judgeMarket(RULES, { ...MARKET, ...later, ...fault })?.reason).toBe(reason);
  });

  it('says by which number each limit was broken, and passes at the limit itself', () => {
    expect(judgeSeen({ ...SEEN, ageMs: 15_001 })).toMatchObject({ value: 15_001n, limit: 15_000n });
    expect(judgeSeen({ ...SEEN, ageMs: 15_000 })).toBeNull();
    expect(judgeSeen({ ...SEEN, ageMs: Number.NaN })).toMatchObject({ reason: 'late', value: null });
    const day = RULES.dayLamports;
    expect(judgeSeen({ ...SEEN, spentToday: day - SOL / 10n })).toBeNull();
    expect(judgeSeen({ ...SEEN, spentToday: day })).toMatchObject({ value: day + SOL / 10n, limit: day });
    expect(judgeMarket(RULES, { ...MARKET, liquidityUsd: 3_100n })).toMatchObject({
      reason: 'liquidity',
      value: 3_100n,
      limit: 10_000n,
    });
    expect(judgeMarket(RULES, { ...MARKET, depthLamports: 4n * SOL })).toBeNull();
    expect(judgeMarket(RULES, { ...MARKET, crowdLamports: 30n * SOL - SOL / 10n })).toBeNull();
    expect(judgeMarket(RULES, { ...MARKET, roundTripBps: 8_500n })).toBeNull();
  });

  it('counts what is not known against a token', () => {
    const unknown: readonly Partial<MarketFacts>[] = [
      { liquidityUsd: null },
      { depthLamports: null },
      { roundTripBps: null },
      { theirs: { lamports: SOL, units: 0n } },
    ];
    for (const fault of unknown) expect(judgeMarket(RULES, { ...MARKET, ...fault })).not.toBeNull();
  });

  it('lifts a warning that was agreed to, and never a block', () => {
    const agreed = { ...RULES, accepted: ACCEPTABLE, young: true };
    const warnings = [{ code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL' }] as const;
    expect(judgeMarket(agreed, { ...MARKET, warnings, isYoung: true })).toBeNull();
    expect(judgeMarket(agreed, { ...MARKET, level: 'BLOCK', warnings })).toMatchObject({ reason: 'block' });
    // A moment's figures have reasons of their own, and are no power of the mint.
    const small = [{ code: 'SMALL', severity: 'CAREFUL' }] as const;
    expect(judgeMarket(RULES, { ...MARKET, warnings: small })).toBeNull();
  });

  it('takes the person’s sum, or a part of the leader’s, rounded down', () => {
    expect(copySize(RULES, 7n)).toBe(SOL / 10n);
    expect(copySize({ size: { kind: 'share', percent: 33 } }, 199n)).toBe(65n);
    expect(dearerThan({ lamports: 11n, units: 10n }, { lamports: 10n, units: 10n })).toBe(1_000n);
    expect(dearerThan({ lamports: 9n, units: 10n }, { lamports: 10n, units: 10n })).toBe(-1_000n);
  });
});

describe('the rules of a copy', () => {
  const most = 5n * SOL;
  it.each([
    ['size', { size: { kind: 'share', percent: 0 } }],
    ['size', { size: { kind: 'share', percent: 101 } }],
    ['size', { size: { kind: 'share', percent: 1.5 } }],
    ['size', { size: { kind: 'fixed', lamports: COPY_LIMITS.leastBuyLamports - 1n } }],
    ['size', { size: { kind: 'fixed', lamports: RULES.tradeLamports + 1n } }],
    ['trade-cap', { tradeLamports: 0n }],
    ['day-cap', { dayLamports: most + 1n, totalLamports: most + 1n }],
    ['day-cap', { dayLamports: RULES.tradeLamports - 1n }],
    ['total-cap', { totalLamports: RULES.dayLamports - 1n }],
    ['least', { leastLamports: -1n }],
    ['accepted', { accepted: ['SAME_SYMBOL'] }],
  ] as const satisfies readonly (readonly [string, Partial<CopyRules>])[])(
    'refuse a wrong %s',
    (misfit, wrong) => {
      expect(misfitOf({ ...RULES, ...wrong }, most)).toBe(misfit);
    },
  );

  it('fit as they are proposed, and know what is wider', () => {
    expect(misfitOf(RULES, most)).toBeNull();
    expect(isWider(RULES, RULES)).toBe(false);
    for (const wider of [
      { tradeLamports: RULES.tradeLamports + 1n },
      { dayLamports: RULES.dayLamports + 1n },
      { totalLamports: RULES.totalLamports + 1n },
      { size: { kind: 'fixed', lamports: SOL / 10n + 1n } },
      { size: { kind: 'share', percent: 1 } },
      { each: true },
      { young: true },
      { accepted: ['MINT_AUTHORITY_LIVE'] },
    ] as const) {
      const changed: CopyRules = { ...RULES, ...wider };
      expect(isWider(changed, RULES)).toBe(true);
      if (!('size' in wider)) expect(isWider(RULES, changed)).toBe(false);
    }
    expect(isWider(RULES, { ...RULES, leastLamports: 1n })).toBe(true);
  });
});

describe('a sale behind a leader’s', () => {
  it('sells the same part, rounded down, and all from 95 % on or where it is not known', () => {
    expect(unitsToSell({ sold: 1n, heldBefore: 3n }, 100n)).toBe(33n);
    expect(unitsToSell({ sold: 9_499n, heldBefore: 10_000n }, 1_000n)).toBe(949n);
    expect(unitsToSell({ sold: 9_500n, heldBefore: 10_000n }, 1_000n)).toBe(1_000n);
    expect(unitsToSell({ sold: 5n, heldBefore: 5n }, 7n)).toBe(7n);
    expect(unitsToSell({ sold: 5n, heldBefore: null }, 7n)).toBe(7n);
    expect(unitsToSell({ sold: 5n, heldBefore: 10n }, 0n)).toBe(0n);
  });

  it('gives way step by step, 25 % at most, and rests longer each time', () => {
    expect([0, 1, 2, 9].map((tries) => saleSlippageBps(500, tries))).toEqual([500, 750, 2_500, 2_500]);
    expect(saleSlippageBps(10_000, 0)).toBe(2_500);
    expect([1, 2, 3, 99].map(restAfter)).toEqual([2_000, 4_000, 8_000, 60_000]);
  });
});

describe('the name of a copied trade', () => {
  it('is the same whenever it is read, and is read back', () => {
    const leg = legOf({ side: 'sell', mint: newAddress() });
    const trade = { copyId: 'c', signature: 's', leg };
    expect(copyOfKey(copyKey(trade))).toEqual({ ...trade, tries: 0 });
    expect(copyOfKey(copyKey(trade, 3))).toEqual({ ...trade, tries: 3 });
    for (const other of ['auto-1', 'copy:c', 'copy:c:s:hold-x', 'copy:c:s:buy-x:1:2', 'copy:c:s:buy-x:y'])
      expect(copyOfKey(other)).toBeNull();
  });
});

describe('a figure that has no answer', () => {
  const unknown: readonly (readonly [string, Partial<MarketFacts>])[] = [
    ['rehearsal', { roundTripBps: null }],
    ['liquidity', { liquidityUsd: null }],
    ['depth', { depthLamports: null }],
  ];

  it.each(unknown)('is asked for again while the trade is young, and skips it afterwards: %s', (_, facts) => {
    const why = judgeMarket(RULES, { ...MARKET, ...facts });
    if (why === null) throw new Error('it is a reason');
    expect([0, 10_999, 11_000, 15_000, Number.NaN].map((age) => isAskedAgain(why, age))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('is no figure that is known and bad, and no reason without a figure', () => {
    const bad: readonly Partial<MarketFacts>[] = [
      { roundTripBps: 0n },
      { liquidityUsd: 1n },
      { depthLamports: 1n },
      { level: 'BLOCK' },
      { isYoung: true },
      { ours: { lamports: 1n, units: 0n } },
    ];
    for (const facts of bad) {
      const why = judgeMarket(RULES, { ...MARKET, ...facts });
      if (why === null) throw new Error('it is a reason');
      expect(isAskedAgain(why, 0), why.reason).toBe(false);
    }
  });
});

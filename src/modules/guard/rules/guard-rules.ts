import type { Rate } from './acts.ts';
import type { GuardRules } from './guard.ts';
import type { RateRule } from './judge-act.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SOL = 1_000_000_000n;

const RATE_RULES: Readonly<Record<Rate, RateRule>> = {
  withdraw: { count: 10, spanMs: HOUR },
  export: { count: 3, spanMs: 7 * DAY },
  order: { count: 20, spanMs: HOUR },
  import: { count: 3, spanMs: DAY },
  switch: { count: 20, spanMs: HOUR },
  'payout-wallet': { count: 1, spanMs: 7 * DAY },
  rename: { count: 5, spanMs: DAY },
  'pin-change': { count: 3, spanMs: DAY },
  settings: { count: 60, spanMs: HOUR },
  'referral-code': { count: 3, spanMs: DAY },
  'api-keys': { count: 5, spanMs: HOUR },
  'key-ask': { count: 5, spanMs: HOUR },
  'notice-mail': { count: 5, spanMs: DAY },
  'mail-code': { count: 5, spanMs: HOUR },
};

/** The rules unless an operator says otherwise. */
export const PRODUCTION_RULES: GuardRules = {
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
  rates: RATE_RULES,
};

/** Play money on one's own machine needs no waiting. */
export const LOCAL_RULES: GuardRules = { ...PRODUCTION_RULES, delayMs: 0, longDelayMs: 0 };

/** The operator's settings for everybody; `isLocal` waits 0 unless it is said otherwise. */
export function guardRulesOf(
  set: {
    /** Seconds; null = as usual. */
    readonly addressDelaySeconds: number | null;
    readonly longDelaySeconds: number | null;
    readonly dailyCapLamports: bigint;
    readonly spendCapLamports: bigint;
    readonly allSpendingLamports: bigint;
    readonly doubtedLamports: bigint;
    readonly sinceRightPinLamports: bigint;
    readonly payoutsLamports: bigint;
    readonly unprovedLamports: bigint;
    /** An absent one stays as usual. */
    readonly actRates: Partial<Record<Rate, RateRule>>;
  },
  isLocal: boolean,
): GuardRules {
  const usual = isLocal ? LOCAL_RULES : PRODUCTION_RULES;
  const wait = (seconds: number | null, ms: number): number => (seconds === null ? ms : 1_000 * seconds);
  return {
    ...usual,
    delayMs: wait(set.addressDelaySeconds, usual.delayMs),
    longDelayMs: wait(set.longDelaySeconds, usual.longDelayMs),
    dailyCapLamports: set.dailyCapLamports,
    spendCapLamports: set.spendCapLamports,
    allSpendingLamports: set.allSpendingLamports,
    doubtedLamports: set.doubtedLamports,
    sinceRightPinLamports: set.sinceRightPinLamports,
    payoutsLamports: set.payoutsLamports,
    unprovedLamports: set.unprovedLamports,
    rates: { ...usual.rates, ...set.actRates },
  };
}

import type { SafetyLevel, SafetyWarning } from '../../tokens/rules/safety.ts';
import { COPY_LIMITS, type CopyRules } from './copy.ts';

/** Why a leader's purchase is not copied, cheapest question first; `not-held` is of a sale of a token that the copy never bought. */
export const SKIP_REASONS = [
  'late',
  'paused',
  'base',
  'leader-made',
  'copied',
  'hidden',
  'bought-before',
  'unpriced',
  'leader-small',
  'dust',
  'trade-cap',
  'day-cap',
  'total-cap',
  'block',
  'mint-code',
  'young',
  'made-here',
  'liquidity',
  'depth',
  'crowd',
  'dearer',
  'round-trip',
  'exits',
  'funds',
  'no-route',
  'not-held',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * A skip with its number and the limit that the number broke. Milliseconds for `late`, lamports for sums, whole dollars for `liquidity`,
 * bps for `dearer` and `round-trip`. Null where there is no number: the person's own lists, a power of the mint, an unknown price.
 */
export type Skip = {
  readonly reason: SkipReason;
  readonly value: bigint | null;
  readonly limit: bigint | null;
  /** Of `block` and `mint-code`: the warning. */
  readonly code: string | null;
};

export const COPY_JUDGED = {
  lateMs: 15_000n,
  liquidityUsd: 10_000n,
  /** A purchase is at most this part of one side of the pools. */
  depthPart: 20n,
  /** All copies of one leader in one token, as a part of both sides: our own crowd is the exit. */
  crowdBps: 500n,
  /** Above the leader's price. */
  dearerBps: 1_000n,
  roundTripBps: 8_500n,
} as const;

const WHOLE = 10_000n;

/** The facts that need no market. `spent` sums are of this copy's purchases that moved something or still may. */
export type SeenFacts = {
  readonly rules: CopyRules;
  readonly ageMs: number;
  readonly isPaused: boolean;
  readonly isBase: boolean;
  readonly isLeaderMade: boolean;
  /** The leader's purchase is a copy of this desk: two wallets that copy each other would go on for ever. */
  readonly isCopied: boolean;
  readonly isHidden: boolean;
  readonly boughtBefore: boolean;
  /** The worth of the leader's purchase; null where it has no price of its own. */
  readonly leaderLamports: bigint | null;
  readonly spentToday: bigint;
  readonly spentInAll: bigint;
};

/** The market of the token for this very purchase, asked as it would be signed. */
export type MarketFacts = {
  readonly level: SafetyLevel;
  readonly warnings: readonly Pick<SafetyWarning, 'code' | 'severity'>[];
  readonly isYoung: boolean;
  readonly isMadeHere: boolean;
  /** Of both sides, in whole dollars; null where it is not known. */
  readonly liquidityUsd: bigint | null;
  /** Of both sides, in lamports; null where it is not known. */
  readonly depthLamports: bigint | null;
  /** Lamports that all copies of this leader paid for this token and did not sell, without this purchase. */
  readonly crowdLamports: bigint;
  /** Lamports and units of this purchase, and of the leader's. */
  readonly ours: { readonly lamports: bigint; readonly units: bigint };
  readonly theirs: { readonly lamports: bigint; readonly units: bigint };
  /** The result of a rehearsed purchase and sale, in bps; null where it could not be tried. */
  readonly roundTripBps: bigint | null;
};

export const skip = (
  reason: SkipReason,
  value: bigint | null = null,
  limit: bigint | null = null,
  code: Skip['code'] = null,
): Skip => ({ reason, value, limit, code });

/** Lamports of a copied purchase, rounded down: the person's own sum, or their part of the leader's. */
export function copySize({ size }: Pick<CopyRules, 'size'>, leaderLamports: bigint): bigint {
  return size.kind === 'fixed' ? size.lamports : (leaderLamports * BigInt(size.percent)) / 100n;
}

/** The first reason of those that need no market, or null. */
export function judgeSeen(facts: SeenFacts): Skip | null {
  const { rules, leaderLamports, spentToday, spentInAll } = facts;
  // Written so that NaN is late.
  if (!(facts.ageMs <= Number(COPY_JUDGED.lateMs)))
    return skip(
      'late',
      Number.isFinite(facts.ageMs) ? BigInt(Math.round(facts.ageMs)) : null,
      COPY_JUDGED.lateMs,
    );
  if (facts.isPaused) return skip('paused');
  if (facts.isBase) return skip('base');
  if (facts.isLeaderMade) return skip('leader-made');
  if (facts.isCopied) return skip('copied');
  if (facts.isHidden) return skip('hidden');
  if (facts.boughtBefore && !rules.each) return skip('bought-before');
  if (leaderLamports === null) return skip('unpriced');
  if (leaderLamports < rules.leastLamports) return skip('leader-small', leaderLamports, rules.leastLamports);
  const lamports = copySize(rules, leaderLamports);
  if (lamports < COPY_LIMITS.leastBuyLamports) return skip('dust', lamports, COPY_LIMITS.leastBuyLamports);
  if (lamports > rules.tradeLamports) return skip('trade-cap', lamports, rules.tradeLamports);
  if (spentToday + lamports > rules.dayLamports)
    return skip('day-cap', spentToday + lamports, rules.dayLamports);
  if (spentInAll + lamports > rules.totalLamports)
    return skip('total-cap', spentInAll + lamports, rules.totalLamports);
  return null;
}

/** The first reason of the token and its market, or null. An unknown figure counts against it. */
export function judgeMarket(rules: CopyRules, facts: MarketFacts): Skip | null {
  return judgeToken(rules, facts) ?? judgePools(facts) ?? judgePrice(facts);
}

function judgeToken(rules: CopyRules, facts: MarketFacts): Skip | null {
  const { level, warnings } = facts;
  if (level === 'BLOCK')
    return skip('block', null, null, warnings.find(({ severity }) => severity === 'BLOCK')?.code ?? null);
  const open = warnings.find(
    ({ code, severity }) =>
      severity === 'CAREFUL' && !MARKET_CODES.has(code) && !rules.accepted.includes(code),
  );
  if (open !== undefined) return skip('mint-code', null, null, open.code);
  if (facts.isYoung && !rules.young) return skip('young');
  return facts.isMadeHere ? skip('made-here') : null;
}

/** Warnings of a moment, which come and go: their figures are judged by themselves. */
const MARKET_CODES: ReadonlySet<SafetyWarning['code']> = new Set([
  'POOR_EXIT',
  'YOUNG',
  'SMALL',
  'FEW_HOLDERS',
  'NOT_ENOUGH_KNOWN',
]);

function judgePools({ liquidityUsd, depthLamports, crowdLamports, ours }: MarketFacts): Skip | null {
  const { liquidityUsd: least, depthPart, crowdBps } = COPY_JUDGED;
  if (liquidityUsd === null || liquidityUsd < least) return skip('liquidity', liquidityUsd, least);
  if (depthLamports === null) return skip('depth', ours.lamports, null);
  const mostOfSide = depthLamports / 2n / depthPart;
  if (ours.lamports > mostOfSide) return skip('depth', ours.lamports, mostOfSide);
  const crowd = crowdLamports + ours.lamports;
  const mostOfAll = (depthLamports * crowdBps) / WHOLE;
  return crowd > mostOfAll ? skip('crowd', crowd, mostOfAll) : null;
}

function judgePrice({ ours, theirs, roundTripBps }: MarketFacts): Skip | null {
  const { dearerBps, roundTripBps: least } = COPY_JUDGED;
  const dearer = dearerThan(ours, theirs);
  if (dearer === null || dearer > dearerBps) return skip('dearer', dearer, dearerBps);
  return roundTripBps === null || roundTripBps < least ? skip('round-trip', roundTripBps, least) : null;
}

/** A leader's trade that is younger is asked about again: a later answer comes a second or more before it is too late. */
const ASKED_AGAIN_MS = 11_000;

/**
 * Whether a skip of the market says only that a figure is not known, while the trade is young enough to ask again: a node that gave no
 * answer is no reason yet. Later the skip stays, with no number.
 */
export function isAskedAgain({ reason, value, limit }: Skip, ageMs: number): boolean {
  const isUnknown =
    reason === 'depth'
      ? limit === null
      : (reason === 'liquidity' || reason === 'round-trip') && value === null;
  return isUnknown && ageMs < ASKED_AGAIN_MS;
}

type Paid = MarketFacts['ours'];

/** How much more a unit costs us than the leader, in bps, rounded up; negative where it is cheaper. Null where either has no units. */
export function dearerThan(ours: Paid, theirs: Paid): bigint | null {
  if (ours.units <= 0n || theirs.units <= 0n || theirs.lamports <= 0n) return null;
  const [top, bottom] = [ours.lamports * theirs.units * WHOLE, theirs.lamports * ours.units];
  return (top + bottom - 1n) / bottom - WHOLE;
}

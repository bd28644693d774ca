import {
  levelOf,
  type SafetyWarning,
  type TokenSafety,
  type UnknownFact,
} from '../../tokens/rules/safety.ts';

/** The market's facts about a token. Null is "not known", which counts against it. */
export type MarketFacts = {
  /** Whether a source shows that it is a day old. */
  readonly isOld: boolean | null;
  readonly liquidityUsd: number | null;
  readonly holders: number | null;
  /** There are so many at least, where `holders` is not known; absent or null where that is not known either. */
  readonly holdersAtLeast?: number | null;
  readonly top10Bps: number | null;
  /**
   * The share of a small purchase's cost that its sale would bring back, both platform fees taken off: the figure that the card prints.
   * Absent where no purchase is rehearsed, such as on a page.
   */
  readonly returnedBps?: number | null;
};

const SMALL_USD = 5_000;
const FEW_HOLDERS = 50;
/** Of the amount paid, every fee but the network's taken off. */
export const GOOD_RETURN_BPS = 9_500;

/**
 * The worse of the verdict on the mint and the verdict on the market. CAREFUL: less than a day old, less than $5,000 of liquidity, fewer
 * than 50 holders, a poor way out, or one of these is not known. `safety` has judged the mint and its concentration in few hands. Its own
 * figure of the way out, before fees, gives way to this one. These findings come and go, so no order is paused by them.
 */
export function withMarket(safety: TokenSafety, facts: MarketFacts): TokenSafety {
  const { returnedBps } = facts;
  const poor: readonly SafetyWarning[] =
    returnedBps != null && returnedBps < GOOD_RETURN_BPS
      ? [{ code: 'POOR_EXIT', severity: 'CAREFUL', returnedBps }]
      : [];
  const others =
    returnedBps == null ? safety.warnings : safety.warnings.filter(({ code }) => code !== 'POOR_EXIT');
  const warnings = [...poor, ...others, ...marketWarnings(facts, cannotTrade(safety))];
  return { level: levelOf(warnings), warnings };
}

/** A rehearsal that was refused says more than an unknown figure. */
const cannotTrade = ({ warnings }: TokenSafety): boolean =>
  warnings.some(({ code }) => code === 'CANNOT_SELL' || code === 'CANNOT_BUY');

function marketWarnings(facts: MarketFacts, refused: boolean): readonly SafetyWarning[] {
  const { isOld, liquidityUsd, holders, holdersAtLeast, top10Bps, returnedBps } = facts;
  const areMany = holders === null && (holdersAtLeast ?? 0) >= FEW_HOLDERS;
  const warnings: SafetyWarning[] = [];
  // Written so that NaN is no good figure.
  if (liquidityUsd !== null && !(liquidityUsd >= SMALL_USD))
    warnings.push({ code: 'SMALL', severity: 'CAREFUL', liquidityUsd });
  if (isOld === false) warnings.push({ code: 'YOUNG', severity: 'CAREFUL' });
  if (holders !== null && !(holders >= FEW_HOLDERS))
    warnings.push({ code: 'FEW_HOLDERS', severity: 'CAREFUL', holders });
  const unknown: UnknownFact[] = [
    ...(isOld === null ? (['age'] as const) : []),
    ...(liquidityUsd === null ? (['liquidity'] as const) : []),
    ...((holders === null && !areMany) || top10Bps === null ? (['holders'] as const) : []),
    ...(returnedBps === null && !refused ? (['exit'] as const) : []),
  ];
  if (unknown.length > 0) warnings.push({ code: 'NOT_ENOUGH_KNOWN', severity: 'CAREFUL', unknown });
  return warnings;
}

import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import { AUTO_CAP_BPS } from './auto-slippage.ts';

/** The most that one tap allows, in whole percents. */
export const ALLOWED_PERCENT = { least: 1, most: AUTO_CAP_BPS.most / 100 } as const;
/** Above it a trade may bring much less: the PIN is asked for, as by a setting of that size. */
export const ALLOWED_WITHOUT_PIN = 15;

/**
 * The slippage that lets a trade through which the market now gives `got` of, in whole percents and rounded up. Null where the agreed
 * slippage is enough again, where the amount is not known (0), and where it would take more than half of the trade.
 */
export function percentThatPasses(
  { quotedOut, slippageBps }: Pick<TradeTerms, 'quotedOut' | 'slippageBps'>,
  got: bigint,
): number | null {
  if (got <= 0n || quotedOut <= 0n) return null;
  const lost = quotedOut - got;
  const percent = lost <= 0n ? 0n : (lost * 100n + quotedOut - 1n) / quotedOut;
  return percent * 100n > BigInt(slippageBps) && percent <= BigInt(ALLOWED_PERCENT.most)
    ? Number(percent)
    : null;
}

/** A wanted slippage in whole percents, rounded up; null where it is more than one tap allows. */
export function percentOf(wantedBps: number): number | null {
  const percent = Math.max(ALLOWED_PERCENT.least, Math.ceil(wantedBps / 100));
  return percent <= ALLOWED_PERCENT.most ? percent : null;
}

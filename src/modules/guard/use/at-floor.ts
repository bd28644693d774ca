import { feesOf } from '../../../engine/intents/kinds/kind.ts';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { atTier, rulesOf } from '../../../engine/intents/kinds/rules.ts';
import { FLOOR_TIER } from '../rules/floor.ts';
import type { TradeVerdict } from '../rules/judge-trade.ts';

/** Network fees at most of a sale at the lowest priority, in lamports. */
export const FLOOR_FEES: bigint = feesOf(rulesOf('sell'), FLOOR_TIER);

class FloorNeeded extends Error {}

/** Throws, for `orAtFloor` alone, where the verdict allows the lowest priority only and these params ask for another. */
export function assertPriority(
  { isAtFloor }: Pick<Extract<TradeVerdict, { kind: 'pass' }>, 'isAtFloor'>,
  params: IntentParams,
): void {
  if (isAtFloor === true && rulesOf(params.kind).policy.tierOf(params) !== FLOOR_TIER)
    throw new FloorNeeded();
}

/** Does the work, and does it once more at the lowest priority where its first commit was rolled back for that. */
export async function orAtFloor<T>(
  params: IntentParams,
  work: (params: IntentParams) => Promise<T>,
): Promise<T> {
  try {
    return await work(params);
  } catch (error) {
    if (!(error instanceof FloorNeeded)) throw error;
    return work(atTier(params, FLOOR_TIER));
  }
}

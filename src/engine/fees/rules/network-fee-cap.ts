import { LAMPORTS_PER_SIGNATURE } from '../../../core/amounts/lamports.ts';
import { PRIORITY_TIERS, type PriorityTier } from '../../../modules/settings/rules/settings.ts';

/** The most a transaction of this tier can cost: a confirm screen may promise it as "up to". */
export function networkFeeCap(tier: PriorityTier, signatures = 1): bigint {
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + PRIORITY_TIERS[tier].capLamports;
}

import { LAMPORTS_PER_SIGNATURE, minBigint } from '@tradepost/solana';
import { PRIORITY_TIERS, type PriorityTier } from '../../../modules/settings/rules/settings.ts';

/** The most for priority: the tier's cap, or less where the caller asked for less. */
export function priorityCap(tier: PriorityTier, atMost: bigint | null = null): bigint {
  const { capLamports } = PRIORITY_TIERS[tier];
  return atMost === null ? capLamports : minBigint(atMost, capLamports);
}

/** The most a transaction of this tier can cost: a confirm screen may promise it as "up to". */
export function networkFeeCap(tier: PriorityTier, signatures = 1, atMost: bigint | null = null): bigint {
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityCap(tier, atMost);
}

import type { Address } from '@tradepost/solana';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';

export type WithdrawSolParams = {
  readonly kind: 'withdraw-sol';
  readonly destination: Address;
  /** Lamports the recipient gets. Ignored when `everything`: then it is the balance less the network fee, leaving 0. */
  readonly lamports: bigint;
  readonly everything: boolean;
  readonly tier: PriorityTier;
};

import type { Address } from '@tradepost/solana';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';

export type WithdrawTokenParams = {
  readonly kind: 'withdraw-token';
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** The recipient's wallet; tokens go to its associated token account, created when missing at the sender's cost. */
  readonly destination: Address;
  /** Units that leave the wallet; a Token-2022 transfer fee is taken out of them on the way. */
  readonly amount: bigint;
  readonly tier: PriorityTier;
  /**
   * The worth in lamports that its person's day counts, as it was when it was confirmed; null = not known. Absent before that, and in rows of
   * earlier releases.
   */
  readonly worth?: bigint | null;
};

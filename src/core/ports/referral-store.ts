import type { ReferralAccount, ReferralTotals, Reward } from '../referrals/reward.ts';

export interface ReferralStore {
  account(userId: string): Promise<ReferralAccount | null>;
  accountByCode(code: string): Promise<ReferralAccount | null>;
  /** Creates the account unless the person has one; returns the one that stands. */
  open(account: ReferralAccount): Promise<ReferralAccount>;
  totals(userId: string): Promise<ReferralTotals>;
  /** Inserts; false when the signature already has a reward. */
  addReward(reward: Reward): Promise<boolean>;
  /** Sum of accrued rewards per inviter, largest first; locks the rewards against another collector. */
  lockAccrued(limit: number): Promise<
    readonly {
      readonly inviterId: string;
      readonly lamports: bigint;
      readonly rewardIds: readonly string[];
    }[]
  >;
  markBatched(rewardIds: readonly string[], payoutIntentId: string): Promise<void>;
  /** Moves the batch's rewards to PAID, or back to ACCRUED when the payout did not land. */
  settle(payoutIntentId: string, status: 'PAID' | 'ACCRUED'): Promise<void>;
  /** A person's rewards, newest first. */
  rewards(inviterId: string, limit: number): Promise<readonly Reward[]>;
}

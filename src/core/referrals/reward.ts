/** Lamports owed to a person, paid with the next payout: an inviter's share of one finalized fee, or a rebate. */
export type Reward = {
  readonly id: string;
  readonly source: 'referral' | 'rebate';
  /** Whom it is owed to. */
  readonly inviterId: string;
  /** The trade whose fee is shared; null for a rebate, as its fee is. */
  readonly inviteeId: string | null;
  readonly intentId: string | null;
  /** Signature of the transaction whose fee is shared, or a rebate's redemption; unique. */
  readonly signature: string;
  readonly feeLamports: bigint | null;
  readonly lamports: bigint;
  readonly status: 'ACCRUED' | 'BATCHED' | 'PAID';
  readonly payoutIntentId: string | null;
  readonly createdAt: number;
};

export type ReferralAccount = {
  readonly userId: string;
  /** Random, 8 characters; part of the invite link. */
  readonly code: string;
  readonly createdAt: number;
};

export type ReferralTotals = {
  readonly invited: number;
  /** Invitees with at least one finalized trade. */
  readonly active: number;
  readonly earnedLamports: bigint;
  readonly paidLamports: bigint;
  /** Earned, not yet finally paid. */
  readonly pendingLamports: bigint;
  readonly lastPayout: { readonly signature: string; readonly at: number } | null;
};

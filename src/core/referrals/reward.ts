/** One inviter's share of one finalized fee. */
export type Reward = {
  readonly id: string;
  readonly inviterId: string;
  readonly inviteeId: string;
  readonly intentId: string;
  /** Signature of the transaction whose fee is shared; unique. */
  readonly signature: string;
  readonly feeLamports: bigint;
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

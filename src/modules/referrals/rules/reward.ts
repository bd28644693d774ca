import type { Address } from '@tradepost/solana';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import type { IntentStatus } from '../../../engine/intents/rules/intent.ts';

/** Lamports owed to a person, paid with the next payout: an inviter's share of one finalized fee, a rebate, or converted points. */
export type Reward = {
  readonly id: string;
  readonly source: 'referral' | 'rebate' | 'conversion';
  /** Whom it is owed to. */
  readonly inviterId: string;
  /** The trade whose fee is shared; null for the others, as its fee is. */
  readonly inviteeId: string | null;
  readonly intentId: string | null;
  /** Signature of the transaction whose fee is shared, a rebate's redemption, or `<period>.<user>`; unique. */
  readonly signature: string;
  readonly feeLamports: bigint | null;
  readonly lamports: bigint;
  readonly status: 'ACCRUED' | 'BATCHED' | 'PAID';
  readonly payoutIntentId: string | null;
  readonly createdAt: number;
};

export type ReferralAccount = {
  readonly userId: string;
  /** Part of the invite link: random, 8 characters, or chosen (`referral-code.ts`). Upper case. */
  readonly code: string;
  readonly createdAt: number;
  /** How often the person chose a code of their own. */
  readonly codesChosen: number;
};

/** A reward as its inviter may check it: which receipt it is of, and which transaction paid it. */
export type RewardLine = Reward & {
  /** Who it was, as the inviter may know it; null for a rebate. */
  readonly inviteeMark: string | null;
  /** The invitee's receipt; null for a rebate. */
  readonly receipt: string | null;
  readonly kind: IntentParams['kind'] | null;
  /** The payout's transaction, once it is final. */
  readonly payoutSignature: string | null;
};

/** Something an invitee did that brought no reward, or has not yet. */
export type UncountedLine = {
  readonly inviteeMark: string;
  readonly receipt: string;
  readonly kind: IntentParams['kind'];
  readonly status: IntentStatus;
  /** The lamports that the treasury got, once they are known. */
  readonly feeLamports: bigint | null;
  readonly createdAt: number;
};

export type Campaign = {
  readonly tag: string;
  readonly invited: number;
  /** Those of them with a finalized trade. */
  readonly active: number;
  readonly earnedLamports: bigint;
};

/** An inviter with rewards to be paid, and the active wallet they go to. */
export type PayoutCandidate = {
  readonly inviterId: string;
  readonly recipient: Address;
  readonly lamports: bigint;
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

/**
 * Double entry: every transfer's entries sum to zero. Positive credits the account, negative debits it. Owed-to-people
 * accounts never go below zero; the house's accounts hold no stored balance (it is derived from entries), because one hot
 * row would serialise every trade.
 */
export type AccountRef =
  /** The service's debt to an inviter. */
  | { readonly kind: 'referral-payable'; readonly owner: string }
  /** Rewards in a payout that is not final yet. */
  | { readonly kind: 'referral-in-flight'; readonly owner: string }
  /** Lamports in the treasury wallet, seen from the books: an asset, so collected fees debit it. */
  | { readonly kind: 'treasury' }
  /** The service's own part of its fees. */
  | { readonly kind: 'revenue' }
  /** Network fees the service paid for its own transactions. */
  | { readonly kind: 'network-fees' }
  /** Lamports promised for converted points: an expense. */
  | { readonly kind: 'conversions' }
  /** Lamports promised for rebate vouchers: an expense. */
  | { readonly kind: 'rebates' }
  /** A person's points. Accounts of this name and the next ones hold points, all others lamports. */
  | { readonly kind: 'points'; readonly owner: string }
  /** Points that a person gave in a convert period that has not ended: neither spendable nor gone. */
  | { readonly kind: 'points-locked'; readonly owner: string }
  /** Every point there is came from here. */
  | { readonly kind: 'points-issued' }
  /** Points given for things of the shop, and converted ones. */
  | { readonly kind: 'points-spent' }
  /** Stakes of games less their payouts. */
  | { readonly kind: 'points-games' }
  /** Points that ended with a season. */
  | { readonly kind: 'points-expired' };

export type LedgerEntry = { readonly account: AccountRef; readonly amount: bigint };

/** Why points move. The first four are earned: the weekly board counts those. */
export type PointReason =
  | EarnReason
  | 'points-redeem'
  | 'points-season'
  | 'points-bet'
  | 'points-win'
  | 'points-lock'
  | 'points-unlock'
  | 'points-convert';
export const EARN_REASONS = ['points-mine', 'points-trade', 'points-token', 'points-mission'] as const;
export type EarnReason = (typeof EARN_REASONS)[number];

export type LedgerTransfer = {
  readonly id: string;
  /** Unique: the same transfer is applied once, also when it is repeated. */
  readonly key: string;
  readonly reason:
    | 'trade-fee'
    | 'payout-hold'
    | 'payout-capture'
    | 'payout-void'
    | 'rebate'
    | 'conversion'
    | PointReason;
  /** Its subject: an intent id; for points a mission, an item of the shop, a season, a round or a convert period. */
  readonly ref: string;
  readonly currency: 'LAMPORT' | 'POINT';
  readonly entries: readonly LedgerEntry[];
  readonly createdAt: number;
};

/** The house's accounts may go either way; people's accounts may not fall below zero. */
export function isHouse(account: AccountRef): boolean {
  return !('owner' in account);
}

/** Stable key of an account: `referral-payable/01J…` or `house/treasury`. */
export function accountKey(account: AccountRef): string {
  return 'owner' in account ? `${account.kind}/${account.owner}` : `house/${account.kind}`;
}

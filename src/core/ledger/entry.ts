/**
 * Double entry: every transfer's entries sum to zero. Positive credits the account, negative debits it. Owed-to-people
 * accounts never go below zero; the house's accounts hold no stored balance (it is derived from entries), because one hot
 * row would serialise every trade.
 */
export type AccountRef =
  /** What the service owes an inviter. */
  | { readonly kind: 'referral-payable'; readonly owner: string }
  /** Rewards in a payout that is not final yet. */
  | { readonly kind: 'referral-in-flight'; readonly owner: string }
  /** Lamports in the treasury wallet, seen from the books: an asset, so collected fees debit it. */
  | { readonly kind: 'treasury' }
  /** What the service keeps of its fees. */
  | { readonly kind: 'revenue' }
  /** Network fees the service paid for its own transactions. */
  | { readonly kind: 'network-fees' };

export type LedgerEntry = { readonly account: AccountRef; readonly amount: bigint };

export type LedgerTransfer = {
  readonly id: string;
  /** Unique: the same transfer is applied once, whoever repeats it. */
  readonly key: string;
  readonly reason: 'trade-fee' | 'payout-hold' | 'payout-capture' | 'payout-void';
  /** What it is about: an intent id. */
  readonly ref: string;
  readonly currency: 'LAMPORT';
  readonly entries: readonly LedgerEntry[];
  readonly createdAt: number;
};

/** The house's accounts may go either way; people's accounts may not fall below zero. */
export function isHouse(account: AccountRef): boolean {
  return account.kind === 'treasury' || account.kind === 'revenue' || account.kind === 'network-fees';
}

/** Stable key of an account: `referral-payable/01J…` or `house/treasury`. */
export function accountKey(account: AccountRef): string {
  return 'owner' in account ? `${account.kind}/${account.owner}` : `house/${account.kind}`;
}

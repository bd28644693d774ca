/** A row of a person's day: `withdrawal_uses` or `spending_uses`. */
export type UseRow = {
  readonly table: 'withdrawal_uses' | 'spending_uses';
  readonly intentId: string;
  readonly userId: string;
  /** Of a withdrawal its worth, null = not known; of spending all of it and its fees apart. Lamports. */
  readonly lamports: bigint | null;
  /** Of spending: network fees at most; 0 for a withdrawal. */
  readonly fees: bigint;
  /** Epoch milliseconds. */
  readonly countsAt: number;
};

/** A row, and the intent that it names as the database has it; null where there is none. */
export type UseWithIntent = UseRow & {
  readonly intent: { readonly userId: string | null; readonly kind: string } | null;
};

/** The rows of people's days, for the audit. */
export interface UseRows {
  /** All rows of these intents. */
  ofIntents(intentIds: readonly string[]): Promise<readonly UseRow[]>;
  /** Up to `limit` rows of both tables each behind the intent `after` that count at `since` (epoch milliseconds) or later, by intent. */
  since(since: number, after: string, limit: number): Promise<readonly UseWithIntent[]>;
}

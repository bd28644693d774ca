import type { Address } from '@tradepost/solana';
import type { WalletSecret } from '../../modules/wallets/rules/wallet.ts';

/** The database calls of an operator's commands and of the first moments of a process only. */
export interface SecretRotation {
  /** How many wallets are sealed under which key, most first. */
  countByKek(): Promise<readonly { readonly kekId: string; readonly wallets: number }[]>;
  /** Up to `limit` secrets that are not under `kekId`, by wallet id, after `afterWalletId`. */
  notUnder(kekId: string, afterWalletId: string, limit: number): Promise<readonly WalletSecret[]>;
  /**
   * Stores re-wrapped data keys, each only where the row is still as it was read; returns how many. A kill in the middle leaves
   * every row whole, under one key or the other.
   */
  rewrap(changes: readonly { readonly from: WalletSecret; readonly to: WalletSecret }[]): Promise<number>;
}

export type Mismatch = {
  /** Name of the rule, stable: `balance`, `unbalanced`, `reward-missing` … */
  readonly rule: string;
  /** The row it is about: an account's key, an intent's id, a signature. */
  readonly subject: string;
  /** One sentence with both numbers. */
  readonly detail: string;
};

export type Booking = {
  readonly signature: string;
  readonly reason: 'trade-fee' | 'payout-capture' | 'payout-void';
  /** Signed change of the treasury's lamports that the books claim. */
  readonly treasuryLamports: bigint;
};

export interface AuditStore {
  /** Everything in the books that does not follow from the entries, by rule. Read in one snapshot. */
  mismatches(): Promise<readonly Mismatch[]>;
  /**
   * The transfers booked as moved on chain: fees into the treasury, payouts out of it. A page of up to `limit` transfers after the cursor
   * `after`, '' for the first; `next` is null when there are no more. A page may hold no booking and still have a next.
   */
  booked(
    after: string,
    limit: number,
  ): Promise<{ readonly bookings: readonly Booking[]; readonly next: string | null }>;
  counts(): Promise<{ readonly accounts: number; readonly transfers: number; readonly intents: number }>;
}

export type Quarantine = {
  readonly id: string;
  readonly reason: string;
  /** Everything signed after this moment may be missing in the database; 0 = the moment is not known. */
  readonly dataAsOf: number;
  readonly enteredAt: number;
};

export interface QuarantineStore {
  current(): Promise<Quarantine | null>;
  /** Opens a quarantine and sets the flag, in one commit; false when one is open already (its `dataAsOf` stays). */
  enter(quarantine: Quarantine): Promise<boolean>;
  /** When the last one ended, in epoch milliseconds; null = there was none. */
  lastLifted(): Promise<number | null>;
  /** Ends it and clears the flag, in one commit, keeping the report. */
  lift(id: string, at: number, report: unknown): Promise<void>;
  /** When the newest intent or attempt was written; 0 for an empty database. */
  newestWrite(): Promise<number>;
  /** Wallets that can have signed something, deleted ones and the treasury included, by id. */
  wallets(): Promise<readonly { readonly id: string; readonly address: Address }[]>;
  /** The wallets of open intents, then those of the newest ones, without repeats. */
  latelyUsed(limit: number): Promise<readonly Address[]>;
}

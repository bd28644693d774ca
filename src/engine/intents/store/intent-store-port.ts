import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { IntentParams } from '../kinds/params.ts';
import type { Attempt, AttemptStatus, Intent, IntentStatus } from '../rules/intent.ts';

export type WholeIntent = {
  readonly intent: Intent;
  readonly wallet: Wallet;
  readonly attempts: readonly Attempt[];
};

/**
 * Rows of intents and attempts. Every write that matters is a compare-and-set: it names the state that it expects and returns false, having
 * changed nothing, when the row is in another.
 */
export interface IntentStore {
  /** Inserts unless `idemKey` exists; then the existing intent comes back with `created: false`. */
  insert(intent: Intent): Promise<{ readonly intent: Intent; readonly created: boolean }>;
  find(id: string): Promise<Intent | null>;
  findByKey(idemKey: string): Promise<Intent | null>;
  /** An intent with its wallet and all its attempts, oldest first, as one statement saw them. */
  whole(id: string): Promise<WholeIntent | null>;
  /**
   * Takes the lease when it is free or expired: epoch + 1. Null when another process holds it, when the intent is final, and while the
   * database is quarantined: then nothing may be signed, sent again or judged dead. The result was read after the lease was taken, so it
   * holds all that the last holder committed.
   */
  lease(
    id: string,
    claim: { readonly owner: string; readonly now: number; readonly until: number },
  ): Promise<WholeIntent | null>;
  /**
   * Takes the lease and gives it back in one: epoch + 1. Inside a transaction: until it ends no other process can take the lease. False,
   * having changed nothing, unless it is free at `now`, no process had it since `epoch`, and `lease` would be granted.
   */
  claim(id: string, epoch: number, now: number): Promise<boolean>;
  /** Frees the lease early; false when the epoch is no longer ours. */
  release(id: string, epoch: number): Promise<boolean>;
  /** Writes `patch` when the epoch (if given) and the status are as expected. */
  update(
    id: string,
    expect: { readonly epoch?: number; readonly statuses: readonly IntentStatus[] },
    patch: Partial<Pick<Intent, 'status' | 'outcome' | 'notBefore' | 'updatedAt'>>,
  ): Promise<boolean>;
  /** All attempts of an intent, oldest first. */
  attempts(intentId: string): Promise<readonly Attempt[]>;
  /** Inserts; false when the intent already has a live attempt or the signature is known. */
  insertAttempt(attempt: Attempt): Promise<boolean>;
  /**
   * Writes `patch` when the attempt has one of `statuses` and its intent the epoch (if given): both are checked in the same statement, so
   * that a process that lost the lease writes nothing. Inside a transaction no other process takes the lease until it ends.
   */
  updateAttempt(
    id: string,
    expect: { readonly epoch?: number; readonly statuses: readonly AttemptStatus[] },
    patch: Partial<
      Pick<
        Attempt,
        'status' | 'sendCount' | 'lastSentAt' | 'landedSlot' | 'chainError' | 'deathProof' | 'landingProof'
      >
    >,
  ): Promise<boolean>;
  /**
   * Open intents that are due (not before now) and not leased, oldest first. With `watchedSince`, an intent whose attempt was sent is left
   * out as long as it is watched and the attempt was signed after that moment.
   */
  due(now: number, limit: number, options?: { readonly watchedSince: number }): Promise<readonly string[]>;
  countOpenByWallet(walletId: string): Promise<number>;
  /** A person's open intents, however many newer ones are over. Newest first. */
  listOpen(userId: string): Promise<readonly Intent[]>;
  /** Newest first; `before` is an intent id for paging. */
  listByUser(
    userId: string,
    page: {
      readonly limit: number;
      readonly before?: string;
      readonly kinds?: readonly IntentParams['kind'][];
      /** Those of this wallet alone. */
      readonly walletId?: string;
    },
  ): Promise<readonly Intent[]>;
}

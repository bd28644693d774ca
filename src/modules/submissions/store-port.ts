import type { Address } from '@tradepost/solana';
import type { Submission } from './rules/submission.ts';

/** How many are under way: in all, of one fee payer, and of one account. */
export type UnderWay = { readonly all: number; readonly ofPayer: number; readonly ofAccount: number };

/** Transactions that callers submitted, by signature. */
export interface SubmissionStore {
  find(signature: string): Promise<Submission | null>;
  /** Those of these signatures that are known, in no order. */
  findAll(signatures: readonly string[]): Promise<readonly Submission[]>;
  /** Keeps a new one; false when its signature is known already, and nothing changes then. */
  insert(submission: Submission): Promise<boolean>;
  /**
   * Writes a later state, and in the same commit the event that it is, once, for each webhook of the account that asks for it. For a
   * disabled one it is kept as failed. False when the row is not as it was read (its version is not one less).
   */
  replace(submission: Submission): Promise<boolean>;
  /** Those whose end is not final, the oldest first. Disputed ones are among them for a day. */
  open(now: number, limit: number): Promise<readonly Submission[]>;
  underWay(of: { readonly feePayer: Address; readonly account: string | null }): Promise<UnderWay>;
}

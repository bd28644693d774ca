import type { Address } from '@tradepost/solana';
import type { AttemptStatus } from '../../intents/rules/intent.ts';

/** How far a wallet's signatures are known to be ours. */
export type AuditCursor = {
  /** Everything up to this one has its attempt; null = the wallet appeared in no transaction. */
  readonly signature: string | null;
  /** Its lamports at the finalized slot of that look. */
  readonly lamports: bigint;
  readonly auditedAt: number;
};

export type AuditedWallet = {
  readonly id: string;
  readonly address: Address;
  readonly isTreasury: boolean;
  readonly cursor: AuditCursor | null;
};

/** The questions of the audit by signature to the database, and its records there. */
export interface SignatureBooks {
  /** Up to `limit` wallets after the id `after`, deleted ones and the treasury included, by id. */
  wallets(after: string, limit: number): Promise<readonly AuditedWallet[]>;
  /** Of these signatures, those that an attempt holds, with its status, and those that an operator accepted without one. */
  known(signatures: readonly string[]): Promise<ReadonlyMap<string, AttemptStatus | 'ACCEPTED'>>;
  /** Up to `limit` attempts behind the id `after` that were signed here at `since` (epoch milliseconds) or later, by id. */
  signedSince(
    since: number,
    after: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly signature: string; readonly intentId: string }[]>;
  /** Of these wallets, those whose key was imported or exported: others may sign with it. */
  sharedKeys(walletIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes the place of the wallet's former cursor. */
  keep(walletId: string, cursor: AuditCursor): Promise<void>;
  /** When the wallet whose look is the oldest was looked at; null while a wallet has no cursor. Everything before is known. */
  knownSince(): Promise<number | null>;
}

import type { Address } from '@tradepost/solana';
import type { CreatedToken, Revocation } from '../rules/created-token.ts';
import type { RevocableAuthority } from '../rules/instructions/revoke-authority.ts';

/** Tokens that custodial wallets made here. A row is written in the commit that makes its intent final. */
export interface CreatedTokenStore {
  /** Inserts; false when the mint is known. */
  insert(token: CreatedToken): Promise<boolean>;
  find(mint: Address): Promise<CreatedToken | null>;
  /** Those of the mints that were made here, in any order. */
  findAll(mints: readonly Address[]): Promise<readonly CreatedToken[]>;
  findByIntent(intentId: string): Promise<CreatedToken | null>;
  /** Newest first. */
  listByUser(userId: string, limit: number): Promise<readonly CreatedToken[]>;
  /** Newest first, of one creating wallet's address. */
  listByCreator(creator: Address, limit: number): Promise<readonly CreatedToken[]>;
  /**
   * Writes down a revocation: the authority, its transaction and time; the first one stays. False when the mint is not known or the
   * authority was given up before.
   */
  markRevoked(mint: Address, authority: RevocableAuthority, revocation: Revocation): Promise<boolean>;
}

import type { Address, MetadataWay } from '@tradepost/solana';
import type { RevocableAuthority } from './instructions/revoke-authority.ts';
import type { TokenSpec } from './token-spec.ts';

/** A token that a custodial wallet made here, as it was made, and the authorities given up since. */
export type CreatedToken = {
  readonly mint: Address;
  readonly userId: string;
  readonly walletId: string;
  readonly creator: Address;
  readonly intentId: string;
  /** Of the creating transaction. */
  readonly signature: string;
  readonly spec: TokenSpec;
  readonly way: MetadataWay;
  readonly uri: string;
  readonly metadataHash: string | null;
  readonly createdAt: number;
  /** Authorities that have no holder any more, with the transaction that gave each up; those that were never kept included. */
  readonly revocations: Readonly<Partial<Record<RevocableAuthority, Revocation>>>;
};

export type Revocation = { readonly signature: string; readonly at: number };

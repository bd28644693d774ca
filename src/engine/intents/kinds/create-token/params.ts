import type { Address, MetadataWay } from '@tradepost/solana';
import type { TokenSpec } from '../../../../modules/mint/rules/token-spec.ts';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';

/** The result of the first half of a creation: the mint, and its cost. */
export type PreparedMint = {
  readonly mint: Address;
  readonly rentLamports: bigint;
  readonly feeLamports: bigint;
};

export type CreateTokenParams = {
  readonly kind: 'create-token';
  /** Absent: the mint is made in the same transaction. */
  readonly prepared?: PreparedMint;
  readonly spec: TokenSpec;
  readonly way: MetadataWay;
  readonly uri: string;
  /** SHA-256 of the metadata document that we serve, in hexadecimal digits; null when the URI is the creator's own. */
  readonly metadataHash: string | null;
  /** The Metaplex record's rent and fee at most; 0 for other ways. */
  readonly recordLamports: bigint;
  readonly mintRentLamports: bigint;
  readonly holdingRentLamports: bigint;
  /** The platform's fee at most, paid in the creating transaction or not at all. */
  readonly feeLamports: bigint;
  readonly tier: PriorityTier;
};

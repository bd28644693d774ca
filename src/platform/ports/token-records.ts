import type { Address } from '@tradepost/solana';
import type { Token } from '../../modules/tokens/rules/token.ts';

/** Everything that the chain says about a mint at one slot, for people who want to see all of it. */
export type TokenRecord = {
  readonly token: Token;
  readonly slot: bigint;
  /** The place of name and link; null where the mint has none. */
  readonly metadata: TokenMetadataRecord | null;
  /** The address that may take the transfer fees that were withheld. */
  readonly feeCollector: Address | null;
  /** Of an interest-bearing token: the address that may change the rate, and the rate now. */
  readonly interest: { readonly authority: Address | null; readonly bps: number } | null;
  readonly pauser: Address | null;
};

export type TokenMetadataRecord = {
  readonly kind: 'metaplex' | 'token-2022';
  /** Hostile text. */
  readonly uri: string;
  /** The address that may change it; null when none can any more. */
  readonly updateAuthority: Address | null;
};

/** Reads mints afresh, past every cache. Throws CHAIN_UNREACHABLE. */
export interface TokenRecords {
  /** Null when the address is no mint. */
  find(mint: Address): Promise<TokenRecord | null>;
}

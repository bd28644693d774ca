import type { Address, SpecExtensions } from '@tradepost/solana';
import type { TokenMetadata } from './token-document.ts';

/** A token request that holds together: everything the instructions are made from, apart from the keys and the metadata's URI. */
export type TokenSpec = {
  readonly program: 'token' | 'token2022';
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  /** All that is minted at creation, in smallest units. */
  readonly supply: bigint;
  /** Wallet whose associated account receives the supply. */
  readonly mintTo: Address;
  /** Kept by the creator, or never there after the creating transaction. */
  readonly mintAuthority: boolean;
  readonly freezeAuthority: boolean;
  readonly updateAuthority: boolean;
  readonly extensions: SpecExtensions;
};

/** A URI that the creator brings, or a document of our own to store. */
export type MetadataSource =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'document'; readonly metadata: TokenMetadata };

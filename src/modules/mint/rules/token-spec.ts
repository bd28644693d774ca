import type { Address } from '../../../core/address/address.ts';
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

/** The Token-2022 powers that can be asked for; all null or false for `token`. */
export type SpecExtensions = {
  readonly transferFee: SpecTransferFee | null;
  readonly permanentDelegate: Address | null;
  readonly defaultAccountState: AccountState | null;
  readonly interest: { readonly authority: Address; readonly bps: number } | null;
  readonly mintCloseAuthority: Address | null;
  readonly nonTransferable: boolean;
};

export type SpecTransferFee = {
  readonly configAuthority: Address;
  readonly withdrawalAuthority: Address;
  readonly bps: number;
  /** Smallest units of one transfer. */
  readonly maximum: bigint;
};

export type AccountState = 'initialized' | 'frozen';

/**
 * The place of name, symbol and URI on the chain: inside the mint (Token-2022), in a Metaplex record, or nowhere, on a cluster that lacks
 * the metadata program.
 */
export type MetadataWay = 'native' | 'metaplex' | 'none';

/** A URI that the creator brings, or a document of our own to store. */
export type MetadataSource =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'document'; readonly metadata: TokenMetadata };

export const NO_SPEC_EXTENSIONS: SpecExtensions = {
  transferFee: null,
  permanentDelegate: null,
  defaultAccountState: null,
  interest: null,
  mintCloseAuthority: null,
  nonTransferable: false,
};

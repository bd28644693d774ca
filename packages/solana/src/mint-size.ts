import { MINT_BYTES } from './account-size.ts';
import type { Address } from './address.ts';
import { utf8Bytes } from './bytes.ts';

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

export const NO_SPEC_EXTENSIONS: SpecExtensions = {
  transferFee: null,
  permanentDelegate: null,
  defaultAccountState: null,
  interest: null,
  mintCloseAuthority: null,
  nonTransferable: false,
};

/** A Token-2022 mint with extensions: padded to a token account's length, then one byte of account type. */
const EXTENDED_MINT_BYTES = 166;

/** The program recognizes a multisig by this length, so an extended mint of exactly it is made two bytes longer. */
const MULTISIG_BYTES = 355;

const TLV_HEADER = 4;

/** Bytes of each extension's own data. Source of truth: spl-token-2022 `ExtensionType`. */
const EXTENSION_BYTES = {
  transferFee: 108,
  mintCloseAuthority: 32,
  defaultAccountState: 1,
  nonTransferable: 0,
  interest: 52,
  permanentDelegate: 32,
} as const satisfies { readonly [K in keyof SpecExtensions]: number };

const METADATA_POINTER_BYTES = 64;

/** Update authority, mint, three string lengths and the number of further pairs. */
const TOKEN_METADATA_FIXED_BYTES = 32 + 32 + 4 * 4;

/** The bytes that Metaplex allocates for a record, at most; some builds make it shorter. */
export const METAPLEX_RECORD_BYTES = 679;

/** Metaplex's own fee is the rent of so many bytes plus so many lamports. Source of truth: mpl-token-metadata `utils/fee.rs`. */
export const METAPLEX_FEE_BYTES = 1_308;

export const METAPLEX_FEE_LAMPORTS = 5_440n;

/** The parts of a token that decide how large its mint is. */
export type MintSpec = {
  readonly program: 'token' | 'token2022';
  readonly name: string;
  readonly symbol: string;
  readonly extensions: SpecExtensions;
};

export type MintSize = {
  /** Space to allocate: the extensions alone, since the program itself grows the account for the metadata. */
  readonly allocated: number;
  /** Size in the end, whose rent must be there from the start. */
  readonly total: number;
};

/** Bytes of the mint account. */
export function mintSize(spec: MintSpec, way: MetadataWay, uri: string): MintSize {
  if (spec.program === 'token') return { allocated: MINT_BYTES, total: MINT_BYTES };
  const parts: number[] = extensionNames(spec.extensions).map((name) => EXTENSION_BYTES[name]);
  if (way === 'native') parts.push(METADATA_POINTER_BYTES);
  if (parts.length === 0) return { allocated: MINT_BYTES, total: MINT_BYTES };
  const bare = parts.reduce((sum, bytes) => sum + TLV_HEADER + bytes, EXTENDED_MINT_BYTES);
  const metadata =
    TLV_HEADER + TOKEN_METADATA_FIXED_BYTES + utf8Bytes(spec.name) + utf8Bytes(spec.symbol) + utf8Bytes(uri);
  return {
    allocated: unlikeMultisig(bare),
    total: unlikeMultisig(way === 'native' ? bare + metadata : bare),
  };
}

/** The extensions that are asked for. */
export function extensionNames(extensions: SpecExtensions): readonly (keyof SpecExtensions)[] {
  const names: readonly (keyof SpecExtensions)[] = [
    'transferFee',
    'mintCloseAuthority',
    'defaultAccountState',
    'nonTransferable',
    'interest',
    'permanentDelegate',
  ];
  return names.filter((name) => extensions[name] !== null && extensions[name] !== false);
}

function unlikeMultisig(bytes: number): number {
  return bytes === MULTISIG_BYTES ? bytes + 2 : bytes;
}

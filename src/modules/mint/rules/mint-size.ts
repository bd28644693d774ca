import type { Address } from '../../../core/address/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../core/address/programs.ts';
import { associatedAccountBytes, MINT_BYTES } from '../../tokens/rules/account-size.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { utf8Bytes } from './check-text.ts';
import type { MetadataWay, SpecExtensions, TokenSpec } from './token-spec.ts';

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

export type MintSize = {
  /** Space to allocate: the extensions alone, since the program itself grows the account for the metadata. */
  readonly allocated: number;
  /** Size in the end, whose rent must be there from the start. */
  readonly total: number;
};

/** Bytes of the mint account. */
export function mintSize(spec: TokenSpec, way: MetadataWay, uri: string): MintSize {
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

/** Bytes of the account that receives the supply. */
export function holdingBytes(spec: TokenSpec, creator: Address): number {
  return associatedAccountBytes(tokenOf(spec, { mint: creator, creator }, 'none'));
}

export function tokenProgramOf(spec: Pick<TokenSpec, 'program'>): Address {
  return spec.program === 'token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
}

/** The token as the chain will show it once it is there, so that a plan is judged by the rules for existing tokens. */
export function tokenOf(
  spec: TokenSpec,
  parties: { readonly mint: Address; readonly creator: Address },
  way: MetadataWay,
): Token {
  const { extensions } = spec;
  const { transferFee } = extensions;
  const rate = transferFee === null ? null : { bps: transferFee.bps, maximum: transferFee.maximum };
  return {
    mint: parties.mint,
    tokenProgram: tokenProgramOf(spec),
    decimals: spec.decimals,
    supply: spec.supply,
    symbol: spec.symbol,
    name: spec.name,
    mintAuthority: spec.mintAuthority ? parties.creator : null,
    freezeAuthority: spec.freezeAuthority ? parties.creator : null,
    ...(way === 'none' ? {} : { updateAuthority: spec.updateAuthority ? parties.creator : null }),
    extensions: {
      transferFee:
        transferFee === null || rate === null
          ? null
          : { authority: transferFee.configAuthority, older: rate, newer: rate, newerEpoch: 0n },
      permanentDelegate: extensions.permanentDelegate,
      defaultFrozen: extensions.defaultAccountState === 'frozen',
      nonTransferable: extensions.nonTransferable,
      transferHook: null,
      mintCloseAuthority: extensions.mintCloseAuthority,
      pausable: false,
      interestBearing: extensions.interest !== null,
      confidentialTransfer: false,
    },
  };
}

function unlikeMultisig(bytes: number): number {
  return bytes === MULTISIG_BYTES ? bytes + 2 : bytes;
}

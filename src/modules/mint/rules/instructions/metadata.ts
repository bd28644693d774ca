import {
  type Address,
  type Instruction,
  METADATA_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '@tradepost/solana';
import { concat, keyOrZeros, text, u8, u16 } from '@tradepost/solana/bytes';
import { pays, reads, signs, writes } from './token-program.ts';

export type MetadataTexts = { readonly name: string; readonly symbol: string; readonly uri: string };

/** First eight bytes of sha256("spl_token_metadata_interface:initialize_account"). */
export const NATIVE_METADATA = Uint8Array.of(210, 225, 30, 162, 88, 184, 77, 141);
/** First eight bytes of sha256("spl_token_metadata_interface:update_the_authority"). */
export const SEAL_NATIVE_METADATA = Uint8Array.of(215, 228, 166, 228, 84, 100, 86, 123);

/** Metadata inside the mint, after InitializeMint2. Source of truth: spl-token-metadata-interface `Initialize`. */
export function initializeNativeMetadata(
  mint: Address,
  authority: Address,
  { name, symbol, uri }: MetadataTexts,
): Instruction {
  return {
    programId: TOKEN_2022_PROGRAM,
    accounts: [writes(mint), reads(authority), reads(mint), signs(authority)],
    data: concat(NATIVE_METADATA, text(name), text(symbol), text(uri)),
  };
}

/** Ends every change of the metadata inside the mint. Source of truth: spl-token-metadata-interface `UpdateAuthority`. */
export function sealNativeMetadata(mint: Address, authority: Address): Instruction {
  return {
    programId: TOKEN_2022_PROGRAM,
    accounts: [writes(mint), signs(authority)],
    data: concat(SEAL_NATIVE_METADATA, keyOrZeros(null)),
  };
}

/**
 * A Metaplex record for an SPL Token mint, immutable from the start when the update authority is not kept. Source of truth:
 * mpl-token-metadata `CreateMetadataAccountV3` (33).
 */
export function createMetaplexRecord(
  input: {
    readonly record: Address;
    readonly mint: Address;
    readonly authority: Address;
    readonly isMutable: boolean;
  },
  { name, symbol, uri }: MetadataTexts,
): Instruction {
  const { record, mint, authority } = input;
  const none = u8(0);
  return {
    programId: METADATA_PROGRAM,
    accounts: [
      writes(record),
      reads(mint),
      signs(authority),
      pays(authority),
      signs(authority),
      reads(SYSTEM_PROGRAM),
    ],
    data: concat(
      u8(33),
      text(name),
      text(symbol),
      text(uri),
      u16(0),
      // No creators, no collection, no uses.
      none,
      none,
      none,
      u8(input.isMutable ? 1 : 0),
      // No collection details.
      none,
    ),
  };
}

/** Ends every change of the Metaplex record. Source of truth: mpl-token-metadata `UpdateMetadataAccountV2` (15). */
export function sealMetaplexRecord(record: Address, authority: Address): Instruction {
  const unchanged = u8(0);
  return {
    programId: METADATA_PROGRAM,
    accounts: [writes(record), signs(authority)],
    // Data, update authority and primary sale stay; mutable becomes false.
    data: concat(u8(15), unchanged, unchanged, unchanged, u8(1), u8(0)),
  };
}

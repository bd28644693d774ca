import { PublicKey } from '@solana/web3.js';
import { type Address, type ChainAccount, METADATA_PROGRAM } from '@tradepost/solana';
import type { TokenMetadataRecord } from '../ports/token-records.ts';
import { byteReader, decodeOrNull } from './byte-reader.ts';
import { publicKey, toAddress } from './instruction-codec.ts';
import { decodeText } from './text-layout.ts';

const METADATA_V1_KEY = 4;
/** Metaplex allows 32 and 10 bytes; anything longer was not written by it. */
const MAX_NAME_BYTES = 32;
const MAX_SYMBOL_BYTES = 10;
const CREATOR_BYTES = 32 + 1 + 1;

/** The address where Metaplex Token Metadata keeps a mint's record. */
export function metadataAddress(mint: Address): Address {
  const [key] = PublicKey.findProgramAddressSync(
    [new TextEncoder().encode('metadata'), publicKey(METADATA_PROGRAM).toBytes(), publicKey(mint).toBytes()],
    publicKey(METADATA_PROGRAM),
  );
  return toAddress(key);
}

/**
 * Name and symbol of a Metaplex record, or null when it is not the program's, is another mint's, or is malformed.
 * Source of truth: mpl-token-metadata `Metadata`: key, update authority, mint, then borsh strings.
 */
export function decodeMetadata(
  mint: Address,
  account: ChainAccount,
): { readonly name: string; readonly symbol: string } | null {
  if (account.owner !== METADATA_PROGRAM) return null;
  return decodeOrNull(() => {
    const reader = byteReader(account.data);
    if (reader.u8() !== METADATA_V1_KEY) return null;
    reader.skip(32);
    if (reader.address() !== mint) return null;
    const nameBytes = reader.u32();
    if (nameBytes > MAX_NAME_BYTES) return null;
    const name = decodeText(reader.bytes(nameBytes));
    const symbolBytes = reader.u32();
    if (symbolBytes > MAX_SYMBOL_BYTES) return null;
    return { name, symbol: decodeText(reader.bytes(symbolBytes)) };
  });
}

/**
 * Link of a Metaplex record and who may change it; null as above. Source of truth: mpl-token-metadata `Metadata`: name, symbol, uri,
 * seller fee, creators, primary sale, `is_mutable`.
 */
export function metaplexMetadata(mint: Address, record: ChainAccount): TokenMetadataRecord | null {
  if (record.owner !== METADATA_PROGRAM) return null;
  return decodeOrNull(() => {
    const reader = byteReader(record.data);
    reader.skip(1);
    const updateAuthority = reader.optionalAddress();
    if (reader.address() !== mint) return null;
    reader.skip(reader.u32());
    reader.skip(reader.u32());
    const uri = decodeText(reader.bytes(reader.u32()));
    reader.skip(2);
    if (reader.u8() === 1) reader.skip(reader.u32() * CREATOR_BYTES);
    reader.skip(1);
    const isMutable = reader.u8() === 1;
    return { kind: 'metaplex', uri, updateAuthority: isMutable ? updateAuthority : null };
  });
}

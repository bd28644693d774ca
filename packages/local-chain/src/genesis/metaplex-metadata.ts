import { PublicKey } from '@solana/web3.js';
import { type Address, addressBytes, addressFromBytes } from '../address.ts';
import { METADATA_PROGRAM } from '../programs.ts';

const METADATA_BYTES = 679;
const KEY_METADATA_V1 = 4;
const NAME_BYTES = 32;
const SYMBOL_BYTES = 10;
const URI_BYTES = 200;
const TOKEN_STANDARD_FUNGIBLE = 2;

export type MetadataFields = {
  readonly updateAuthority: Address;
  readonly mint: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
};

/** The address at which Metaplex keeps a mint's metadata. */
export function metadataAddress(mint: Address): Address {
  const seeds = [Buffer.from('metadata'), addressBytes(METADATA_PROGRAM), addressBytes(mint)];
  const [pda] = PublicKey.findProgramAddressSync(seeds, new PublicKey(METADATA_PROGRAM));
  return addressFromBytes(pda.toBytes());
}

/**
 * A metadata account as the program on mainnet writes it: strings padded with zero bytes to their limits, no creators, no
 * collection. Source of truth: mpl-token-metadata `Metadata` (Key::MetadataV1).
 */
export function encodeMetadata(fields: MetadataFields): Uint8Array {
  const out = Buffer.alloc(METADATA_BYTES);
  let at = 0;
  const bytes = (value: Uint8Array): void => {
    out.set(value, at);
    at += value.length;
  };
  const padded = (text: string, length: number): void => {
    const encoded = Buffer.from(text, 'utf8');
    if (encoded.length > length) throw new RangeError(`"${text}" is over ${length} bytes`);
    out.writeUInt32LE(length, at);
    out.set(encoded, at + 4);
    at += 4 + length;
  };
  bytes(Uint8Array.of(KEY_METADATA_V1));
  bytes(addressBytes(fields.updateAuthority));
  bytes(addressBytes(fields.mint));
  padded(fields.name, NAME_BYTES);
  padded(fields.symbol, SYMBOL_BYTES);
  padded(fields.uri, URI_BYTES);
  // Seller fee, no creators, primary sale not happened, mutable, edition nonce 255, fungible, then four empty options.
  bytes(Uint8Array.of(0, 0, 0, 0, 1, 1, 255, 1, TOKEN_STANDARD_FUNGIBLE, 0, 0, 0, 0));
  return out;
}

import bs58 from 'bs58';
import { encodeBase58 } from './encode-base58.ts';

/**
 * A base58 account address of exactly 32 bytes. The brand is structural: the addresses of `@tradepost/local-chain`, which knows
 * nothing of this file, are the same type.
 */
export type Address = string & { readonly __brand: 'Address' };

const ADDRESS_BYTES = 32;

export function isAddress(text: string): text is Address {
  if (text.length < 32 || text.length > 44) return false;
  return bs58.decodeUnsafe(text)?.length === ADDRESS_BYTES;
}

/** The 32 bytes of an address. */
export function addressBytes(value: Address): Uint8Array {
  return bs58.decode(value);
}

/** The address of 32 bytes; throws a RangeError for any other length. */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== ADDRESS_BYTES) throw new RangeError(`an address has 32 bytes, not ${bytes.length}`);
  return encodeBase58(bytes) as Address;
}

/** Base58 text of any bytes (signatures, transactions). */
export function toBase58(bytes: Uint8Array): string {
  return encodeBase58(bytes);
}

/** Bytes of base58 text, or null when it is not base58. */
export function fromBase58(text: string): Uint8Array | null {
  return bs58.decodeUnsafe(text) ?? null;
}

/** `7xKX…9fQa`: for reading, never for deciding. */
export function shortAddress(value: string): string {
  return `${value.slice(0, 4)}…${value.slice(-4)}`;
}

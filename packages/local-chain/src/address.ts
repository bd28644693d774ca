import bs58 from 'bs58';

/** A base58 account address of exactly 32 bytes. The brand is structural: a program with the same type needs no conversion. */
export type Address = string & { readonly __brand: 'Address' };

const ADDRESS_BYTES = 32;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
/** Addresses and signatures are shorter than this, transactions longer. */
const SHORT_BYTES = 128;

export function isAddress(text: string): text is Address {
  if (text.length < 32 || text.length > 44) return false;
  return bs58.decodeUnsafe(text)?.length === ADDRESS_BYTES;
}

/** The 32 bytes of an address. Throws for text that is not base58. */
export function addressBytes(value: Address): Uint8Array {
  return bs58.decode(value);
}

/** The address of 32 bytes. Throws a RangeError for any other length. */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== ADDRESS_BYTES) {
    throw new RangeError(`expected the 32 bytes of an address, got ${bytes.length}`);
  }
  return toBase58(bytes) as Address;
}

/**
 * Base58 text of any bytes. Every transaction has a dozen keys and signatures to write. So short input is written in limbs of five digits,
 * several times faster than digit by digit.
 */
export function toBase58(bytes: Uint8Array): string {
  if (bytes.length >= SHORT_BYTES) return bs58.encode(bytes);
  const limbs: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let i = 0; i < limbs.length; i += 1) {
      carry += (limbs[i] ?? 0) * 256;
      const rest = Math.floor(carry / LIMB);
      limbs[i] = carry - rest * LIMB;
      carry = rest;
    }
    if (carry > 0) limbs.push(carry);
  }
  let text = '';
  for (const limb of limbs) {
    for (let rest = limb, at = 0; at < DIGITS_PER_LIMB; at += 1, rest = Math.floor(rest / 58)) {
      text = (ALPHABET[rest % 58] ?? '') + text;
    }
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text.replace(/^1+/, '');
}

/** Bytes of base58 text, or null when it is not base58. */
export function fromBase58(text: string): Uint8Array | null {
  return bs58.decodeUnsafe(text) ?? null;
}

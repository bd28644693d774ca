import type { AccountMeta, Address } from '@tradepost/solana';

/** Parts joined in order. */
export function joinBytes(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** `value` as `bytes` little-endian bytes, two's complement when negative. Throws a RangeError when it does not fit. */
export function littleEndian(value: bigint, bytes: number): Uint8Array {
  const bits = BigInt(bytes) * 8n;
  if (value >= 1n << bits || value < -(1n << (bits - 1n)))
    throw new RangeError(`${value} is not ${bytes} bytes`);
  const encoded = new Uint8Array(bytes);
  let rest = BigInt.asUintN(Number(bits), value);
  for (let index = 0; index < bytes; index++) {
    encoded[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return encoded;
}

export const u64 = (value: bigint): Uint8Array => littleEndian(value, 8);
export const u128 = (value: bigint): Uint8Array => littleEndian(value, 16);

/** How an instruction names an account. */
export const readonlyMeta = (address: Address): AccountMeta => ({ address, signer: false, writable: false });
export const writableMeta = (address: Address): AccountMeta => ({ address, signer: false, writable: true });
export const signerMeta = (address: Address): AccountMeta => ({ address, signer: true, writable: false });
export const writableSignerMeta = (address: Address): AccountMeta => ({
  address,
  signer: true,
  writable: true,
});

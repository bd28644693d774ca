import { type Address, addressFromBytes } from '@tradepost/solana';

/**
 * Little-endian fields of an account at fixed offsets. Reading past the end throws a RangeError: a decoder checks the
 * account's length first, so that is a bug and not hostile data.
 */
export type AccountView = {
  readonly length: number;
  u8(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  i32(at: number): number;
  u64(at: number): bigint;
  i64(at: number): bigint;
  u128(at: number): bigint;
  i128(at: number): bigint;
  address(at: number): Address;
  bytes(at: number, length: number): Uint8Array;
};

export function accountView(data: Uint8Array): AccountView {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const u64 = (at: number): bigint => view.getBigUint64(at, true);
  const i64 = (at: number): bigint => view.getBigInt64(at, true);
  const bytes = (at: number, length: number): Uint8Array => {
    if (at < 0 || at + length > data.length) throw new RangeError(`no ${length} bytes at ${at}`);
    return data.subarray(at, at + length);
  };
  return {
    length: data.length,
    u8: (at) => view.getUint8(at),
    u16: (at) => view.getUint16(at, true),
    u32: (at) => view.getUint32(at, true),
    i32: (at) => view.getInt32(at, true),
    u64,
    i64,
    u128: (at) => u64(at) | (u64(at + 8) << 64n),
    i128: (at) => u64(at) | (i64(at + 8) << 64n),
    address: (at) => addressFromBytes(bytes(at, 32)),
    bytes,
  };
}

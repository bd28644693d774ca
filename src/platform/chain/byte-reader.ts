import { type Address, addressFromBytes } from '@tradepost/solana';

/** Thrown inside decoders only, where hostile lengths are expected; a decoder turns it into null. */
class Overrun extends Error {}

/** Reads little-endian fields in order and never past the end. */
export type ByteReader = {
  u8(): number;
  u16(): number;
  u32(): number;
  u64(): bigint;
  i16(): number;
  i64(): bigint;
  f64(): number;
  address(): Address;
  /** 32 bytes where all zeros mean "none", as Token-2022 stores optional keys. */
  optionalAddress(): Address | null;
  bytes(length: number): Uint8Array;
  skip(length: number): void;
  remaining(): number;
};

export function byteReader(data: Uint8Array, start = 0, end = data.length): ByteReader {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let offset = start;
  const take = (length: number): number => {
    const at = offset;
    if (length < 0 || at + length > end || at + length > data.length) throw new Overrun();
    offset += length;
    return at;
  };
  const bytes = (length: number) => {
    const at = take(length);
    return data.subarray(at, at + length);
  };
  return {
    u8: () => view.getUint8(take(1)),
    u16: () => view.getUint16(take(2), true),
    u32: () => view.getUint32(take(4), true),
    u64: () => view.getBigUint64(take(8), true),
    i16: () => view.getInt16(take(2), true),
    i64: () => view.getBigInt64(take(8), true),
    f64: () => view.getFloat64(take(8), true),
    address: () => addressFromBytes(bytes(32)),
    optionalAddress: () => {
      const key = bytes(32);
      return key.every((byte) => byte === 0) ? null : addressFromBytes(key);
    },
    bytes,
    skip: (length) => void take(length),
    remaining: () => end - offset,
  };
}

/** The result of `decode`, or null when it read past the end of its data. */
export function decodeOrNull<T>(decode: () => T | null): T | null {
  try {
    return decode();
  } catch (error) {
    if (error instanceof Overrun) return null;
    throw error;
  }
}

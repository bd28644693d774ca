import { type Address, addressBytes } from './address.ts';

/** Pieces of instruction data, little endian as Solana's programs read them. */
export const u8 = (value: number): Uint8Array => Uint8Array.of(value);

export function u16(value: number): Uint8Array {
  return write(2, (view) => view.setUint16(0, value, true));
}

export function i16(value: number): Uint8Array {
  return write(2, (view) => view.setInt16(0, value, true));
}

export function u32(value: number): Uint8Array {
  return write(4, (view) => view.setUint32(0, value, true));
}

export function u64(value: bigint): Uint8Array {
  return write(8, (view) => view.setBigUint64(0, value, true));
}

export const key = (value: Address): Uint8Array => addressBytes(value);

/** One byte that says whether a key follows. */
export function optionalKey(value: Address | null): Uint8Array {
  return value === null ? u8(0) : concat(u8(1), key(value));
}

/** A key, or 32 zero bytes for none. */
export function keyOrZeros(value: Address | null): Uint8Array {
  return value === null ? new Uint8Array(32) : key(value);
}

/** Length in four bytes, then UTF-8. */
export function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return concat(u32(bytes.length), bytes);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function write(length: number, fill: (view: DataView) => void): Uint8Array {
  const out = new Uint8Array(length);
  fill(new DataView(out.buffer));
  return out;
}

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

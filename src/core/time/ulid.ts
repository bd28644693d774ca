/** Crockford base32: no I, L, O, U. */
const ULID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** No ULID that was made at `time` (epoch milliseconds) or later sorts before it, and none that was made earlier behind it. */
export function firstUlid(time: number): string {
  return base32(BigInt(time), 10) + '0'.repeat(16);
}

/** The `length` last digits of a value, 5 bits each. */
export function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) {
    text = ULID_ALPHABET.charAt(Number(rest & 31n)) + text;
  }
  return text;
}

/** When a ULID was made, in epoch milliseconds; null for other text. */
export function ulidTime(id: string): number | null {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return null;
  let time = 0;
  for (const digit of id.slice(0, 10)) time = time * 32 + ULID_ALPHABET.indexOf(digit);
  return time;
}

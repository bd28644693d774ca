import { randomBytes, randomInt } from 'node:crypto';
import type { Ids } from '../../core/ports/ids.ts';

/** Crockford base32: no I, L, O, U. */
const ULID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/**
 * Ids from the system's random source. ULIDs of one process grow strictly, also within one millisecond and when the
 * clock steps back, so that sorting by id is sorting by creation. Source of truth: the ULID specification.
 */
export function randomIds(now: () => number): Ids {
  let lastTime = -1;
  let lastRandom = 0n;
  return {
    ulid() {
      const time = Math.max(now(), lastTime);
      lastRandom = time === lastTime ? lastRandom + 1n : BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n;
      lastTime = time;
      return base32(BigInt(time), 10) + base32(lastRandom, 16);
    },
    token: () => randomBytes(16).toString('base64url'),
    code: (length) =>
      Array.from({ length }, () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length))).join(''),
  };
}

/** No ULID that was made at `time` (epoch milliseconds) or later sorts before it, and none that was made earlier behind it. */
export function firstUlid(time: number): string {
  return base32(BigInt(time), 10) + '0'.repeat(16);
}

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) {
    text = ULID_ALPHABET.charAt(Number(rest & 31n)) + text;
  }
  return text;
}

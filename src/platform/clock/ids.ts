import { randomBytes, randomInt } from 'node:crypto';
import { base32 } from '../../core/time/ulid.ts';
import type { Ids } from '../ports/ids.ts';

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

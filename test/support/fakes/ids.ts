import type { Ids } from '../../../src/platform/ports/ids.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const READABLE = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** Repeatable ids: the same seed gives the same sequence; ULIDs ascend; two seeds give different ones. */
export function fakeIds(seed = 1): Ids {
  const random = mulberry32(seed);
  const pick = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  let count = 0;
  return {
    ulid: () => {
      count += 1;
      return `01JTEST${base32(count, 9)}${base32(seed, 4)}${pick(CROCKFORD, 6)}`;
    },
    token: () => pick(BASE64URL, 22),
    code: (length) => pick(READABLE, length),
  };
}

function base32(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / 32)) {
    text = CROCKFORD.charAt(rest % 32) + text;
  }
  return text;
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

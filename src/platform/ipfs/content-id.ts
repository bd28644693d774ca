import { createHash } from 'node:crypto';

/** Blocks of this size: a file that fits one block is its own block, so its content id follows from its hash alone. */
export const BLOCK_BYTES = 262_144;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** CID version 1, codec `raw`, multihash sha2-256 of 32 bytes. Source of truth: the multiformats tables. */
const PREFIX = [0x01, 0x55, 0x12, 0x20];

/** The content id of bytes that fit one block; null for more, whose id depends on how they are cut. */
export function contentId(bytes: Uint8Array): string | null {
  if (bytes.length > BLOCK_BYTES) return null;
  const digest = createHash('sha256').update(bytes).digest();
  return `b${base32(Uint8Array.from([...PREFIX, ...digest]))}`;
}

/** RFC 4648, lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + (ALPHABET[(held << (5 - bits)) & 31] ?? '');
}

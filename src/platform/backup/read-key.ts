import { fromBase58 } from '@tradepost/solana';
import { AppError } from '../../core/errors/app-error.ts';
import { secretKeyOf } from './backup-file.ts';

const MAX_TEXT = 1_024;

/**
 * The 32-byte seed of a secret key as people have it: base58, or a JSON array of numbers; 64 bytes (seed and public key) or
 * the 32 of the seed. For the caller to wipe. Throws KEY_UNREADABLE, also when the two halves do not belong together: half
 * a key and half of another one would open a wallet that nobody meant.
 */
export function readKey(text: string): Buffer {
  const bytes = bytesOf(text.slice(0, MAX_TEXT).trim());
  if (bytes === null || (bytes.length !== 64 && bytes.length !== 32)) throw unreadable();
  const seed = Buffer.from(bytes.subarray(0, 32));
  if (bytes.length === 64) {
    const whole = secretKeyOf(seed);
    const same = whole.equals(bytes);
    whole.fill(0);
    if (!same) {
      seed.fill(0);
      throw unreadable();
    }
  }
  bytes.fill(0);
  return seed;
}

function bytesOf(text: string): Uint8Array | null {
  if (!text.startsWith('[')) return fromBase58(text);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const isByte = (item: unknown): item is number =>
    typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255;
  return Array.isArray(parsed) && parsed.every(isByte) ? Uint8Array.from(parsed) : null;
}

function unreadable(): AppError {
  return new AppError('KEY_UNREADABLE', {});
}

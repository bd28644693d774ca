import { createHash, createHmac } from 'node:crypto';
import type { LineSeal } from '../../engine/signing/rules/line.ts';

/** Hash and MAC of lines under a journal's 32-byte key. */
export function lineSeal(key: Uint8Array): LineSeal {
  const own = Buffer.from(key);
  return {
    hash: hashLine,
    mac: (text) => createHmac('sha256', own).update(text).digest('base64url'),
  };
}

export function hashLine(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

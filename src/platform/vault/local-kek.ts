import { createHash } from 'node:crypto';
import { openBox, sealBox } from '../gcm-box.ts';
import type { KeyEncryptionKey } from './kek.ts';

/**
 * A key-encryption key held in this process (read from a file or the environment). Its id is a fingerprint of the key, so
 * that a row says which key it needs and a replaced file is noticed. Keeps its own copy of `key`; 32 bytes.
 */
export function localKek(key: Uint8Array): KeyEncryptionKey {
  if (key.length !== 32) throw new RangeError('a key-encryption key has 32 bytes');
  const own = Buffer.from(key);
  const id = `local-${createHash('sha256').update('tradepost kek id').update(own).digest('hex').slice(0, 16)}`;
  return {
    id,
    wrap: async (dek, aad) => sealBox(own, dek, aad),
    unwrap: async (box, aad) => openBox(own, box, aad),
  };
}

/** 32 bytes from 64 hex digits or base64, or null. */
export function parseKek(text: string): Buffer | null {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (/^[A-Za-z0-9+/]{43}=$/.test(trimmed)) return Buffer.from(trimmed, 'base64');
  return null;
}

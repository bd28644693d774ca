import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { ApiKeySecrets } from '../ports/api-key-secrets.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `secret`: 32 bytes that stand outside the database, so that who can write to it still cannot make a key. */
export function createHmacSecrets(secret: Uint8Array): ApiKeySecrets {
  return {
    random: (length) => Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(''),
    hash: (text) => createHmac('sha256', secret).update(text, 'utf8').digest(),
    equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  };
}

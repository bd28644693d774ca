import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ConfirmationSeals } from '../ports/confirmation-seals.ts';

/**
 * Codes by HMAC-SHA-256 under a key that HKDF makes of `secret`, 32 bytes that only the master key unwraps. Not of the master key's own
 * bytes: a key service never gives those out, and rotating the master key must not void people's confirmations.
 */
export function createConfirmationSeals(secret: Uint8Array): ConfirmationSeals {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'tradepost/1/confirmations', 32));
  const seal = (text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('base64url');
  return {
    seal,
    isSealOf: (given, text) => {
      const [expected, bytes] = [Buffer.from(seal(text)), Buffer.from(given)];
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    },
  };
}

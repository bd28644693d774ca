import { addressBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { heldKey } from '../../../src/platform/vault/held-key.ts';
import { RFC_8032 } from './rfc-8032.ts';

describe('a held key', () => {
  it.each(RFC_8032)('agrees with RFC 8032, $name', ({ seed, publicKey, message, signature }) => {
    const key = heldKey(Buffer.from(seed, 'hex'));
    expect(Buffer.from(addressBytes(key.address)).toString('hex')).toBe(publicKey);
    expect(Buffer.from(key.sign(Buffer.from(message, 'hex'))).toString('hex')).toBe(signature);
  });
});

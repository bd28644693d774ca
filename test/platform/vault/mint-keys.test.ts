import { createPublicKey, verify } from 'node:crypto';
import { addressBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

describe('createMintKeys', () => {
  it('makes a key whose one signature its address verifies', () => {
    const key = createMintKeys().generate();
    const message = new Uint8Array([1, 2, 3]);
    const publicKey = createPublicKey({
      key: Buffer.concat([SPKI_PREFIX, addressBytes(key.address)]),
      format: 'der',
      type: 'spki',
    });
    expect(verify(null, message, publicKey, key.sign(message))).toBe(true);
    expect(() => key.sign(message)).toThrow(new RangeError('a mint key signs once'));
  });

  it('makes another key each time, and shows nothing of the secret', () => {
    const keys = createMintKeys();
    const [a, b] = [keys.generate(), keys.generate()];
    expect(a.address).not.toBe(b.address);
    expect(Object.keys(a)).toEqual(['address', 'sign']);
  });
});

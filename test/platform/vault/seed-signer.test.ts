import { randomBytes } from 'node:crypto';
import { addressBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { heldKey } from '../../../src/platform/vault/held-key.ts';
import {
  loadSodium,
  seedAddress,
  seedSigner,
  signWithSeed,
} from '../../../src/platform/vault/seed-signer.ts';
import { RFC_8032 } from './rfc-8032.ts';

describe('signing with a seed', () => {
  it.each(RFC_8032)('agrees with RFC 8032, $name', ({ seed, publicKey, message, signature }) => {
    const signed = signWithSeed(Buffer.from(seed, 'hex'), Buffer.from(message, 'hex'));
    expect(Buffer.from(addressBytes(signed.address)).toString('hex')).toBe(publicKey);
    expect(Buffer.from(signed.signature).toString('hex')).toBe(signature);
  });

  it('agrees with OpenSSL to the byte, for any seed and any length of message', () => {
    for (let bytes = 0; bytes <= 1_232; bytes += 11) {
      const seed = randomBytes(32);
      const message = randomBytes(bytes);
      const other = heldKey(seed);
      const signed = signWithSeed(seed, message);
      expect(signed.address).toBe(other.address);
      expect(seedAddress(seed)).toBe(other.address);
      expect(Buffer.from(signed.signature).equals(other.sign(message))).toBe(true);
    }
  });

  it('says what it expected of a seed and of a message', () => {
    expect(() => signWithSeed(new Uint8Array(31), new Uint8Array(1))).toThrow(/a seed has 32 bytes/);
    expect(() => signWithSeed(new Uint8Array(64), new Uint8Array(1))).toThrow(/a seed has 32 bytes/);
    expect(() => signWithSeed(new Uint8Array(32), new Uint8Array(1_233))).toThrow(/at most 1232 bytes/);
  });

  it('writes nothing outside its own buffer', async () => {
    const sodium = await loadSodium();
    const signer = seedSigner(sodium);
    const neighbour = sodium._malloc(64);
    sodium.HEAPU8.fill(0xaa, neighbour, neighbour + 64);
    signer.sign(randomBytes(32), randomBytes(1_232));
    expect(sodium.HEAPU8.slice(neighbour, neighbour + 64)).toEqual(new Uint8Array(64).fill(0xaa));
  });

  it('leaves a memory that is the same whatever the seed and the message were', async () => {
    const sodium = await loadSodium();
    const signer = seedSigner(sodium);
    const memoryAfter = (seed: Uint8Array, message: Uint8Array): Buffer => {
      signer.sign(seed, message);
      return Buffer.from(sodium.HEAPU8);
    };
    const first = memoryAfter(randomBytes(32), randomBytes(400));
    expect(memoryAfter(randomBytes(32), randomBytes(400)).equals(first)).toBe(true);
    expect(memoryAfter(randomBytes(32), randomBytes(1_232)).equals(first)).toBe(true);
    expect(memoryAfter(randomBytes(32), new Uint8Array()).equals(first)).toBe(true);
    signer.address(randomBytes(32));
    expect(first.equals(sodium.HEAPU8)).toBe(true);

    // The comparison sees what a seed leaves on the stack where nothing wipes it.
    const at = sodium._malloc(128);
    const bare = (): Buffer => {
      sodium.HEAPU8.set(randomBytes(32), at);
      sodium._crypto_sign_seed_keypair(at + 96, at + 32, at);
      sodium.HEAPU8.fill(0, at, at + 128);
      return Buffer.from(sodium.HEAPU8);
    };
    expect(bare().equals(bare())).toBe(false);
  });
});

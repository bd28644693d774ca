import { describe, expect, it } from 'vitest';
import { keyring } from '../../../src/adapters/vault/kek.ts';
import { localKek } from '../../../src/adapters/vault/local-kek.ts';
import { sealSeed, unsealSeed } from '../../../src/adapters/vault/seal.ts';
import { keyAddress, signingKey } from '../../../src/adapters/vault/sign.ts';
import { address } from '../../../src/core/address/address.ts';
import type { WalletSecret } from '../../../src/core/wallets/wallet.ts';

// Made in each test: what breaks them then fails a test with a name.
const kek = () => localKek(new Uint8Array(32).fill(5));
const ring = () => keyring(kek());
const seed = Buffer.alloc(32, 9);
const publicKey = address('J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf');
const seal = (walletId = 'wallet-1', userId: string | null = 'user-1') =>
  sealSeed(seed, { walletId, userId, publicKey }, kek());

describe('a sealed seed', () => {
  it('opens to what was sealed', async () => {
    expect(await unsealSeed(await seal(), ring())).toEqual(seed);
  });

  it('opens with no bit changed in any of its boxes', async () => {
    const row = await seal();
    const own = ring();
    for (const field of ['wrappedDek', 'sealedSeed'] as const) {
      for (let bit = 0; bit < row[field].length * 8; bit++) {
        const bytes = new Uint8Array(row[field]);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        await expect(unsealSeed({ ...row, [field]: bytes }, own)).rejects.toMatchObject({
          code: 'SECRET_UNREADABLE',
        });
      }
    }
  });

  it('opens under no other name, owner, key or field than its own', async () => {
    const row = await seal();
    const other = await seal('wallet-2', 'user-2');
    const changes: Partial<WalletSecret>[] = [
      { walletId: 'wallet-2' },
      { userId: 'user-2' },
      { userId: null },
      { publicKey: keyAddress(signingKey(Buffer.alloc(32, 1))) },
      { kekId: 'local-unknown' },
      { wrappedDek: other.wrappedDek },
      { sealedSeed: other.sealedSeed },
      { wrappedDek: other.wrappedDek, sealedSeed: other.sealedSeed },
      { wrappedDek: row.sealedSeed, sealedSeed: row.wrappedDek },
      { wrappedDek: new Uint8Array() },
    ];
    for (const change of changes) {
      await expect(unsealSeed({ ...row, ...change }, ring())).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
      });
    }
  });

  it('cannot be confused by moving characters from one field to the next', async () => {
    const row = await sealSeed(seed, { walletId: 'bc', userId: 'a', publicKey }, kek());
    await expect(unsealSeed({ ...row, walletId: 'c', userId: 'ab' }, ring())).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
  });

  it('opens with an older key of the ring, and not without it', async () => {
    const newer = localKek(new Uint8Array(32).fill(6));
    const row = await seal();
    expect(await unsealSeed(row, keyring(newer, [kek()]))).toEqual(seed);
    await expect(unsealSeed(row, keyring(newer))).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    expect(() => keyring(kek(), [kek()])).toThrow(RangeError);
  });

  it('never repeats a ciphertext', async () => {
    const rows = await Promise.all(Array.from({ length: 50 }, () => seal()));
    expect(new Set(rows.map((row) => Buffer.from(row.sealedSeed).toString('hex'))).size).toBe(50);
  });
});

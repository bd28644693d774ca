import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { sealSeed, unsealSeed } from '../../../src/platform/vault/seal.ts';
import { seedAddress } from '../../../src/platform/vault/seed-signer.ts';

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

  it.each([
    [
      'a person’s wallet',
      'user-1',
      '3c8ec5ddc5544cfb309caf55e3f3c9bf87b99242d8f1cc053336838d58f7773bd8113cd362ea16894fc270635b500c0023cc51ba0b1444ae0458eeef',
      'c8285ee2048a20e38cbfca2ae5884d9f7b429718388527129d7dbeadfd0007bf4b1e763383aa48dbf4bd481f4290bbf899eb442285167b24b58d899a',
    ],
    [
      'the service’s own wallet',
      null,
      '9358a7d8d4b4ea5aab2011e6eecebb5c3bf7a6b9e536dbeae998aaf68d8391850648d5bdf1c9cb96378260f4ad6ecef7e437ae2150517fa29732b387',
      'f9c15494817e3e7111828f4e7f06bae307a3d3f563efa5e132e822266a0e569bf111e11e3a455a25cd73ccb7c30311803f45001099fee194ba891fcc',
    ],
  ])('opens as it was stored in the first days: %s', async (_, userId, wrappedDek, sealedSeed) => {
    const stored: WalletSecret = {
      walletId: 'wallet-1',
      userId,
      publicKey,
      version: 1,
      kekId: 'local-72b6d7b64847efbf',
      wrappedDek: Buffer.from(wrappedDek, 'hex'),
      sealedSeed: Buffer.from(sealedSeed, 'hex'),
    };
    expect(await unsealSeed(stored, ring())).toEqual(seed);
  });

  it('is not opened by rules it was not sealed by, and says whose it is', async () => {
    const newer = { ...(await seal()), version: 2 } as unknown as WalletSecret;
    await expect(unsealSeed(newer, ring())).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      details: { walletId: 'wallet-1' },
    });
  });

  it('tells an outage of the key as an outage, and a changed row with its cause', async () => {
    const outage = new AppError('KEK_UNAVAILABLE', { cause: 'down' });
    const down = { ...kek(), unwrap: () => Promise.reject(outage) };
    await expect(unsealSeed(await seal(), keyring(down))).rejects.toBe(outage);
    await expect(
      unsealSeed({ ...(await seal()), wrappedDek: new Uint8Array() }, ring()),
    ).rejects.toMatchObject({ code: 'SECRET_UNREADABLE', cause: expect.any(RangeError) });
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
      { publicKey: seedAddress(Buffer.alloc(32, 1)) },
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
    expect(() => keyring(kek(), [kek()])).toThrow(
      new RangeError('two key-encryption keys are called local-72b6d7b64847efbf'),
    );
  });

  it('never repeats a ciphertext', async () => {
    const rows = await Promise.all(Array.from({ length: 50 }, () => seal()));
    expect(new Set(rows.map((row) => Buffer.from(row.sealedSeed).toString('hex'))).size).toBe(50);
  });
});

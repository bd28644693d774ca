import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { type KeyEncryptionKey, keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { rewrapSecret } from '../../../src/platform/vault/rewrap.ts';
import { sealSeed, unsealSeed } from '../../../src/platform/vault/seal.ts';
import { seedAddress } from '../../../src/platform/vault/seed-signer.ts';

const seed = Buffer.alloc(32, 9);
/** A sealed row, the key it is under and the one it is to move to. */
async function open() {
  const [old, fresh] = [localKek(new Uint8Array(32).fill(5)), localKek(new Uint8Array(32).fill(6))];
  const owner = { walletId: 'wallet-1', userId: 'user-1', publicKey: seedAddress(seed) };
  return { old, fresh, sealed: await sealSeed(seed, owner, old) };
}

describe('a key that moves under a new key-encryption key', () => {
  it('opens with the new one alone, with its sealed seed as it was', async () => {
    const { old, fresh, sealed } = await open();
    const moved = await rewrapSecret(sealed, keyring(fresh, [old]));
    expect(moved).toEqual({ ...sealed, kekId: fresh.id, wrappedDek: moved.wrappedDek });
    expect(await unsealSeed(moved, keyring(fresh))).toEqual(seed);
    await expect(unsealSeed(moved, keyring(old))).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });

  it('comes back as it is when it is there already, whatever state its boxes are in', async () => {
    const { old, fresh, sealed } = await open();
    const broken = { ...sealed, wrappedDek: new Uint8Array() };
    expect(await rewrapSecret(broken, keyring(old, [fresh]))).toBe(broken);
  });

  it('is unreadable without its own key on the ring, and names the wallet', async () => {
    const { fresh, sealed } = await open();
    await expect(rewrapSecret(sealed, keyring(fresh))).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      details: { walletId: 'wallet-1' },
    });
  });

  it('is unreadable when its row was changed, and keeps the cause for the operator', async () => {
    const { old, fresh, sealed } = await open();
    for (const change of [
      { userId: 'user-2' },
      { walletId: 'wallet-2' },
      { wrappedDek: sealed.sealedSeed },
    ]) {
      const row = { ...sealed, ...change };
      await expect(rewrapSecret(row, keyring(fresh, [old]))).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
        details: { walletId: row.walletId },
        cause: expect.any(Error),
      });
    }
  });

  it('stays where it is when either provider cannot be asked, which is told as an outage', async () => {
    const { old, fresh, sealed } = await open();
    const outage = new AppError('KEK_UNAVAILABLE', { cause: 'down' });
    const silent = async () => {
      throw outage;
    };
    const downOld: KeyEncryptionKey = { ...old, unwrap: silent };
    const downFresh: KeyEncryptionKey = { ...fresh, wrap: silent };
    await expect(rewrapSecret(sealed, keyring(fresh, [downOld]))).rejects.toBe(outage);
    await expect(rewrapSecret(sealed, keyring(downFresh, [old]))).rejects.toBe(outage);
  });

  it('leaves no data key behind in memory, whether it could be wrapped anew or not', async () => {
    const { old, fresh, sealed } = await open();
    const handed: Uint8Array[] = [];
    const watched: KeyEncryptionKey = {
      ...old,
      unwrap: async (box, aad) => {
        const dek = await old.unwrap(box, aad);
        handed.push(dek);
        return dek;
      },
    };
    const refusing: KeyEncryptionKey = { ...fresh, wrap: () => Promise.reject(new Error('no')) };
    await rewrapSecret(sealed, keyring(fresh, [watched]));
    await expect(rewrapSecret(sealed, keyring(refusing, [watched]))).rejects.toThrow();
    expect(handed.map((dek) => [...dek])).toEqual([Array(32).fill(0), Array(32).fill(0)]);
  });
});

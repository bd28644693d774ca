import { describe, expect, it } from 'vitest';
import { keyring } from '../../../src/adapters/vault/kek.ts';
import { createKeyTransfer } from '../../../src/adapters/vault/key-transfer.ts';
import { localKek } from '../../../src/adapters/vault/local-kek.ts';
import { sealSeed, unsealSeed } from '../../../src/adapters/vault/seal.ts';
import { keyAddress, signingKey } from '../../../src/adapters/vault/sign.ts';
import type { Wallet, WalletSecret } from '../../../src/core/wallets/wallet.ts';

const kek = localKek(new Uint8Array(32).fill(5));
const ring = keyring(kek);
const seed = Buffer.alloc(32, 9);
const owner = { walletId: 'wallet-1', userId: 'user-1', publicKey: keyAddress(signingKey(seed)) };
const sealed = await sealSeed(seed, owner, kek);
const wallet: Wallet = {
  id: 'wallet-1',
  userId: 'user-1',
  name: 'Main',
  address: owner.publicKey,
  createdAt: 0,
  deletedAt: null,
};
/** What a backup gets to see of a wallet whose row is `row`. */
const transferOf = (row: WalletSecret | null) =>
  createKeyTransfer({ keyring: ring, secrets: { secret: async () => row } });
const never = async (): Promise<never> => {
  throw new Error('a seed was handed out');
};

describe('a seed that leaves for a backup', () => {
  it('is the wallet’s own, for the length of one use, and wiped after it', async () => {
    let kept: Uint8Array = new Uint8Array();
    const copied = await transferOf(sealed).withSeed(wallet, async (handed) => {
      kept = handed;
      return Buffer.from(handed);
    });
    expect(copied).toEqual(seed);
    expect([...kept]).toEqual(Array(32).fill(0));
  });

  it('is wiped when its use fails, and the failure is told as it is', async () => {
    let kept: Uint8Array = new Uint8Array();
    const failure = new Error('disk full');
    await expect(
      transferOf(sealed).withSeed(wallet, async (handed) => {
        kept = handed;
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect([...kept]).toEqual(Array(32).fill(0));
  });

  const forged = async (change: Partial<typeof owner>, bytes = seed) =>
    sealSeed(bytes, { ...owner, ...change }, kek);
  it.each([
    ['no row', async () => null],
    ['another wallet’s row, whole and valid', () => forged({ walletId: 'wallet-2' })],
    ['another person’s row, whole and valid', () => forged({ userId: 'user-2' })],
    ['another key sealed under this wallet’s names', () => forged({}, Buffer.alloc(32, 8))],
    ['a seed of another length', () => forged({}, Buffer.alloc(31, 9))],
    ['a changed row', async () => ({ ...sealed, wrappedDek: new Uint8Array(60) })],
  ])('is not handed out of %s', async (_, row) => {
    await expect(transferOf(await row()).withSeed(wallet, never)).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
      details: { walletId: 'wallet-1' },
    });
  });
});

describe('a seed that comes from a backup', () => {
  it('is sealed for its owner under the current key, with the address that belongs to it', async () => {
    const row = await transferOf(null).seal(seed, { walletId: 'wallet-7', userId: 'user-7' });
    expect(row).toMatchObject({
      walletId: 'wallet-7',
      userId: 'user-7',
      publicKey: owner.publicKey,
      version: 1,
      kekId: kek.id,
    });
    expect(await unsealSeed(row, ring)).toEqual(seed);
  });
});

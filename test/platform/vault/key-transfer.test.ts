import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { Wallet, WalletSecret } from '../../../src/modules/wallets/rules/wallet.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { createKeyTransfer } from '../../../src/platform/vault/key-transfer.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { sealSeed, unsealSeed } from '../../../src/platform/vault/seal.ts';

const seed = Buffer.alloc(32, 9);
const WALLET: Wallet = {
  id: 'wallet-1',
  userId: 'user-1',
  name: 'Main',
  address: address('J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf'),
  createdAt: 0,
  deletedAt: null,
  origin: 'made',
  confirmedAt: null,
  payoutFrom: null,
};
const OWNER = { walletId: 'wallet-1', userId: 'user-1' };
const kek = () => localKek(new Uint8Array(32).fill(5));
const ring = () => keyring(kek());
const sealed = (change: Partial<typeof OWNER> = {}, bytes = seed) =>
  sealSeed(bytes, { ...OWNER, publicKey: WALLET.address, ...change }, kek());
/** What a backup gets to see of a wallet whose row is `row`. */
const transferOf = (row: WalletSecret | null) =>
  createKeyTransfer({ keyring: ring(), secrets: { secret: async () => row } });
const never = async (): Promise<never> => {
  throw new Error('a seed was handed out');
};

describe('a seed that leaves for a backup', () => {
  it('is the wallet’s own, for the length of one use, and wiped after it', async () => {
    let kept: Uint8Array = new Uint8Array();
    const copied = await transferOf(await sealed()).withSeed(WALLET, async (handed) => {
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
      transferOf(await sealed()).withSeed(WALLET, async (handed) => {
        kept = handed;
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect([...kept]).toEqual(Array(32).fill(0));
  });

  it.each([
    ['no row', async () => null],
    ['another wallet’s row, whole and valid', () => sealed({ walletId: 'wallet-2' })],
    ['another person’s row, whole and valid', () => sealed({ userId: 'user-2' })],
    ['another key sealed under this wallet’s names', () => sealed({}, Buffer.alloc(32, 8))],
    ['a seed of another length', () => sealed({}, Buffer.alloc(31, 9))],
    ['a changed row', async () => ({ ...(await sealed()), wrappedDek: new Uint8Array(60) })],
  ])('is not handed out of %s', async (_, row) => {
    await expect(transferOf(await row()).withSeed(WALLET, never)).rejects.toMatchObject({
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
      publicKey: WALLET.address,
      version: 1,
      kekId: kek().id,
    });
    expect(await unsealSeed(row, ring())).toEqual(seed);
  });
});

import { lamports } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteWallet } from '../../../src/modules/guard/use/delete-wallet.ts';
import { givePermit } from '../../../src/modules/guard/use/permit.ts';
import { renameWallet } from '../../../src/modules/guard/use/rename-wallet.ts';
import { openDepositWallet } from '../../../src/modules/wallets/use/open-deposit-wallet.ts';
import { restoreWallet } from '../../../src/modules/wallets/use/restore-wallet.ts';
import { importWallet } from '../../../src/modules/wallets/use/wallet-backups.ts';
import { certifiedRow, secretRow, walletRow } from '../../conformance/store-rows.ts';
import { PASSED } from '../../support/passed.ts';
import { diceOf } from '../../trust/thief/dice.ts';
import { DAY, OWNERS_PIN, type Stolen, stolenAccount } from '../../trust/thief/world.ts';

const KEPT = 30 * DAY;

let world: Stolen;
let deps: Stolen['deps'] & Parameters<typeof openDepositWallet>[0];
/** The first wallet of the account, called "Savings", and another one. */
let first: string;
let other: string;
let held: bigint;
beforeEach(async () => {
  world = await stolenAccount({ name: '', hold: 'pin', owner: 'asleep', isOfToday: false }, diceOf(1));
  held = 0n;
  deps = {
    ...world.deps,
    chain: { ...world.deps.chain, balance: async () => lamports(held) },
    vault: {
      ...world.deps.vault,
      create: async ({ walletId, userId }) => certifiedRow(walletRow({ id: walletId, userId })),
    },
  };
  first = world.walletId;
  await world.db.wallets.rename(PASSED, first, 'Savings');
  other = (await added('Other')).id;
});

async function added(name: string) {
  const wallet = walletRow({ userId: world.userId, name });
  await world.db.wallets.insert(PASSED, wallet, secretRow(wallet));
  return wallet;
}
const rename = (walletId: string, name: string) =>
  renameWallet(deps, { userId: world.userId, walletId, name });
const nameOf = async (id: string) => (await world.db.wallets.find(id))?.name;
const open = async () =>
  (await openDepositWallet(deps, { userId: world.userId, expectedCount: 9 })).wallet.name;
const bring = async () => {
  const { userId } = world;
  const permit = await givePermit(deps, { userId, pin: OWNERS_PIN, act: 'wallet-import' });
  return importWallet(deps, { userId, material: 'a key', passphrase: null, permit });
};
const remove = (walletId: string) =>
  deleteWallet(deps, { userId: world.userId, walletId, typedName: null, pin: null });
const walletNotices = async () => {
  const ids = await world.db.notices.undelivered(world.clock.now() + 1, 100);
  const all = await Promise.all(ids.map((id) => world.db.notices.find(id)));
  return all.flatMap((one) => (one?.kind === 'wallet' ? [one.payload] : []));
};

describe('a name that a wallet had before', () => {
  it.each(['Savings', 'SAVINGS', 'Ｓavings', 'Sаvings'])(
    'is kept from other wallets for 30 days: %s',
    async (name) => {
      await rename(first, 'Cold');
      await expect(rename(other, name)).rejects.toMatchObject({
        code: 'NAME_RESERVED',
        details: { like: 'Savings', reason: 'renamed' },
      });
      world.clock.advance(KEPT - 1);
      await expect(rename(other, name)).rejects.toMatchObject({ code: 'NAME_RESERVED' });
      world.clock.advance(1);
      expect((await rename(other, name)).name).toBe(name.normalize('NFC'));
    },
  );

  it('goes back to its own wallet at any time', async () => {
    await rename(first, 'Cold');
    expect((await rename(first, 'Savings')).name).toBe('Savings');
  });

  it('is each of several, and another person may have it', async () => {
    for (const name of ['Cold', 'Warm', 'Hot']) await rename(first, name);
    for (const name of ['Savings', 'Cold', 'Warm'])
      await expect(rename(other, name)).rejects.toMatchObject({ details: { reason: 'renamed' } });
    const theirs = await stolenAccount(
      { name: '', hold: 'pin', owner: 'asleep', isOfToday: false },
      diceOf(2),
    );
    await renameWallet(theirs.deps, { userId: theirs.userId, walletId: theirs.walletId, name: 'Warm' });
  });

  it('is not what a wallet comes to that is made, imported or restored', async () => {
    await rename(other, 'Main');
    await rename(other, 'Wallet 3');
    await rename(other, 'Imported');
    await rename(other, 'Away');
    expect(await open()).not.toMatch(/Main|Wallet 3/);
    expect((await bring()).name).toBe('Imported 2');
    const gone = await added('Lent');
    await world.db.wallets.setDeletedAt(PASSED, gone.id, world.clock.now());
    await world.db.auditLog.record({
      at: world.clock.now(),
      actor: `user:${world.userId}`,
      act: 'wallet-renamed',
      subject: world.userId,
      outcome: 'done',
      details: { walletId: other, address: '', was: 'Lent', name: 'Away' },
    });
    expect(
      (await restoreWallet({ ...deps, maxWallets: 9 }, { userId: world.userId, walletId: gone.id })).name,
    ).not.toBe('Lent');
  });
});

describe('the name of a deleted wallet', () => {
  it('is not the name of the next one that is made or imported, for 30 days', async () => {
    await rename(other, 'Main');
    await remove(other);
    await rename(first, 'Cold');
    expect(await open()).not.toBe('Main');
    const brought = await bring();
    await remove(brought.id);
    expect((await bring()).name).toBe('Imported 2');
    world.clock.advance(KEPT);
    expect((await rename(first, 'Main')).name).toBe('Main');
  });
});

describe('a rename', () => {
  it('is told where the wallet holds anything or may, and stands in the trail', async () => {
    await rename(first, 'Cold');
    expect(await walletNotices()).toEqual([]);
    held = 1n;
    await rename(first, 'Warm');
    expect(await walletNotices()).toEqual([{ walletId: first, event: 'renamed', was: 'Cold' }]);
    deps = { ...deps, chain: { ...deps.chain, balance: () => Promise.reject(new Error('no node')) } };
    await rename(first, 'Hot');
    expect(await walletNotices()).toHaveLength(2);
    const [last] = await world.db.auditLog.list({ subject: world.userId }, { limit: 1, offset: 0 });
    expect(last).toMatchObject({
      act: 'wallet-renamed',
      details: { walletId: first, was: 'Warm', name: 'Hot' },
    });
  });

  it('that is refused leaves nothing', async () => {
    held = 1n;
    await expect(rename(first, 'other')).rejects.toMatchObject({ code: 'WALLET_NAME_TAKEN' });
    expect(await nameOf(first)).toBe('Savings');
    expect(await walletNotices()).toEqual([]);
  });
});

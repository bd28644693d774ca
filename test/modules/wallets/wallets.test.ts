import { type Address, addressFromBytes, lamports } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError, hasCode } from '../../../src/core/errors/app-error.ts';
import type { ErrorCode } from '../../../src/core/errors/codes.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { deleteWallet } from '../../../src/modules/guard/use/delete-wallet.ts';
import { renameWallet } from '../../../src/modules/guard/use/rename-wallet.ts';
import { switchWallet } from '../../../src/modules/guard/use/switch-wallet.ts';
import type { OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { cancelOrder } from '../../../src/modules/orders/use/change-order.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import { activeWallet } from '../../../src/modules/wallets/use/active-wallet.ts';
import { createAgreedFunds } from '../../../src/modules/wallets/use/agreed-funds.ts';
import { listDeletedWallets, listWallets } from '../../../src/modules/wallets/use/list-wallets.ts';
import { openDepositWallet } from '../../../src/modules/wallets/use/open-deposit-wallet.ts';
import { restoreWallet } from '../../../src/modules/wallets/use/restore-wallet.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { newAddress } from '../../conformance/store-rows.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';

const DAY = 86_400_000;
const MAX = 3;

/** Keys that count up; sealing is the vault's own business. */
function countingVault(): Pick<Vault, 'create'> {
  let n = 0;
  return {
    create: async ({ walletId, userId }) => {
      n += 1;
      const bytes = new Uint8Array(32);
      new DataView(bytes.buffer).setUint32(28, n);
      bytes[0] = 1;
      return {
        walletId,
        userId,
        publicKey: addressFromBytes(bytes),
        version: 1,
        kekId: 'test',
        wrappedDek: new Uint8Array(1),
        sealedSeed: new Uint8Array(1),
        certificate: 'counted',
      };
    },
  };
}

/** Balances by address; anything else is empty. */
function chainWith(balances: Map<Address, bigint>, down = false): Pick<Chain, 'balance' | 'holdings'> {
  return {
    balance: async (of) => {
      if (down) throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'e', cause: 'c' });
      return lamports(balances.get(of) ?? 0n);
    },
    holdings: async () => [],
  };
}

async function rejectsWith(code: ErrorCode, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(hasCode(error, code), String(error)).toBe(true);
}

let db: ReturnType<typeof fakeDatabase>;
let user: User;
let deps: ReturnType<typeof makeDeps>;
const pins = fakePins();
const balances = new Map<Address, bigint>();

function makeDeps() {
  const clock = fakeClock();
  const signer = testSigner({ db, clock }, { pins });
  return {
    db,
    clock,
    ids: fakeIds(4),
    vault: { ...signer, ...countingVault() },
    guardRules: LOCAL_RULES,
    maxWallets: MAX,
    chain: chainWith(balances),
  };
}

beforeEach(async () => {
  balances.clear();
  db = fakeDatabase();
  deps = makeDeps();
  user = await insertUser(db, fakeIds(1), 1n);
});

const open = (expectedCount: number) => openDepositWallet(deps, { userId: user.id, expectedCount });
const fresh = async () => (await db.users.find(user.id)) ?? user;

describe('opening deposit wallets', () => {
  it('makes the first one active and names the rest', async () => {
    const { wallet } = await open(0);
    expect(wallet.name).toBe('Main');
    expect((await fresh()).activeWalletId).toBe(wallet.id);
    expect((await open(1)).wallet.name).toBe('Wallet 2');
    expect((await fresh()).activeWalletId).toBe(wallet.id);
    expect(await db.wallets.secret(wallet.id)).not.toBeNull();
  });

  it('answers a repeated tap with the wallet that is there', async () => {
    const results = await Promise.all([open(0), open(0), open(0)]);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(results.map(({ wallet }) => wallet.id)).size).toBe(1);
  });

  it('stops at the limit, also when many ask at once', async () => {
    await open(0);
    await open(1);
    const results = await Promise.allSettled([open(2), open(3), open(3)]);
    expect(await db.wallets.listByUser(user.id)).toHaveLength(MAX);
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    await rejectsWith('WALLET_LIMIT_REACHED', open(3));
  });

  it('does not let create and delete go on for ever', async () => {
    for (let i = 0; i < MAX * 10; i += 1) {
      const { wallet } = await open(0);
      await deleteWallet(deps, { userId: user.id, walletId: wallet.id, typedName: null, pin: null });
    }
    await rejectsWith('WALLET_LIMIT_REACHED', open(0));
  });

  it('refuses a person who is not there', async () => {
    await rejectsWith('USER_NOT_FOUND', openDepositWallet(deps, { userId: 'nobody', expectedCount: 0 }));
  });
});

const fundsBy = (chain: ReturnType<typeof chainWith>) =>
  createAgreedFunds({
    chain: { ...chain, secondWord: async () => null, slotMs: () => 400 },
    clock: deps.clock,
    pause: () => new Promise<void>(() => undefined),
  }).ofAll;

describe('using wallets', () => {
  it('shows a stranger’s wallet to nobody', async () => {
    const { wallet } = await open(0);
    const mallory = await insertUser(db, fakeIds(77), 2n);
    const theirs = { userId: mallory.id, walletId: wallet.id };
    await rejectsWith('WALLET_NOT_FOUND', switchWallet(deps, { ...theirs, pin: null }));
    await rejectsWith('WALLET_NOT_FOUND', renameWallet(deps, { ...theirs, name: 'x' }));
    await rejectsWith('WALLET_NOT_FOUND', deleteWallet(deps, { ...theirs, typedName: null, pin: null }));
    await rejectsWith('WALLET_NOT_FOUND', restoreWallet(deps, theirs));
    await rejectsWith(
      'WALLET_REQUIRED',
      activeWallet(db.wallets, { id: mallory.id, activeWalletId: wallet.id }),
    );
  });

  it('lists balances, and unknown ones as unknown', async () => {
    const { wallet } = await open(0);
    balances.set(wallet.address, 5n);
    const [row] = await listWallets({ wallets: db.wallets, fundsOf: fundsBy(deps.chain) }, await fresh());
    expect(row).toMatchObject({ active: true, funds: { lamports: 5n, tokens: [] } });
    const [unknown] = await listWallets(
      { wallets: db.wallets, fundsOf: fundsBy(chainWith(balances, true)) },
      await fresh(),
    );
    expect(unknown?.funds).toBeNull();
  });

  it('renames, but not to another wallet’s name', async () => {
    const { wallet } = await open(0);
    await open(1);
    const rename = (name: string) => renameWallet(deps, { userId: user.id, walletId: wallet.id, name });
    expect((await rename('  My \u202E  wallet ')).name).toBe('My wallet');
    await rejectsWith('WALLET_NAME_TAKEN', rename('wallet 2'));
    await rejectsWith('TEXT_INVALID', rename('\u200B'));
    await rejectsWith('TEXT_INVALID', rename('x'.repeat(21)));
    expect((await rename('MY WALLET')).name).toBe('MY WALLET');
    await rejectsWith('NAME_RESERVED', rename('Wаllet 2'));
  });

  it('renames to no look-alike of a wallet that was deleted within 30 days', async () => {
    const { wallet } = await open(0);
    const { wallet: second } = await open(1);
    await deleteWallet(deps, { userId: user.id, walletId: second.id, typedName: null, pin: null });
    const rename = () => renameWallet(deps, { userId: user.id, walletId: wallet.id, name: 'WАLLET 2' });
    await rejectsWith('NAME_RESERVED', rename());
    deps.clock.advance(30 * DAY);
    expect((await rename()).name).toBe('WАLLET 2');
  });
});

describe('deleting and restoring', () => {
  it('asks for the name and the PIN of a wallet that holds something', async () => {
    const { wallet } = await open(0);
    balances.set(wallet.address, 1n);
    const remove = (typedName: string | null, pin: string | null = null) =>
      deleteWallet(deps, { userId: user.id, walletId: wallet.id, typedName, pin });
    await rejectsWith('WALLET_NOT_EMPTY', remove(null));
    await rejectsWith('WALLET_NOT_EMPTY', remove('main'));
    await rejectsWith('PIN_REQUIRED', remove('Main'));
    await rejectsWith('PIN_REQUIRED', remove('Main', TEST_PIN));
    await givePin(db, pins, user.id);
    await rejectsWith('PIN_WRONG', remove('Main', '402917'));
    await rejectsWith('WALLET_NOT_EMPTY', remove('main', TEST_PIN));
    expect(await db.wallets.listByUser(user.id)).toHaveLength(1);
    await remove('Main', TEST_PIN);
    expect(await db.wallets.listByUser(user.id)).toEqual([]);
    expect((await fresh()).activeWalletId).toBeNull();
    expect(await db.wallets.secret(wallet.id)).not.toBeNull();
  });

  it('deletes nothing when nobody knows what the wallet holds', async () => {
    const { wallet } = await open(0);
    const blind = { ...deps, chain: chainWith(balances, true) };
    await rejectsWith(
      'CHAIN_UNREACHABLE',
      deleteWallet(blind, { userId: user.id, walletId: wallet.id, typedName: 'Main', pin: null }),
    );
    expect(await db.wallets.listByUser(user.id)).toHaveLength(1);
  });

  it('keeps the active wallet while there are others, and one with open transactions', async () => {
    const { wallet: main } = await open(0);
    const { wallet: second } = await open(1);
    await rejectsWith(
      'WALLET_IN_USE',
      deleteWallet(deps, { userId: user.id, walletId: main.id, typedName: null, pin: null }),
    );
    await db.intents.insert({
      id: deps.ids.ulid(),
      receipt: 'R-1',
      kind: 'withdraw-sol',
      userId: user.id,
      walletId: second.id,
      idemKey: 'k',
      confirmation: null,
      params: {
        kind: 'withdraw-sol',
        destination: main.address,
        lamports: 1n,
        everything: false,
        tier: 'normal',
      },
      status: 'CREATED',
      notBefore: null,
      leaseOwner: null,
      leaseUntil: null,
      leaseEpoch: 0,
      outcome: null,
      createdAt: 0,
      updatedAt: 0,
    });
    await rejectsWith(
      'WALLET_IN_USE',
      deleteWallet(deps, { userId: user.id, walletId: second.id, typedName: null, pin: null }),
    );
  });

  it('keeps one with an order that may still fire, open or paused, until the order has ended', async () => {
    await open(0);
    const { wallet: second } = await open(1);
    const group: OrderGroup = {
      id: deps.ids.ulid(),
      userId: user.id,
      walletId: second.id,
      mint: newAddress(),
      placeKey: 'place',
      parentIntentId: null,
      createdAt: 0,
      kind: 'SINGLE',
      units: 1_000n,
      sold: 0n,
      orders: [],
      liveFires: [],
    };
    const order = orderRow(group);
    await db.orders.insert(PASSED, { ...group, orders: [order] });
    const remove = () =>
      deleteWallet(deps, { userId: user.id, walletId: second.id, typedName: null, pin: null });
    await expect(remove()).rejects.toMatchObject({
      code: 'WALLET_IN_USE',
      details: { name: second.name, openIntents: 1 },
    });
    expect(await db.wallets.find(second.id)).toMatchObject({ deletedAt: null });
    await db.orders.pauseAll(user.id, 'panic', 1);
    await rejectsWith('WALLET_IN_USE', remove());
    const ending = { ...deps, ordersChanged: () => undefined };
    await cancelOrder(ending as never, { userId: user.id, orderId: order.id });
    expect(await remove()).toMatchObject({ deletedAt: deps.clock.now() });
  });

  it('restores within thirty days under its own name, which the next wallet does not take', async () => {
    await open(0);
    const { wallet } = await open(1);
    await deleteWallet(deps, { userId: user.id, walletId: wallet.id, typedName: null, pin: null });
    await open(1);
    deps.clock.advance(29 * DAY);
    expect(await listDeletedWallets({ ...deps, wallets: db.wallets }, user.id)).toHaveLength(1);
    const restored = await restoreWallet(deps, { userId: user.id, walletId: wallet.id });
    expect(restored).toMatchObject({ name: 'Wallet 2', address: wallet.address, deletedAt: null });
    expect((await db.wallets.listByUser(user.id)).map(({ name }) => name)).toEqual([
      'Main',
      'Wallet 2',
      'Wallet 3',
    ]);
    await deleteWallet(deps, { userId: user.id, walletId: wallet.id, typedName: null, pin: null });
    deps.clock.advance(31 * DAY);
    expect(await listDeletedWallets({ ...deps, wallets: db.wallets }, user.id)).toEqual([]);
    await rejectsWith('WALLET_NOT_FOUND', restoreWallet(deps, { userId: user.id, walletId: wallet.id }));
  });

  it('restores one that holds anything at any time, also what arrived after it was deleted', async () => {
    const { wallet } = await open(0);
    await deleteWallet(deps, { userId: user.id, walletId: wallet.id, typedName: null, pin: null });
    const list = () => listDeletedWallets({ ...deps, wallets: db.wallets }, user.id);
    expect((await list())[0]?.restorableUntil).toBe(deps.clock.now() + 30 * DAY);
    deps.clock.advance(400 * DAY);
    expect(await list()).toEqual([]);
    balances.set(wallet.address, 1n);
    expect((await list())[0]?.restorableUntil).toBeNull();
    const blind = { ...deps, chain: chainWith(balances, true) };
    // Nobody knows what it holds: it is shown, and restored when somebody does.
    expect(await listDeletedWallets({ ...blind, wallets: db.wallets }, user.id)).toHaveLength(1);
    await rejectsWith('CHAIN_UNREACHABLE', restoreWallet(blind, { userId: user.id, walletId: wallet.id }));
    await restoreWallet(deps, { userId: user.id, walletId: wallet.id });
    expect((await fresh()).activeWalletId).toBe(wallet.id);
  });

  it('restores under another name where its own looks like one that is taken or kept', async () => {
    const { wallet: main } = await open(0);
    const { wallet: second } = await open(1);
    const remove = (walletId: string) =>
      deleteWallet(deps, { userId: user.id, walletId, typedName: null, pin: null });
    await remove(second.id);
    deps.clock.advance(29 * DAY);
    const { wallet: third } = await open(1);
    await db.wallets.rename(PASSED, third.id, 'Wаllet 2');
    await remove(third.id);
    // The younger one is deleted, too, and its name is kept.
    const restored = await restoreWallet(deps, { userId: user.id, walletId: second.id });
    expect(restored.name).toBe('Wallet 3');
    expect((await db.wallets.find(second.id))?.name).toBe('Wallet 3');
    expect((await db.wallets.find(main.id))?.name).toBe('Main');
  });

  it('does not restore past the limit', async () => {
    await open(0);
    const { wallet } = await open(1);
    await deleteWallet(deps, { userId: user.id, walletId: wallet.id, typedName: null, pin: null });
    await open(1);
    await open(2);
    await rejectsWith('WALLET_LIMIT_REACHED', restoreWallet(deps, { userId: user.id, walletId: wallet.id }));
  });
});

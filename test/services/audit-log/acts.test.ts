import { beforeEach, describe, expect, it } from 'vitest';
import { createRecoveryCodes } from '../../../src/adapters/pin/recovery-codes.ts';
import type { Address } from '../../../src/core/address/address.ts';
import type { Lamports } from '../../../src/core/amounts/lamports.ts';
import type { Database } from '../../../src/core/ports/stores.ts';
import { addAddress, removeAddress } from '../../../src/services/guard/address-book.ts';
import { changeCap } from '../../../src/services/guard/change-cap.ts';
import type { GuardDeps } from '../../../src/services/guard/deps.ts';
import { freezeAccount, unfreezeAccount } from '../../../src/services/guard/freeze-account.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/services/guard/set-pin.ts';
import { openDepositWallet } from '../../../src/services/wallets/open-deposit-wallet.ts';
import { restoreWallet } from '../../../src/services/wallets/restore-wallet.ts';
import { insertUser } from '../../bot/support/people.ts';
import { secretRow, walletRow } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { testSigner } from '../../support/signer.ts';

const PIN = '402971';
const OTHER = 'Bz1XwBRGHZ8cmrkhGRTE3QdRVYDcRH3zMpJmoVGjVbnN' as Address;

describe('the trail of what a person does', () => {
  let db: Database;
  let deps: GuardDeps;
  let userId: string;
  const ids = fakeIds(7);
  const clock = { now: () => 5_000 };
  beforeEach(async () => {
    db = fakeDatabase();
    userId = (await insertUser(db, ids, 1n)).id;
    deps = {
      db,
      clock,
      ids,
      vault: testSigner({ db, clock }),
      codes: createRecoveryCodes(),
      guardRules: { delayMs: 1_000, dailyCapLamports: 10n },
      relay: { nudge: () => undefined },
    } as unknown as GuardDeps;
  });

  const acts = async () =>
    (await db.auditLog.list({ subject: userId }, { limit: 50, offset: 0 }))
      .toReversed()
      .map(({ act, outcome, details, actor }) => {
        expect(actor).toBe(`user:${userId}`);
        return [act, outcome, details];
      });
  const givePin = async (replaces: string | null = null) => {
    const hash = await hashPin(deps, { userId, pin: PIN });
    await setPin(deps, { userId, hash, again: PIN, replaces });
  };

  it('has PIN, wrong PINs and the lock, and never the PIN', async () => {
    await givePin();
    await givePin(await beginPinChange(deps, { userId, pin: PIN }));
    for (let n = 0; n < 5; n += 1)
      await expect(changeCap(deps, { userId, pin: '111222', lamports: 5n })).rejects.toThrow(/PIN_/);
    const rows = await acts();
    expect(rows.slice(0, 2)).toEqual([
      ['pin-set', 'done', {}],
      ['pin-changed', 'done', {}],
    ]);
    expect(
      rows
        .slice(2)
        .map(([act, outcome, details]) => [act, outcome, (details as { triesLeft: number }).triesLeft]),
    ).toEqual([4, 3, 2, 1, 0].map((left) => ['pin-wrong', 'refused', left]));
    expect(rows.at(-1)?.[2]).toMatchObject({ lockedUntil: expect.any(Number) });
    expect(JSON.stringify(rows)).not.toMatch(/402971|111222/);
  });

  it('has cap, addresses, freeze and unlocking', async () => {
    await givePin();
    const wallet = walletRow({ userId });
    await db.wallets.insert(wallet, secretRow(wallet));
    await changeCap(deps, { userId, pin: PIN, lamports: 5n });
    await changeCap(deps, { userId, pin: PIN, lamports: 50n });
    const { entry } = await addAddress(deps, {
      userId,
      walletId: wallet.id,
      address: OTHER,
      name: 'x',
      pin: PIN,
    });
    await removeAddress(deps, { userId, id: entry.id });
    expect(await removeAddress(deps, { userId, id: entry.id })).toBeNull();
    await freezeAccount(deps, { userId });
    await unfreezeAccount(deps, { userId, pin: PIN });
    expect((await acts()).slice(1)).toEqual([
      ['cap-changed', 'done', { cap: 'withdrawals', lamports: '5', from: null }],
      ['cap-changed', 'done', { cap: 'withdrawals', lamports: '50', from: 6_000 }],
      ['address-added', 'done', { walletId: wallet.id, address: OTHER }],
      ['address-removed', 'done', { walletId: wallet.id, address: OTHER }],
      ['frozen', 'done', {}],
      ['unfreeze-asked', 'done', { until: 6_000 }],
    ]);
  });

  it('has wallets that are made and brought back, once each', async () => {
    const wallet = walletRow({ userId });
    const vault = {
      create: async ({ walletId }: { readonly walletId: string }) => ({ ...secretRow(wallet), walletId }),
    };
    const open = { db, vault, clock, ids, maxWallets: 5 };
    await openDepositWallet(open, { userId, expectedCount: 0 });
    await openDepositWallet(open, { userId, expectedCount: 0 });
    const [made] = await db.wallets.listByUser(userId);
    await db.wallets.setDeletedAt(made?.id ?? '', 4_000);
    const again = { userId, walletId: made?.id ?? '' };
    const chain = { balance: async () => 0n as Lamports, holdings: async () => [] };
    await restoreWallet({ db, chain, clock, maxWallets: 5 }, again);
    await restoreWallet({ db, chain, clock, maxWallets: 5 }, again);
    expect((await acts()).map(([act]) => act)).toEqual(['wallet-created', 'wallet-restored']);
  });
});

import { Keypair } from '@solana/web3.js';
import type { Address, Lamports } from '@tradepost/solana';
import bs58 from 'bs58';
import { beforeEach, describe, expect, it } from 'vitest';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import type { WithdrawSolParams } from '../../../src/engine/intents/kinds/withdraw-sol/params.ts';
import { cancelIntent } from '../../../src/engine/transactions/use/cancel-intent.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { addAddress, removeAddress } from '../../../src/modules/guard/use/address-book.ts';
import { changeCap } from '../../../src/modules/guard/use/change-cap.ts';
import { deleteWallet } from '../../../src/modules/guard/use/delete-wallet.ts';
import type { GuardDeps } from '../../../src/modules/guard/use/deps.ts';
import { freezeAccount, unfreezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { givePermit } from '../../../src/modules/guard/use/permit.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  showSecondFactor,
} from '../../../src/modules/guard/use/second-factor.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { openDepositWallet } from '../../../src/modules/wallets/use/open-deposit-wallet.ts';
import { restoreWallet } from '../../../src/modules/wallets/use/restore-wallet.ts';
import { type BackupDeps, importWallet } from '../../../src/modules/wallets/use/wallet-backups.ts';
import {
  type ConfirmWithdrawalDeps,
  confirmWithdrawal,
} from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createRecoveryCodes } from '../../../src/platform/pin/recovery-codes.ts';
import type { Database, Stores } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { certifiedRow, secretRow, walletRow } from '../../conformance/store-rows.ts';
import { insertUser } from '../../support/chat/people.ts';
import { authenticator } from '../../support/fakes/codes.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
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
      guardRules: { ...LOCAL_RULES, delayMs: 1_000, longDelayMs: 1_000, dailyCapLamports: 10n },
      relay: { nudge: () => undefined },
      log: { info: () => undefined, warn: () => undefined },
      settlements: SETTLEMENTS,
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
    await db.wallets.insert(PASSED, wallet, secretRow(wallet));
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
      create: async ({ walletId }: { readonly walletId: string }) => ({ ...certifiedRow(wallet), walletId }),
    };
    const open = { db, vault, clock, ids, maxWallets: 5 };
    await openDepositWallet(open, { userId, expectedCount: 0 });
    await openDepositWallet(open, { userId, expectedCount: 0 });
    const [made] = await db.wallets.listByUser(userId);
    await db.wallets.setDeletedAt(PASSED, made?.id ?? '', 4_000);
    const again = { userId, walletId: made?.id ?? '' };
    const chain = { balance: async () => 0n as Lamports, slotMs: () => 400, holdings: async () => [] };
    await restoreWallet({ db, chain, clock, maxWallets: 5 }, again);
    await restoreWallet({ db, chain, clock, maxWallets: 5 }, again);
    expect((await acts()).map(([act]) => act)).toEqual(['wallet-created', 'wallet-restored']);
  });

  it('has the authenticator, its codes and its end, with wrong codes in between', async () => {
    await givePin();
    // The codes of an authenticator have no steps before 1970.
    const clockLater = { now: () => 600_000 };
    const later = { ...deps, clock: clockLater, vault: testSigner({ db, clock: clockLater }) };
    const { token } = await beginSecondFactor(later, { userId, pin: PIN });
    const shown = await showSecondFactor(later, token);
    const code = authenticator(shown?.uri ?? '', later.clock.now());
    const wrong = code === '000000' ? '111111' : '000000';
    await expect(confirmSecondFactor(later, { userId, code: wrong })).rejects.toThrow(/PIN_/);
    await confirmSecondFactor(later, { userId, code });
    await endSecondFactor(later, { userId, pin: `${PIN} ${shown?.codes[0]}` });
    expect((await acts()).slice(1)).toEqual([
      ['pin-wrong', 'refused', { triesLeft: 4, lockedUntil: null }],
      ['second-factor-set', 'done', {}],
      ['second-factor-end-asked', 'done', { at: 601_000 }],
    ]);
  });

  it('has withdrawals that are confirmed and cancelled, the cancel in the commit that cancels', async () => {
    await givePin();
    const wallet = walletRow({ userId });
    await db.wallets.insert(PASSED, wallet, secretRow(wallet));
    const params = { kind: 'withdraw-sol', destination: OTHER, lamports: 5n, tier: 'normal' } as const;
    const { intent } = await confirmWithdrawal(
      { ...deps, tokenValue: async () => null } as unknown as ConfirmWithdrawalDeps,
      {
        userId,
        walletId: wallet.id,
        idemKey: 'once',
        params: params as WithdrawSolParams,
        pin: PIN,
      },
    );
    const confirmed = [
      'withdrawal-confirmed',
      'done',
      expect.objectContaining({ intentId: intent.id, amount: '5', destination: OTHER, mint: null }),
    ];
    expect((await acts()).slice(1)).toEqual([confirmed]);

    const ask = { intentId: intent.id, userId };
    const transact = db.transact.bind(db);
    const dying = {
      ...db,
      transact: <T>(work: (stores: Stores) => Promise<T>) =>
        transact((stores) =>
          work({
            ...stores,
            auditLog: { ...stores.auditLog, record: () => Promise.reject(new Error('the process died')) },
          }),
        ),
    };
    await expect(cancelIntent({ ...deps, db: dying }, ask)).rejects.toThrow('the process died');
    expect((await db.intents.find(intent.id))?.status).toBe('CREATED');
    expect((await cancelIntent(deps, ask)).cancelled).toBe(true);
    expect((await cancelIntent(deps, ask)).cancelled).toBe(false);
    // It still waited, so its new address goes with it.
    expect((await acts()).slice(2)).toEqual([
      ['address-removed', 'done', { walletId: wallet.id, address: OTHER }],
      ['withdrawal-cancelled', 'done', { intentId: intent.id }],
    ]);
  });

  it('has wallets that are brought, given out and deleted', async () => {
    await givePin();
    const owned = { ...deps, maxWallets: 5 } as unknown as BackupDeps;
    const material = bs58.encode(Keypair.generate().secretKey);
    const permit = await givePermit(owned, { userId, pin: PIN, act: 'wallet-import' });
    const brought = await importWallet(owned, { userId, material, passphrase: null, permit });
    const { vault } = owned as unknown as { readonly vault: Vault };
    const { exportId } = await vault.askExport({ userId, walletId: brought.id, pin: PIN });
    await vault.takeExport({ userId, exportId, pin: PIN, passphrase: 'twelve letters' });
    await vault.askExport({ userId, walletId: brought.id, pin: PIN });
    await vault.stopExport({ userId });
    const chain = { balance: async () => 0n as Lamports, slotMs: () => 400, holdings: async () => [] };
    await deleteWallet({ ...deps, chain }, { userId, walletId: brought.id, typedName: null, pin: null });
    const details = { walletId: brought.id, address: brought.address };
    expect((await acts()).slice(1)).toEqual([
      ['wallet-imported', 'done', details],
      ['export-asked', 'done', { ...details, readyAt: 5_000 }],
      ['wallet-exported', 'done', details],
      ['export-asked', 'done', { ...details, readyAt: 5_000 }],
      ['export-stopped', 'done', details],
      ['wallet-deleted', 'done', details],
    ]);
  });
});

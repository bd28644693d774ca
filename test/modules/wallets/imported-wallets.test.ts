import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, describe, expect, it } from 'vitest';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import { PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { deleteWallet } from '../../../src/modules/guard/use/delete-wallet.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { givePermit } from '../../../src/modules/guard/use/permit.ts';
import { renameWallet } from '../../../src/modules/guard/use/rename-wallet.ts';
import { switchWallet } from '../../../src/modules/guard/use/switch-wallet.ts';
import {
  type OpenWalletDeps,
  openDepositWallet,
} from '../../../src/modules/wallets/use/open-deposit-wallet.ts';
import { restoreWallet } from '../../../src/modules/wallets/use/restore-wallet.ts';
import { type BackupDeps, importWallet } from '../../../src/modules/wallets/use/wallet-backups.ts';
import { createRecoveryCodes } from '../../../src/platform/pin/recovery-codes.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner } from '../../support/signer.ts';

const DAY = 86_400_000;

let db: Database;
let clock: ReturnType<typeof fakeClock>;
let deps: BackupDeps &
  OpenWalletDeps &
  Parameters<typeof restoreWallet>[0] &
  Parameters<typeof deleteWallet>[0];
let userId: string;
const ids = fakeIds(9);
beforeEach(async () => {
  db = fakeDatabase();
  clock = fakeClock();
  userId = (await insertUser(db, ids, 1n)).id;
  deps = {
    db,
    clock,
    ids,
    vault: testSigner({ db, clock }),
    codes: createRecoveryCodes(),
    guardRules: PRODUCTION_RULES,
    maxWallets: 9,
    chain: { balance: async () => 0n, slotMs: () => 400, holdings: async () => [] },
    relay: { nudge: () => undefined },
    log: { info: () => undefined, warn: () => undefined },
    settlements: SETTLEMENTS,
  } as unknown as typeof deps;
});

const key = (): string => bs58.encode(Keypair.generate().secretKey);
const bring = (permit: string | null = null) =>
  importWallet(deps, { userId, material: key(), passphrase: null, permit });
const permit = (pin = TEST_PIN) => givePermit(deps, { userId, pin, act: 'wallet-import' });
const active = async () => (await db.users.find(userId))?.activeWalletId;

describe('an import', () => {
  it('remembers where the key came from, and what is made here remembers that', async () => {
    const { wallet } = await openDepositWallet(deps, { userId, expectedCount: 0 });
    expect((await db.wallets.find(wallet.id))?.origin).toBe('made');
    const brought = await bring();
    expect(await db.wallets.find(brought.id)).toMatchObject({ origin: 'imported', confirmedAt: null });
  });

  it('takes a permit of the PIN where there is one, once, of this person and this act', async () => {
    await givePin(db, fakePins(), userId);
    await expect(bring()).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    await expect(permit('000111')).rejects.toMatchObject({ code: 'PIN_WRONG' });
    const other = (await insertUser(db, ids, 2n)).id;
    await givePin(db, fakePins(), other);
    const theirs = await givePermit(deps, { userId: other, pin: TEST_PIN, act: 'wallet-import' });
    await expect(bring(theirs)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const another = await givePermit(deps, { userId, pin: TEST_PIN, act: 'wallet-switch-imported' });
    await expect(bring(another)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const own = await permit();
    await expect(
      importWallet(deps, { userId, material: 'no key', passphrase: null, permit: own }),
    ).rejects.toMatchObject({ code: 'KEY_UNREADABLE' });
    await bring(own);
    await expect(bring(own)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const late = await permit();
    clock.advance(16 * 60_000);
    await expect(bring(late)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
  });

  it('works three times a day, and not while frozen', async () => {
    for (let n = 0; n < 3; n += 1) await bring();
    await expect(bring()).rejects.toMatchObject({ code: 'ACT_LIMIT' });
    clock.advance(DAY);
    await bring();
    await freezeAccount(deps, { userId });
    await expect(bring()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
    expect(await db.wallets.listByUser(userId)).toHaveLength(4);
  });
});

describe('the name of an imported wallet', () => {
  it('is never Main by itself, also where it is the first wallet', async () => {
    expect((await bring()).name).toBe('Imported');
    expect((await bring()).name).toBe('Imported 2');
    expect((await openDepositWallet(deps, { userId, expectedCount: 2 })).wallet.name).toBe('Wallet 3');
  });

  it('is not Main nor a look-alike by a rename, where no wallet is called Main', async () => {
    const { id: walletId } = await bring();
    for (const name of ['Main', 'MAIN', 'Маin', 'Ma\u200Bin']) {
      await expect(renameWallet(deps, { userId, walletId, name })).rejects.toMatchObject({
        code: 'NAME_RESERVED',
        details: { like: 'Main', reason: 'imported' },
      });
    }
    expect((await renameWallet(deps, { userId, walletId, name: 'Old one' })).name).toBe('Old one');
  });

  it('is not Main after a restore of one that was called so', async () => {
    const { id: walletId } = await bring();
    await db.wallets.rename(PASSED, walletId, 'Main');
    await deleteWallet(deps, { userId, walletId, typedName: null, pin: null });
    expect((await restoreWallet(deps, { userId, walletId })).name).toBe('Imported');
  });
});

describe('a switch', () => {
  it('to an imported wallet takes the PIN of who has one, and no PIN to one that was made here', async () => {
    const { wallet } = await openDepositWallet(deps, { userId, expectedCount: 0 });
    const brought = await bring();
    const to = (walletId: string, pin: string | null) => switchWallet(deps, { userId, walletId, pin });
    await to(brought.id, null);
    await to(wallet.id, null);
    await givePin(db, fakePins(), userId);
    await expect(to(brought.id, null)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    await expect(to(brought.id, '000111')).rejects.toMatchObject({ code: 'PIN_WRONG' });
    expect(await active()).toBe(wallet.id);
    await to(brought.id, TEST_PIN);
    expect(await active()).toBe(brought.id);
    await freezeAccount(deps, { userId });
    await expect(to(brought.id, TEST_PIN)).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
    await to(wallet.id, null);
    expect(await active()).toBe(wallet.id);
  });
});

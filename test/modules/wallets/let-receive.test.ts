import { beforeEach, describe, expect, it } from 'vitest';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { guardOverview } from '../../../src/modules/guard/use/guard-overview.ts';
import { letReceive } from '../../../src/modules/guard/use/let-receive.ts';
import { givePermit } from '../../../src/modules/guard/use/permit.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { stopChanges } from '../../../src/modules/guard/use/stop-changes.ts';
import {
  payoutWallet,
  type Receiving,
  receivingWallet,
} from '../../../src/modules/wallets/rules/receiving-wallet.ts';
import { importWallet } from '../../../src/modules/wallets/use/wallet-backups.ts';
import { secretRow, walletRow } from '../../conformance/store-rows.ts';
import { PASSED } from '../../support/passed.ts';
import { TEST_CERTIFIER } from '../../support/signer.ts';
import { diceOf } from '../../trust/thief/dice.ts';
import { DAY, OWNERS_PIN as PIN, type Stolen, stolenAccount } from '../../trust/thief/world.ts';

/** An account with a ripe PIN on production's waits, a wallet that was made here and one that was imported. */
let world: Stolen;
let imported: string;
let made: string;
beforeEach(async () => {
  world = await stolenAccount({ name: '', hold: 'pin', owner: 'asleep', isOfToday: false }, diceOf(1));
  const { deps, userId } = world;
  made = world.walletId;
  const permit = await givePermit(deps, { userId, pin: PIN, act: 'wallet-import' });
  imported = (await importWallet(deps, { userId, material: 'a key', passphrase: null, permit })).id;
});

const ask = (act: Receiving, walletId: string, pin = PIN) =>
  letReceive(world.deps, { userId: world.userId, walletId, act, pin });
const mine = () => world.db.wallets.listByUser(world.userId);
const depositsTo = async (id: string) => receivingWallet(await mine(), id, world.clock.now())?.id;
const payoutsTo = async () => payoutWallet(await mine(), world.clock.now())?.id;
const told = async (): Promise<readonly unknown[]> => {
  const ids = await world.db.notices.undelivered(world.clock.now() + 1, 100);
  const all = await Promise.all(ids.map((id) => world.db.notices.find(id)));
  return all.flatMap((notice) => (notice?.kind === 'wallet' ? [notice.payload] : []));
};
const acts = async (act: string) =>
  (await world.db.auditLog.list({ subject: world.userId }, { limit: 50, offset: 0 })).filter(
    (one) => one.act === act,
  );

describe('an imported wallet that is confirmed', () => {
  it('receives a day later, to the millisecond, and a notice with Stop goes out at once', async () => {
    const { at } = await ask('wallet-confirm', imported);
    expect(at).toBe(world.clock.now() + DAY);
    expect(await told()).toContainEqual({ walletId: imported, event: 'wallet-confirm-asked', was: null });
    expect(await acts('wallet-confirm-asked')).toMatchObject([{ details: { walletId: imported, at } }]);
    world.clock.set(at - 1);
    expect(await depositsTo(imported)).toBe(made);
    world.clock.set(at);
    expect(await depositsTo(imported)).toBe(imported);
    // The oldest that was made here stays the address of payouts.
    expect(await payoutsTo()).toBe(made);
  });

  it.each([
    ['Stop', () => stopChanges(world.deps, { userId: world.userId })],
    ['a freeze', () => freezeAccount(world.deps, { userId: world.userId })],
    ['a new PIN', () => changePin()],
  ])('never receives when %s comes first, in the last millisecond too', async (_, stop) => {
    const { at } = await ask('wallet-confirm', imported);
    world.clock.set(at - 1);
    await stop();
    world.clock.set(at + 30 * DAY);
    expect(await depositsTo(imported)).toBe(made);
    expect(await world.db.wallets.find(imported)).toMatchObject({ confirmedAt: null });
  });

  it('stays one when Stop comes after the wait', async () => {
    const { at } = await ask('wallet-confirm', imported);
    world.clock.set(at);
    await stopChanges(world.deps, { userId: world.userId });
    expect(await depositsTo(imported)).toBe(imported);
  });

  it('is stoppable under Security as long as it waits', async () => {
    const overview = () => guardOverview(world.deps, { userId: world.userId });
    expect((await overview()).stoppable).toBe(false);
    const { at } = await ask('wallet-confirm', imported);
    expect((await overview()).stoppable).toBe(true);
    world.clock.set(at);
    expect((await overview()).stoppable).toBe(false);
  });

  it('takes the PIN, a ripe one, no freeze and no pause of payouts; nothing is kept of a refusal', async () => {
    const { db, userId, clock } = world;
    await expect(ask('wallet-confirm', imported, '000111')).rejects.toMatchObject({ code: 'PIN_WRONG' });
    await db.flags.set('payouts-paused', true, clock.now(), { reason: 'x', until: null });
    await expect(ask('wallet-confirm', imported)).rejects.toMatchObject({ code: 'PAUSED' });
    await db.flags.set('payouts-paused', false, clock.now());
    const guard = await db.guards.find(userId);
    await db.guards.save({ ...guard, unlocksFrom: clock.now() + 1, pinSetAt: clock.now() }, PASSED);
    await expect(ask('wallet-confirm', imported)).rejects.toMatchObject({ code: 'PIN_TOO_NEW' });
    await db.guards.save({ ...guard, pinHash: null, pinSetAt: null }, PASSED);
    await expect(ask('wallet-confirm', imported)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    await db.guards.save(guard, PASSED);
    await freezeAccount(world.deps, { userId });
    await expect(ask('wallet-confirm', imported)).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });
    expect(await db.wallets.find(imported)).toMatchObject({ confirmedAt: null });
    expect(await acts('wallet-confirm-asked')).toEqual([]);
  });

  it('is certified for this wallet, person and moment alone, and by the signer after its own look', async () => {
    const { deps, userId, clock, db } = world;
    const asked = { userId, walletId: imported, act: 'wallet-confirm', pin: PIN } as const;
    const { at, certificate } = await deps.vault.certifyReceiving(asked);
    expect(at).toBe(clock.now() + DAY);
    const right = TEST_CERTIFIER.receiving({ walletId: imported, userId, act: 'wallet-confirm', at });
    expect(certificate).toBe(right);
    const before = await db.guards.find(userId);
    for (const wrong of [
      { ...asked, walletId: made },
      { ...asked, userId: 'nobody' },
      { ...asked, walletId: 'none', act: 'payout-wallet' as const },
    ])
      await expect(deps.vault.certifyReceiving(wrong)).rejects.toMatchObject({
        code: expect.stringMatching(/BUTTON_STALE|PIN_REQUIRED|WALLET_NOT_FOUND/),
      });
    await expect(deps.vault.certifyReceiving({ ...asked, pin: '000111' })).rejects.toMatchObject({
      code: 'PIN_WRONG',
    });
    expect((await db.guards.find(userId)).pinFailures).toBe(before.pinFailures + 1);
  });

  it("is not one that was made here, nor one that waits already, nor a stranger's", async () => {
    await expect(ask('wallet-confirm', made)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    await ask('wallet-confirm', imported);
    world.clock.advance(7 * DAY);
    await expect(ask('wallet-confirm', imported)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    const theirs = walletRow({ userId: null });
    await world.db.wallets.insert(PASSED, theirs, secretRow(theirs));
    await expect(ask('wallet-confirm', theirs.id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('payouts', () => {
  const open = async (): Promise<string> => {
    const wallet = walletRow({ userId: world.userId, name: 'Second' });
    await world.db.wallets.insert(PASSED, wallet, secretRow(wallet));
    return wallet.id;
  };

  it('go to the chosen wallet a day later, and back by a later choice', async () => {
    const second = await open();
    const { at } = await ask('payout-wallet', second);
    expect(await told()).toContainEqual({ walletId: second, event: 'payout-wallet-asked', was: null });
    world.clock.set(at - 1);
    expect(await payoutsTo()).toBe(made);
    world.clock.set(at);
    expect(await payoutsTo()).toBe(second);
    await expect(ask('payout-wallet', made)).rejects.toMatchObject({ code: 'ACT_LIMIT' });
    world.clock.advance(7 * DAY);
    await ask('payout-wallet', made);
    world.clock.advance(DAY);
    expect(await payoutsTo()).toBe(made);
  });

  it('stay where they were when Stop comes first, though another choice was made before', async () => {
    const second = await open();
    await ask('payout-wallet', second);
    world.clock.advance(8 * DAY);
    const { at } = await ask('payout-wallet', made);
    await stopChanges(world.deps, { userId: world.userId });
    world.clock.set(at + DAY);
    expect(await payoutsTo()).toBe(second);
  });

  it('never go to an imported wallet that is not confirmed', async () => {
    await expect(ask('payout-wallet', imported)).rejects.toMatchObject({ code: 'BUTTON_STALE' });
  });
});

async function changePin(): Promise<void> {
  const { deps, userId } = world;
  const replaces = await beginPinChange(deps, { userId, pin: PIN });
  const hash = await hashPin(deps, { userId, pin: '402917' });
  expect(await setPin(deps, { userId, hash, again: '402917', replaces })).toBe(true);
}

import { describe, expect, it } from 'vitest';
import { cancelIntent } from '../../../src/engine/transactions/use/cancel-intent.ts';
import { blockAddress, removeAddress } from '../../../src/modules/guard/use/address-book.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { intentRow } from '../../conformance/store-rows.ts';
import { addressOf, PARAMS } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { type GuardRig, guardRig } from './guard-rig.ts';

const TO = addressOf(7);

/** A person whose withdrawal waits for its new address, behind whatever their orders did since. */
async function waitingBehind(others: number): Promise<GuardRig & { readonly intentId: string }> {
  const db = fakeDatabase();
  const pins = fakePins();
  const rig = await guardRig(db, pins);
  const { deps, user, wallet } = rig;
  await givePin(db, pins, user.id);
  const { intent } = await confirmWithdrawal(deps, {
    userId: user.id,
    walletId: wallet.id,
    idemKey: 'waits',
    params: { ...PARAMS.withdrawSol, destination: TO },
    pin: TEST_PIN,
  });
  expect(intent).toMatchObject({ status: 'CREATED' });
  expect(intent.notBefore).not.toBeNull();
  for (let n = 0; n < others; n += 1)
    await db.intents.insert(intentRow(wallet, { id: rig.ids.ulid(), kind: 'sell', status: 'SUCCEEDED' }));
  return { ...rig, intentId: intent.id };
}

describe('the new address of a withdrawal that is called off', () => {
  it('leaves the book in the same commit, so that the next withdrawal to it waits again', async () => {
    const { db, deps, user, wallet, intentId, clock } = await waitingBehind(0);
    const { auditLog } = db;
    expect(await cancelIntent(deps, { intentId, userId: user.id })).toMatchObject({
      cancelled: true,
      forgotten: true,
    });
    expect(await db.addressBook.find(wallet.id, TO)).toBeNull();
    const acts = await auditLog.list({ subject: user.id }, { limit: 2, offset: 0 });
    expect(acts.map(({ act }) => act)).toEqual(['withdrawal-cancelled', 'address-removed']);
    clock.advance(3 * 3_600_000);
    const { intent } = await confirmWithdrawal(deps, {
      userId: user.id,
      walletId: wallet.id,
      idemKey: 'again',
      params: { ...PARAMS.withdrawSol, destination: TO },
      pin: TEST_PIN,
    });
    expect(intent.notBefore).not.toBeNull();
  });

  it('stays while another withdrawal waits for it, and once somebody may be paid there', async () => {
    const { db, deps, user, wallet, intentId, clock } = await waitingBehind(0);
    const { intent: other } = await confirmWithdrawal(deps, {
      userId: user.id,
      walletId: wallet.id,
      idemKey: 'other',
      params: { ...PARAMS.withdrawSol, destination: TO },
      pin: TEST_PIN,
    });
    expect(await cancelIntent(deps, { intentId, userId: user.id })).toMatchObject({ forgotten: false });
    expect(await db.addressBook.find(wallet.id, TO)).not.toBeNull();
    clock.advance(3 * 3_600_000);
    expect(await cancelIntent(deps, { intentId: other.id, userId: user.id })).toMatchObject({
      cancelled: true,
      forgotten: false,
    });
    expect(await db.addressBook.find(wallet.id, TO)).not.toBeNull();
  });
});

describe('a withdrawal that waits behind two hundred newer trades', () => {
  it('is cancelled by a freeze', async () => {
    const { db, deps, user, intentId } = await waitingBehind(201);
    expect(await freezeAccount(deps, { userId: user.id })).toEqual({ cancelled: 1 });
    expect(await db.intents.find(intentId)).toMatchObject({ status: 'CANCELLED' });
  });

  it('is cancelled with its address', async () => {
    const { db, deps, user, wallet, intentId } = await waitingBehind(201);
    const entry = await db.addressBook.find(wallet.id, TO);
    await removeAddress(deps, { userId: user.id, id: entry?.id ?? '' });
    expect(await db.intents.find(intentId)).toMatchObject({ status: 'CANCELLED' });
  });

  it('is cancelled by "that was not me"', async () => {
    const { db, deps, user, wallet, intentId } = await waitingBehind(201);
    await blockAddress(deps, { userId: user.id, walletId: wallet.id, address: TO });
    expect(await db.intents.find(intentId)).toMatchObject({ status: 'CANCELLED' });
    expect(await db.addressBook.list(wallet.id)).toEqual([]);
  });
});

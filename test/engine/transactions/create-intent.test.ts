import { beforeEach, describe, expect, it } from 'vitest';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
import { CONFIRMS } from '../../support/signer.ts';
import { PARAMS } from '../intents/build.ts';

let db: Database;
beforeEach(() => {
  db = fakeDatabase();
});

const request = (userId: string, walletId: string, idemKey = 'key') => {
  const deps = { db, clock: fakeClock(), ids: fakeIds(), relay: { nudge: () => undefined }, vault: CONFIRMS };
  return createIntent(deps, { userId, walletId, idemKey, params: PARAMS.withdrawSol });
};
/** Nothing of the request is left: neither the row nor its job. */
const nothingStored = async (): Promise<void> => {
  expect(await db.intents.findByKey('key')).toBeNull();
  expect(await db.transact((stores) => stores.outbox.claim(10))).toEqual([]);
};

describe('createIntent', () => {
  it('spends from nobody else’s wallet', async () => {
    const [mallory, alice] = [await storedPerson(db), await storedPerson(db)];
    await expect(request(mallory.user.id, alice.wallet.id)).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    await nothingStored();
    expect((await request(alice.user.id, alice.wallet.id)).created).toBe(true);
  });

  it('spends from no wallet of the service itself, and from none that is unknown', async () => {
    const { user, wallet } = await storedPerson(db);
    const treasury = {
      ...wallet,
      id: 'treasury',
      userId: null,
      name: 'Treasury',
      address: `${wallet.address}`,
    };
    await db.wallets.insert(
      PASSED,
      { ...treasury, address: PARAMS.withdrawSol.destination },
      {
        walletId: 'treasury',
        userId: null,
        publicKey: PARAMS.withdrawSol.destination,
        version: 1,
        kekId: 'k',
        wrappedDek: new Uint8Array(60),
        sealedSeed: new Uint8Array(60),
      },
    );
    for (const id of ['treasury', 'unknown']) {
      await expect(request(user.id, id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
    }
    await nothingStored();
  });

  it('spends from no wallet that was deleted', async () => {
    const { user, wallet } = await storedPerson(db);
    await db.wallets.setDeletedAt(PASSED, wallet.id, 1);
    await expect(request(user.id, wallet.id)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
    await nothingStored();
  });

  it('hands nobody the intent that another person has under the same key', async () => {
    const [mallory, alice] = [await storedPerson(db), await storedPerson(db)];
    await request(alice.user.id, alice.wallet.id);
    await expect(request(mallory.user.id, mallory.wallet.id)).rejects.toMatchObject({
      code: 'INTENT_NOT_FOUND',
    });
  });
});

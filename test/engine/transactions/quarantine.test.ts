import { expect, it } from 'vitest';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { buildIntent, PARAMS } from '../intents/build.ts';
import { virtualDeps, virtualWorld } from './virtual-world.ts';

it('signs nothing of an intent while the database is quarantined, and takes no lease on it', async () => {
  const db = fakeDatabase();
  const deps = virtualDeps(virtualWorld(), db);
  const { user, wallet } = await storedPerson(db);
  const intent = buildIntent({ params: PARAMS.withdrawSol, userId: user.id, walletId: wallet.id });
  await db.intents.insert(intent);
  await db.flags.set('quarantined', true, deps.clock.now());
  const step = createStepIntent(deps, { stretchMs: 0 });
  expect(await step(intent.id)).toMatchObject({ kind: 'again' });
  expect(await db.intents.find(intent.id)).toEqual(intent);
  expect(await db.intents.attempts(intent.id)).toEqual([]);
});

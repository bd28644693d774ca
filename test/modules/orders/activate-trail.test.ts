import { expect, it } from 'vitest';
import { reduceOrders } from '../../../src/modules/orders/rules/machine.ts';
import { activateTrail } from '../../../src/modules/orders/use/activate-trail.ts';
import { newGroup } from '../../../src/modules/orders/use/draft.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { TOKEN } from '../trading/build-pool.ts';

const NOW = 1_700_000_000_000;

/** A trailing stop that waits for one and a half times the price. */
async function waiting() {
  const db = fakeDatabase({ trusting: true });
  const userId = await addPerson(db, { index: 1, inviterId: null });
  const drafted = newGroup(
    {
      userId,
      walletId: `wallet-${userId}`,
      mint: TOKEN,
      placeKey: 'placed',
      kind: 'SINGLE',
      units: 1_000n,
      drafts: [
        {
          side: 'sell',
          type: 'TRAILING_STOP',
          amount: { kind: 'rest' },
          unit: 'SOL',
          trigger: null,
          request: '',
          floor: 'default',
          trailing: { bps: 1_000, activation: { got: 150n, given: 100n } },
          hold: 'normal',
          partial: false,
          schedule: null,
          sellsOnExpiry: false,
        },
      ],
      expiresAt: NOW + 86_400_000,
      slippageBps: 100,
      tier: 'normal',
      accepted: [],
      supply: null,
      parentIntentId: null,
    },
    { id: () => 'trail', now: NOW, depthLamports: null },
  );
  const group = await db.orders.insert(PASSED, drafted);
  const order = group?.orders[0];
  if (group === null || order === undefined) throw new Error('not placed');
  const deps = { db, clock: { now: () => NOW }, ordersChanged: () => undefined };
  const now = async () => (await db.orders.find(order.id))?.orders[0];
  return { db, deps, group, order, now };
}

it('begins to follow the price once its activation was held', async () => {
  const { deps, order, now } = await waiting();
  await activateTrail(deps, { orderId: order.id, version: order.version });
  expect((await now())?.progress.activatedAt).toBe(NOW);
});

it('does not where its activation was edited meanwhile: another price was held', async () => {
  const { db, deps, group, order, now } = await waiting();
  const trailing = { bps: 1_000, activation: { got: 300n, given: 100n } };
  const terms = { terms: { ...order.terms, trailing } };
  const edit = reduceOrders(group, { kind: 'edited', orderId: order.id, at: NOW, terms });
  await db.orders.write(PASSED, edit.group, edit.writes);
  await activateTrail(deps, { orderId: order.id, version: order.version });
  expect(await now()).toMatchObject({ version: 2, progress: { activatedAt: null } });
});

import { expect, it } from 'vitest';
import { createWebhookWatch } from '../../../src/modules/webhooks/use/deliver-webhooks.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import { webhookRow } from '../../conformance/webhook-store.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeWebhookStore } from '../../support/fakes/webhook-store.ts';

const NOW = Date.UTC(2026, 5, 1);

it('an owner whose mail could not be queued is told in a later round', async () => {
  const webhooks = fakeWebhookStore();
  const disabled = webhookRow({ disabledAt: NOW, disabledFor: 'gone' });
  await webhooks.insert(disabled);
  const db = fakeDatabase();
  let isDown = true;
  const watch = createWebhookWatch({
    webhooks,
    sender: { send: async () => ({ kind: 'unanswered', reason: 'nothing is sent here' }) },
    secrets: null,
    db: {
      transact: async (work) => {
        if (isDown) throw new Error('the database is away');
        return db.transact(work);
      },
    },
    clock: { now: () => NOW },
    ids: randomIds(() => NOW),
    log: { warn: () => undefined },
    nudge: () => undefined,
  });
  await expect(watch.round()).rejects.toThrow('away');
  expect(await webhooks.untold(9)).toEqual([disabled]);
  isDown = false;
  for (let round = 0; round < 12; round += 1) await watch.round();
  expect(await webhooks.untold(9)).toEqual([]);
  expect(await db.mails.list(9)).toMatchObject([{ template: 'webhook-disabled' }]);
});

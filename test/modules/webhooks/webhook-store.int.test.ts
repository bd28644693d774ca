import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRetentionStore } from '../../../src/modules/operations/store/retention-store.ts';
import { createSubmissionStore } from '../../../src/modules/submissions/store.ts';
import { createWebhookStore } from '../../../src/modules/webhooks/store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeWebhookStore, webhookRow } from '../../conformance/webhook-store.ts';
import { createTestDatabase } from '../../support/database.ts';

const DAY = 86_400_000;

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('webhooks in Postgres', () => {
  describeWebhookStore(async () => ({
    webhooks: createWebhookStore(db),
    submissions: createSubmissionStore(db),
  }));

  it('forget what they were told after 30 days, and never what waits', async () => {
    const store = createWebhookStore(db);
    const webhook = webhookRow();
    await store.insert(webhook);
    const now = Date.UTC(2030, 0, 1);
    const add = (eventId: string, status: 'waiting' | 'delivered' | 'failed', days: number) =>
      store.add({
        webhookId: webhook.id,
        eventId,
        type: 'webhook.test',
        body: '{}',
        status,
        attempts: 1,
        dueAt: now,
        answer: null,
        error: null,
        createdAt: now - days * DAY,
      });
    await add('old and delivered', 'delivered', 31);
    await add('old and failed', 'failed', 31);
    await add('old and waiting', 'waiting', 31);
    await add('young', 'delivered', 29);
    await createRetentionStore(db.query).clean(now);
    const left = (await store.deliveriesOf(webhook.id, 9)).map(({ eventId }) => eventId);
    expect(left.toSorted()).toEqual(['old and waiting', 'young']);
  });
});

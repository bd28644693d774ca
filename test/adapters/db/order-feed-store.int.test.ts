import { afterAll, beforeAll, describe } from 'vitest';
import { createOrderFeedStore } from '../../../src/adapters/db/order-feed-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/adapters/db/prisma-database.ts';
import type { OrderFeedStore } from '../../../src/core/ports/order-feed-store.ts';
import { describeOrderFeed } from '../../conformance/order-feed.ts';
import { createTestDatabase } from '../../support/database.ts';

describe('the feed of orders on Postgres', () => {
  let db: PrismaDatabase;
  let feed: OrderFeedStore;
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
    feed = createOrderFeedStore({ query: db.query });
  });
  afterAll(() => db.close());
  describeOrderFeed(() => feed);
});

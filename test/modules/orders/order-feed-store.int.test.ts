import { afterAll, beforeAll, describe } from 'vitest';
import { createOrderFeedStore } from '../../../src/modules/orders/store/order-feed-store.ts';
import type { OrderFeedStore } from '../../../src/modules/orders/store/order-feed-store-port.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
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

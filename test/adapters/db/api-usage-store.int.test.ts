import { afterAll, beforeAll, describe } from 'vitest';
import { createApiUsageStore } from '../../../src/adapters/db/api-usage-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/adapters/db/prisma-database.ts';
import { describeApiUsageStore } from '../../conformance/api-usage-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('API usage in Postgres', () => describeApiUsageStore(async () => createApiUsageStore(db)));

import { afterAll, beforeAll, describe } from 'vitest';
import { createApiUsageStore } from '../../../src/modules/keys/store/api-usage-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeApiUsageStore } from '../../conformance/api-usage-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('API usage in Postgres', () => describeApiUsageStore(async () => createApiUsageStore(db)));

import { afterAll, beforeAll, describe } from 'vitest';
import { createPoolCatalogue } from '../../../src/modules/market/store/pool-catalogue.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describePoolCatalogue } from '../../conformance/pool-catalogue.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('the pool catalogue in Postgres', () =>
  describePoolCatalogue(async () => {
    await db.query('DELETE FROM pools RETURNING id', []);
    await db.query('DELETE FROM pool_searches RETURNING venue', []);
    await db.query('DELETE FROM traded_tokens RETURNING mint', []);
    return createPoolCatalogue(db);
  }));

import { afterAll, beforeAll } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { describeTwoAtOnce } from './edges-at-once-suite.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describeTwoAtOnce(async () => db);

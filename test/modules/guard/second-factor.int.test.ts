import { afterAll } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { describeSecondFactor } from './second-factor-suite.ts';

let db: PrismaDatabase | null = null;
afterAll(() => db?.close());

describeSecondFactor('a second factor on Postgres', async () => {
  db ??= await createPrismaDatabase({ url: await createTestDatabase() });
  return db;
});

import { afterAll } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { describeSpending } from './spending-suite.ts';

const opened: PrismaDatabase[] = [];
afterAll(async () => {
  for (const db of opened) await db.close();
});

describeSpending(async () => {
  const db = await createPrismaDatabase({ url: await createTestDatabase() });
  opened.push(db);
  return db;
});

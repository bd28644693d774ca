import { afterEach } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { describeKeyExports } from './key-exports-suite.ts';

const opened: PrismaDatabase[] = [];
// Each test has a database of its own: its connections go with it.
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

describeKeyExports(async () => {
  const db = await createPrismaDatabase({ url: await createTestDatabase() });
  opened.push(db);
  return db;
});

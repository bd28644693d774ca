import { afterEach } from 'vitest';
import { createPostgresDialogStore } from '../../src/platform/cache/postgres-dialog-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { describeOneUse } from './one-use-suite.ts';

const opened: PrismaDatabase[] = [];
// Each test has a database of its own: its connections go with it.
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

async function open(): Promise<PrismaDatabase> {
  const db = await createPrismaDatabase({ url: await createTestDatabase() });
  opened.push(db);
  return db;
}

describeOneUse('on Postgres', open, async () => createPostgresDialogStore(await open()));

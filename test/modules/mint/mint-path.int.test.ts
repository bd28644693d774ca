import { afterAll } from 'vitest';
import { createPrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { describeMintPath } from './mint-path-suite.ts';

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const database of opened) await database.close();
});

describeMintPath('the mint path over Postgres', async () => {
  const database = await createPrismaDatabase({ url: await createTestDatabase() });
  opened.push(database);
  return database;
});

import { afterAll } from 'vitest';
import { createPrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { describeMoneyPath } from './money-path-suite.ts';

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const database of opened) await database.close();
});

describeMoneyPath('the money path over Postgres', async () => {
  const database = await createPrismaDatabase({ url: await createTestDatabase() });
  opened.push(database);
  return database;
});

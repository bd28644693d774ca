import { afterAll } from 'vitest';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { describeFuzzedButtons } from './fuzzed-buttons-suite.ts';

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const database of opened) await database.close();
});

describeFuzzedButtons('somebody else’s taps over Postgres', 300, async () => {
  const database = await createPrismaDatabase({ url: await createTestDatabase() });
  opened.push(database);
  return database;
});

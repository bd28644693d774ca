import { afterAll, beforeAll, describe } from 'vitest';
import { createApiLimiter } from '../../../src/platform/db/api-limiter.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeApiLimiter } from '../../conformance/api-limiter.ts';
import { describeKeyStores } from '../../conformance/key-stores.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
let other: PrismaDatabase;
beforeAll(async () => {
  const url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  other = await createPrismaDatabase({ url });
});
afterAll(() => Promise.all([db.close(), other.close()]));

describe('the stores of keys in Postgres', () => describeKeyStores(async () => db));

describe('limits in Postgres', () =>
  describeApiLimiter(async () => [createApiLimiter(db), createApiLimiter(other)]));

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdempotencyStore } from '../../../src/modules/keys/store/idempotency-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeIdempotencyStore } from '../../conformance/idempotency-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('kept answers in Postgres', () => {
  describeIdempotencyStore(async () => db.open(createIdempotencyStore));

  it('lets each start sweep more expired rows than it adds', async () => {
    const store = db.open(createIdempotencyStore);
    const request = (n: number) => ({
      scope: createHash('sha256').update(`swept ${n}`).digest('hex'),
      key: 'k',
      requestHash: 'a'.repeat(64),
      owner: 'o',
    });
    const count = async () =>
      Number((await db.query<{ n: bigint }>('SELECT count(*) AS n FROM idempotency_keys', []))[0]?.n);
    for (let n = 0; n < 6; n += 1) await store.start(request(n), { now: 1_000, leaseUntil: 2_000 });
    const before = await count();
    // The expired row of the same key is taken over in the same statement that sweeps the others.
    expect(await store.start(request(0), { now: 3_000, leaseUntil: 4_000 })).toEqual({ kind: 'started' });
    expect(await count()).toBe(before - 5);
  });
});

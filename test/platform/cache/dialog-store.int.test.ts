import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createPostgresDialogStore } from '../../../src/platform/cache/postgres-dialog-store.ts';
import { createRedisDialogStore } from '../../../src/platform/cache/redis-dialog-store.ts';
import { createPrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeDialogStore } from '../../conformance/dialog-store.ts';
import { createTestDatabase } from '../../support/database.ts';

const pass = async (ms: number): Promise<void> => {
  await sleep(ms);
};
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

describe('dialogues in Postgres', () => {
  describeDialogStore(async () => {
    const db = await createPrismaDatabase({ url: await createTestDatabase() });
    closers.push(() => db.close());
    return { store: createPostgresDialogStore(db), pass };
  });
});

describe.skipIf(!inject('redisUrl'))('dialogues in Redis (skipped without REDIS_URL)', () => {
  describeDialogStore(async () => {
    const store = await createRedisDialogStore({
      redisUrl: inject('redisUrl') ?? '',
      name: `test-${randomBytes(6).toString('hex')}`,
    });
    closers.push(() => store.close());
    return { store, pass };
  });
});

describe('a Redis that is not there', () => {
  it('is named when the store is opened', async () => {
    await expect(createRedisDialogStore({ redisUrl: 'redis://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'QUEUE_UNREACHABLE',
    });
  });
});

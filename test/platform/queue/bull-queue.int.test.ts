import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createBullQueue } from '../../../src/platform/queue/bull-queue.ts';
import { describeJobQueue } from '../../conformance/job-queue.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

const DEADLOCK = '40P01';
const done = async () => ({ kind: 'done' as const });
const IDLE_HANDLERS = {
  'intent.step': done,
  'notice.send': done,
  'mail.send': done,
  'mail.sweep': done,
  'launch.watch': done,
  'payout.collect': done,
  'points.settle': done,
  'market.stats': done,
  'market.upkeep': done,
  'builds.watch': done,
  'pools.refresh': done,
  'retention.run': done,
  'positions.keep': done,
  'sweep.run': done,
};

/** A worker that holds other locks of the schema may win a deadlock against the drop. */
async function dropQueue(databaseUrl: string): Promise<void> {
  for (;;) {
    try {
      await administer(databaseUrl, 'DROP SCHEMA IF EXISTS bullmq CASCADE');
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK) throw error;
    }
  }
}

describe('the queue on Postgres', () => {
  describeJobQueue(async () => {
    const databaseUrl = await createTestDatabase();
    return {
      open: () => createBullQueue({ databaseUrl }),
      wipe: () => dropQueue(databaseUrl),
    };
  });

  it('holds at most five connections, jobs running or not', async () => {
    const databaseUrl = await createTestDatabase();
    const queue = await createBullQueue({ databaseUrl });
    await queue.run(IDLE_HANDLERS, { concurrency: 20 });
    await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        queue.add('intent.step', { intentId: `${i}` }, { key: `i-${i}` }),
      ),
    );
    const [row] = await administer(
      databaseUrl,
      `SELECT count(*)::text AS n FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(Number(row?.['n'])).toBeLessThanOrEqual(5);
    await queue.close();
    const [left] = await administer(
      databaseUrl,
      `SELECT count(*)::text AS n FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    expect(left?.['n']).toBe('0');
  });

  it('says that the queue is out of reach when its tables go while a worker starts', async () => {
    const databaseUrl = await createTestDatabase();
    const queue = await createBullQueue({ databaseUrl });
    await administer(databaseUrl, 'DROP SCHEMA bullmq CASCADE');
    await expect(queue.run(IDLE_HANDLERS, { concurrency: 1 })).rejects.toMatchObject({
      code: 'QUEUE_UNREACHABLE',
    });
    await queue.close();
  });

  it('says in one sentence that the server does not answer', async () => {
    const databaseUrl = 'postgresql://somebody:secret@127.0.0.1:1/desk';
    await expect(createBullQueue({ databaseUrl })).rejects.toMatchObject({
      code: 'QUEUE_UNREACHABLE',
      details: { cause: 'Postgres does not answer at 127.0.0.1:1. Start it, or correct DATABASE_URL.' },
    });
  });
});

describe.skipIf(!inject('redisUrl'))('the queue on Redis (skipped without REDIS_URL)', () => {
  describeJobQueue(async () => {
    const redisUrl = inject('redisUrl') ?? '';
    const name = `test-${randomBytes(6).toString('hex')}`;
    return {
      open: () => createBullQueue({ redisUrl, name }),
      wipe: async () => {
        const redis = new Redis(redisUrl);
        const keys = await redis.keys(`{${name}}*`);
        if (keys.length > 0) await redis.del(...keys);
        redis.disconnect();
      },
    };
  });
});

describe('a Redis that is not there', () => {
  it('is named in one sentence', async () => {
    await expect(createBullQueue({ redisUrl: 'redis://:secret@127.0.0.1:1' })).rejects.toMatchObject({
      code: 'QUEUE_UNREACHABLE',
      details: { cause: 'Redis does not answer at 127.0.0.1:1. Start it, or correct REDIS_URL.' },
    });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignerLeases } from '../../../src/engine/signing/store/signer-lease.ts';
import { createWatchStore } from '../../../src/engine/watch/store.ts';
import { createIndexerLeases } from '../../../src/modules/market/store/indexer-leases.ts';
import { createOrderFeedStore } from '../../../src/modules/orders/store/order-feed-store.ts';
import { createPostgresDialogStore } from '../../../src/platform/cache/postgres-dialog-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { storedIntent } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { STORED_TIMES } from '../../support/stored-times.ts';

const HOUR = 3_600_000;
const NOW = 1_790_000_000_000;
let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

/** Takes a lease for one owner, and says whether another one may work beside or instead of it at a later reading. */
type Lease = () => Promise<(at: number) => Promise<boolean>>;

/** Of each stored lease: the first one is taken at NOW for at most ten seconds. */
const LEASES: Readonly<Record<string, Lease>> = {
  'Intent.leaseUntil': async () => {
    const { id } = await storedIntent(db);
    const take = (owner: string, at: number) => db.intents.lease(id, { owner, now: at, until: at + 10_000 });
    await take('a', NOW);
    return async (at) => (await take('b', at)) !== null;
  },
  'ShardLease.until': async () => {
    const feed = createOrderFeedStore(db);
    const [a, b] = [randomUUID(), randomUUID()];
    await db.query('DELETE FROM shard_leases', []);
    await feed.take({ owner: a, now: NOW, until: NOW + 5_000 });
    return async (at) => (await feed.take({ owner: b, now: at, until: at + 5_000 })).length > 0;
  },
  'Indexer.until': async () => {
    const leases = createIndexerLeases(db);
    const [a, b] = [randomUUID(), randomUUID()];
    await leases.beat({ owner: a, now: NOW, until: NOW + 5_000 });
    return async (at) => !(await leases.beat({ owner: b, now: at, until: at + 5_000 })).includes(a);
  },
  'Watcher.until': async () => {
    const watch = createWatchStore(db);
    const [a, b] = [randomUUID(), randomUUID()];
    const beat = (owner: string, now: number) =>
      watch.beat({ owner, now, until: now + 5_000, watchedSince: now, noticesBefore: now, limit: 1 });
    await beat(a, NOW);
    return async (at) => !(await beat(b, at)).owners.includes(a);
  },
};

/** Judged by the server's own clock: there the row is moved ahead, as a clock that is set back would leave it. */
const BY_THE_SERVER: Readonly<Record<string, () => Promise<(ahead: string) => Promise<boolean>>>> = {
  'BotLock.expiresAt': async () => {
    const dialogs = createPostgresDialogStore(db);
    const key = randomUUID();
    await dialogs.lock(key, 5_000);
    return async (ahead) => {
      await db.query(`UPDATE bot_locks SET expires_at = now() + $2::interval WHERE key = $1`, [key, ahead]);
      return (await dialogs.lock(key, 5_000)) !== null;
    };
  },
  'BotUpdate.leaseUntil': async () => {
    const dialogs = createPostgresDialogStore(db);
    const key = randomUUID();
    await dialogs.claimUpdate(key, 5_000);
    return async (ahead) => {
      await db.query(`UPDATE bot_updates SET lease_until = now() + $2::interval WHERE key = $1`, [
        key,
        ahead,
      ]);
      return (await dialogs.claimUpdate(key, 5_000)) === 'claimed';
    };
  },
  'SignerLease.until': async () => {
    const leases = createSignerLeases(db.query);
    const [a, b] = [randomUUID(), randomUUID()];
    await db.query('DELETE FROM signer_lease', []);
    const epoch = (await leases.take(a, 5_000)) ?? 0n;
    await leases.saveCopies(a, epoch, { level: [b], witnesses: [], behind: [] });
    return async (ahead) => {
      await db.query('UPDATE signer_lease SET until = now() + $1::interval', [ahead]);
      return (await leases.take(b, 5_000)) !== null;
    };
  },
};

describe('a lease blocks nothing after the clock was set back', () => {
  it('is known for every stored lease', () => {
    const leases = Object.entries(STORED_TIMES).flatMap(([name, kind]) => (kind === 'lease' ? [name] : []));
    expect([...Object.keys(LEASES), ...Object.keys(BY_THE_SERVER)].toSorted()).toEqual(leases.toSorted());
  });

  it.each(Object.entries(LEASES))('%s', async (_, lease) => {
    for (const back of [HOUR, 400 * 24 * HOUR]) {
      const mayWork = await lease();
      // Another process waits, also where its clock is a minute behind.
      expect(await mayWork(NOW + 1_000)).toBe(false);
      expect(await mayWork(NOW - 55_000)).toBe(false);
      expect(await mayWork(NOW - back)).toBe(true);
    }
  });

  it.each(Object.entries(BY_THE_SERVER))('%s', async (_, lease) => {
    for (const [ahead, free] of [
      ['4 seconds', false],
      ['1 hour', true],
      ['400 days', true],
    ] as const)
      expect(await (await lease())(ahead), ahead).toBe(free);
  });
});

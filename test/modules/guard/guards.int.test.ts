import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPoolCatalogue } from '../../../src/modules/market/store/pool-catalogue.ts';
import { createMetadataFileStore } from '../../../src/modules/mint/store/metadata-file-store.ts';
import { createRetentionStore } from '../../../src/modules/operations/store/retention-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import {
  attemptRow,
  buttonRow,
  feeTransfer,
  newId,
  noticeRow,
  outboxRow,
  rewardRow,
  storedIntent,
  storedPerson,
} from '../../conformance/store-rows.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

/** What holds even against somebody who writes SQL: the last line of defence is the database itself. */
describe('the database itself', () => {
  let url: string;
  let db: PrismaDatabase;
  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
  });
  afterAll(() => db.close());
  const sql = (text: string) => administer(url, text);

  it('refuses a transfer whose entries do not sum to zero, at commit', async () => {
    await expect(
      sql(`BEGIN; INSERT INTO ledger_transfers VALUES ('t1', 'k1', 'trade-fee', 'r', 'LAMPORT', now());
           INSERT INTO ledger_entries VALUES ('t1', 1, 'house/treasury', 5), ('t1', 2, 'house/revenue', -4); COMMIT`),
    ).rejects.toThrow('do not sum to zero');
    expect(await sql(`SELECT 1 FROM ledger_transfers WHERE id = 't1'`)).toEqual([]);
  });

  it('lets nobody change or delete what is booked', async () => {
    await db.ledger.post(feeTransfer(newId(), 5n));
    for (const change of [
      'UPDATE ledger_entries SET amount = amount + 1',
      'DELETE FROM ledger_entries',
      'UPDATE ledger_transfers SET ref = NULL',
      'DELETE FROM ledger_transfers',
      'TRUNCATE ledger_entries',
      'TRUNCATE ledger_transfers CASCADE',
    ]) {
      await expect(sql(change)).rejects.toThrow('append-only');
    }
  });

  it('keeps people from owing', async () => {
    const owner = newId();
    await db.ledger.post(feeTransfer(owner, 5n));
    await expect(sql(`UPDATE ledger_accounts SET balance = -1 WHERE owner = '${owner}'`)).rejects.toThrow(
      'never_owe',
    );
  });

  it('recomputes every stored balance from the entries', async () => {
    const wrong = await sql(
      `SELECT key FROM ledger_accounts WHERE owner IS NOT NULL AND balance <> (
         SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE account_key = key)`,
    );
    expect(wrong).toEqual([]);
  });

  it('binds an inviter for ever', async () => {
    const inviter = await storedPerson(db);
    const invited = await storedPerson(db, { inviterId: inviter.user.id });
    await expect(sql(`UPDATE users SET inviter_id = NULL WHERE id = '${invited.user.id}'`)).rejects.toThrow(
      'inviter',
    );
    await expect(
      sql(`UPDATE users SET inviter_id = '${invited.user.id}' WHERE id = '${inviter.user.id}'`),
    ).rejects.toThrow('inviter');
  });

  it('holds one live attempt per intent', async () => {
    const intent = await storedIntent(db);
    await db.intents.insertAttempt(attemptRow(intent));
    await db.intents.insertAttempt(attemptRow(intent, { n: 2, status: 'DEAD' }));
    await expect(
      sql(`UPDATE attempts SET status = 'UNKNOWN' WHERE intent_id = '${intent.id}' AND n = 2`),
    ).rejects.toThrow('attempts_one_live_key');
  });

  it('runs a transaction again that Postgres chose as a deadlock’s victim', async () => {
    const [a, b] = [await storedPerson(db), await storedPerson(db)];
    let runs = 0;
    const cross = (first: string, second: string, ready: () => void, other: Promise<void>) =>
      db.transact(async (stores) => {
        runs += 1;
        await stores.users.lock(first);
        ready();
        await other;
        await stores.users.lock(second);
      });
    let leftReady: () => void = () => undefined;
    let rightReady: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leftReady = resolve;
    });
    const right = new Promise<void>((resolve) => {
      rightReady = resolve;
    });
    await Promise.all([
      cross(a.user.id, b.user.id, leftReady, right),
      cross(b.user.id, a.user.id, rightReady, left),
    ]);
    // One of the two was run again; a slow machine may meet it once more.
    expect(runs).toBeGreaterThanOrEqual(3);
  });

  it('hands outbox rows to one relay at a time', async () => {
    await db.outbox.add([{ id: newId(), job: 'sweep.run', data: {}, key: 'relay-me', notBefore: null }]);
    await db.transact(async (stores) => {
      expect(await stores.outbox.claim(10)).toHaveLength(1);
      expect(await db.transact((others) => others.outbox.claim(10))).toEqual([]);
    });
  });

  it('hands rewards and waiting people to one transaction at a time, and makes no other wait for them', async () => {
    const [inviter, invitee] = [(await storedPerson(db)).user, (await storedPerson(db)).user];
    const intent = await storedIntent(db);
    await db.referrals.addReward(rewardRow(inviter, invitee, intent));
    await db.convert.watch(inviter.id, 1);
    // A second transaction inside the first: one that waited for its rows would wait for itself.
    await db.transact(async (first) => {
      expect(await first.referrals.lockAccrued([inviter.id], [])).toMatchObject([{ lamports: 300n }]);
      expect(await db.transact((second) => second.referrals.lockAccrued([inviter.id], []))).toEqual([]);
      expect(await first.convert.takeWatchers(9)).toContain(inviter.id);
      expect(await db.transact((second) => second.convert.takeWatchers(9))).toEqual([]);
    });
    expect(await db.convert.isWatching(inviter.id)).toBe(false);
    // What was held and not used is there for the next.
    const next = await db.transact((stores) => stores.referrals.lockAccrued([inviter.id], []));
    expect(next).toMatchObject([{ lamports: 300n }]);
  });

  describe('whoever cleans up passes over a row that another transaction holds, and waits for nobody', () => {
    const later = Date.now() + 60_000;
    /** Two rows that are due; `clean` removes what it may, and `left` names the rows that are still there. */
    const held = async (
      rows: { readonly table: string; readonly key: string; readonly ids: readonly [string, string] },
      clean: () => Promise<unknown>,
    ): Promise<readonly string[]> => {
      const { table, key, ids } = rows;
      const left = () =>
        sql(`SELECT ${key} AS id FROM ${table} WHERE ${key} IN ('${ids[0]}', '${ids[1]}') ORDER BY 1`);
      expect(await left()).toHaveLength(2);
      let meanwhile: readonly object[] = [];
      // A second connection inside the first one's transaction: one that waited for its rows would wait for itself.
      await db.transact(async (_, query) => {
        await query(`SELECT 1 FROM ${table} WHERE ${key} = $1 FOR UPDATE`, [ids[0]]);
        await clean();
        meanwhile = await left();
      });
      expect(meanwhile).toEqual([{ id: ids[0] }]);
      await clean();
      return (await left()).map(String);
    };

    it('delivered notices', async () => {
      const { user } = await storedPerson(db);
      const [first, second] = [noticeRow(user.id), noticeRow(user.id)];
      await db.notices.add([first, second]);
      await sql(`UPDATE notices SET delivered_at = now() - interval '60 days' WHERE user_id = '${user.id}'`);
      const retention = createRetentionStore(db.query);
      const rows = { table: 'notices', key: 'id', ids: [first.id, second.id] } as const;
      expect(await held(rows, () => retention.clean(Date.now()))).toEqual([]);
    });

    it('expired buttons', async () => {
      const { user } = await storedPerson(db);
      const [first, second] = [buttonRow(user.id, { expiresAt: 1 }), buttonRow(user.id, { expiresAt: 1 })];
      await db.buttons.insert([first, second]);
      const rows = { table: 'buttons', key: 'id', ids: [first.id, second.id] } as const;
      expect(await held(rows, () => db.buttons.deleteExpired(later))).toEqual([]);
    });

    it('jobs that were handed on', async () => {
      const [first, second] = [outboxRow(), outboxRow()];
      await db.outbox.add([first, second]);
      await db.outbox.markDispatched([first.id, second.id], 1);
      const rows = { table: 'outbox', key: 'id', ids: [first.id, second.id] } as const;
      expect(await held(rows, () => db.outbox.deleteDispatched(later))).toEqual([]);
    });

    it('pictures that no document names', async () => {
      const shelf = createMetadataFileStore(db, { publicUrl: () => 'https://desk.example', maxBytes: 1e9 });
      const [first, second] = [
        await shelf.put('png', randomBytes(50)),
        await shelf.put('png', randomBytes(50)),
      ];
      const rows = { table: 'metadata_files', key: 'sha256', ids: [first.sha256, second.sha256] } as const;
      expect(await held(rows, () => shelf.deleteUnused(later))).toEqual([]);
    });

    it('and who notes what pools were asked for', async () => {
      const catalogue = createPoolCatalogue(db);
      const [a, b] = [addressOf(91), addressOf(92)];
      const question = { venue: 'v', mintA: a, mintB: b };
      await catalogue.record(question, [{ id: addressOf(93), mints: [a, b] }], 1, 'whole');
      const asked = async () =>
        (await sql(`SELECT extract(epoch FROM asked_at)::int AS at FROM pools`)) as object[];
      await db.transact(async (_, query) => {
        await query('SELECT 1 FROM pools FOR UPDATE', []);
        await query('SELECT 1 FROM pool_searches FOR UPDATE', []);
        expect(await catalogue.find([question], 600_000)).toMatchObject([{ pools: [{ id: addressOf(93) }] }]);
      });
      expect(await asked()).toEqual([{ at: 0 }]);
      await catalogue.find([question], 600_000);
      expect(await asked()).toEqual([{ at: 600 }]);
    });
  });

  it('keeps the second of two jobs that meet at a relay: the first may have been sent too early for it', async () => {
    const row = (key: string) => ({ id: newId(), job: 'sweep.run', data: {}, key, notBefore: null }) as const;
    const first = row('meet');
    await db.outbox.add([first]);
    let adding: Promise<void> = Promise.resolve();
    await db.transact(async (stores) => {
      await stores.outbox.claim(10);
      await stores.outbox.markDispatched([first.id], 1);
      adding = db.outbox.add([row('meet')]);
      // The newcomer waits for this relay; give it time to get there.
      await db.ping();
    });
    await adding;
    const waiting = await db.transact((stores) => stores.outbox.claim(10));
    expect(waiting.filter((other) => other.key === 'meet')).toHaveLength(1);
  });
});

describe('a server that goes away', () => {
  it('is DATABASE_UNREACHABLE to every call, and is used again when it is back', async () => {
    const url = await createTestDatabase();
    const name = new URL(url).pathname.slice(1);
    const db = await createPrismaDatabase({ url });
    const person = await storedPerson(db);
    const admin = new URL(url);
    admin.pathname = '/postgres';
    const unreachable = { code: 'DATABASE_UNREACHABLE' };

    await administer(admin.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await administer(
      admin.href,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    // A connection that was cut under a call in flight may fail another way; the next ones meet the closed door.
    await db.users.find('x').catch(() => undefined);
    await expect(db.users.find('x')).rejects.toMatchObject(unreachable);
    await expect(db.notices.find('x')).rejects.toMatchObject(unreachable);
    await expect(db.transact((stores) => stores.users.find('x'))).rejects.toMatchObject(unreachable);
    await expect(db.ping()).rejects.toMatchObject(unreachable);

    await administer(admin.href, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    expect(await db.users.find(person.user.id)).toEqual(person.user);
    expect(await db.transact((stores) => stores.users.find(person.user.id))).toEqual(person.user);
    await db.close();
  });

  it('is DATABASE_UNREACHABLE when it cuts the connection in the middle of a transaction', async () => {
    const url = await createTestDatabase();
    const db = await createPrismaDatabase({ url });
    const { user } = await storedPerson(db);
    await expect(
      db.transact(async (stores) => {
        await stores.users.update(user.id, { firstName: 'Never' });
        await administer(
          url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
        await stores.users.find(user.id);
      }),
    ).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    expect((await db.users.find(user.id))?.firstName).toBe(user.firstName);
    await db.close();
  });
});

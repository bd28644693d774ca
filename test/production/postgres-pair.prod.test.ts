import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasCode } from '../../src/core/errors/app-error.ts';
import type { StandbyRules } from '../../src/modules/operations/rules/replication.ts';
import { createClient } from '../../src/platform/db/client.ts';
import { pooled } from '../../src/platform/db/connection.ts';
import { watchStandbys } from '../../src/platform/db/standby-watch.ts';
import { asks, debianPostgres, type Pair, type PairedServer, startPair, until } from './postgres-pair.ts';

const hasPostgres = debianPostgres() !== null;
if (!hasPostgres && process.env['REQUIRE_ALL'] === '1') throw new Error('Debian Postgres is missing');

/** How often a primary is killed; CI's short form has few. */
const ROUNDS = Number(process.env['FAILOVERS'] ?? 4);
/** Room for one of them on a machine with other work. */
const ROUND_MS = 90_000;
const KINDS = [
  ['synchronous', 'loses nothing that was answered'],
  ['asynchronous', 'loses what was answered last, which is why it is refused'],
] as const;

let folder: string;
let pair: Pair;
const closes: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pair-'));
});
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
  await pair?.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (server: PairedServer) => {
  const { prisma, pool, onUnreplicated } = createClient({ url: server.url, poolSize: 4 });
  closes.push(async () => {
    await prisma.$disconnect();
    await pool.end().catch(() => undefined);
  });
  return { ...pooled(prisma, pool), onUnreplicated };
};

const lines: string[] = [];
const log = {
  error: (_: object, line: string) => void lines.push(line),
  warn: (_: object, line: string) => void lines.push(line),
};
const rules = (ha: StandbyRules['ha'], ...read: string[]): StandbyRules => ({
  ha,
  readReplicas: new Set(read),
});
const problemOf = async (db: ReturnType<typeof open>, asked: StandbyRules): Promise<string | null> => {
  try {
    await (await watchStandbys(db, asked, { log, pause })).stop();
    return null;
  } catch (error) {
    if (hasCode(error, 'DATABASE_REPLICA_ASYNC')) return error.details.cause;
    if (hasCode(error, 'COMMIT_NOT_REPLICATED')) return `not replicated: ${error.details.cause}`;
    throw error;
  }
};
const synchronous = (server: PairedServer, names: string) =>
  asks(server.superUrl, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`).then(() =>
    asks(server.superUrl, 'SELECT pg_reload_conf()'),
  );

describe.skipIf(!hasPostgres)('a database with replicas', () => {
  it('is refused while a replica is asynchronous, cannot be seen, or is missing though it is wanted', async () => {
    pair = await startPair(folder, { monitor: false });
    const db = open(pair.primary);
    expect(await problemOf(db, rules('off'))).toBeNull();
    expect(await problemOf(db, rules('sync'))).toContain('no synchronous standby is connected');
    await pair.follow(pair.primary, 'b');
    await until(
      async () => (await asks(pair.primary.superUrl, 'SELECT 1 FROM pg_stat_replication')).length > 0,
    );
    expect(await problemOf(db, rules('off'))).toContain('GRANT pg_monitor');
    expect(await problemOf(db, rules('off', 'b'))).toBeNull();
    await asks(pair.primary.superUrl, 'GRANT pg_monitor TO tradepost');
    expect(await problemOf(db, rules('off'))).toContain('"b" is asynchronous');
    await synchronous(pair.primary, 'ANY 1 (b)');
    await until(async () => (await problemOf(db, rules('sync'))) === null);
    expect(await problemOf(db, rules('off'))).toBeNull();
    await asks(pair.primary.superUrl, 'ALTER ROLE tradepost SET synchronous_commit = local');
    expect(await problemOf(open(pair.primary), rules('sync'))).toContain('synchronous_commit is local');
  });

  it('takes no work while a commit waits for a standby that is gone, and says so when a person ends the wait', async () => {
    pair = await startPair(folder, { monitor: true });
    const db = open(pair.primary);
    await db.query('CREATE TABLE paid (n integer)', []);
    const standby = await pair.follow(pair.primary, 'b');
    await synchronous(pair.primary, 'ANY 1 (b)');
    await until(async () => (await problemOf(db, rules('sync'))) === null);
    const watch = await watchStandbys(db, rules('sync'), { log, pause });
    closes.push(() => watch.stop());
    standby.hold(true);
    const commit = db
      .atomic(({ query }) => query('INSERT INTO paid VALUES (1)', []))
      .then(
        () => 'answered',
        (error: unknown) => (hasCode(error, 'COMMIT_NOT_REPLICATED') ? 'warned' : error),
      );
    await until(async () => {
      try {
        watch.assertSafe();
        return false;
      } catch {
        return true;
      }
    });
    await asks(
      pair.primary.superUrl,
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'`,
    );
    expect(await commit).toBe('warned');
    // It is committed here all the same: the caller must check, not repeat.
    expect(await asks(pair.primary.url, 'SELECT n FROM paid')).toHaveLength(1);
    standby.hold(false);
    await until(async () => {
      watch.assertSafe();
      return true;
    });
  });

  // Few asynchronous promotions may all be lucky: what they lose shows in twenty.
  it.each(KINDS.filter(([kind]) => kind === 'synchronous' || ROUNDS >= 20))(
    'that is promoted after a kill and was %s %s',
    async (kind, _outcome) => {
      pair = await startPair(folder, { monitor: true });
      let primary = pair.primary;
      await asks(primary.url, 'CREATE TABLE paid (n integer PRIMARY KEY)');
      const answered: number[] = [];
      let lost = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = `b${round}`;
        const standby = await pair.follow(primary, name);
        if (kind === 'synchronous') await synchronous(primary, `ANY 1 (${name})`);
        const db = open(primary);
        await until(
          async () =>
            (await problemOf(db, kind === 'synchronous' ? rules('sync') : rules('off', name))) === null,
        );
        let isOver = false;
        const paying = (async () => {
          for (let n = round * 1_000_000; !isOver; n += 1) {
            const isAnswered = await db
              .atomic(({ query }) => query('INSERT INTO paid VALUES ($1::int)', [n]))
              .then(
                () => true,
                () => false,
              );
            if (isAnswered) answered.push(n);
          }
        })();
        await pause(200 + Math.random() * 600);
        // The replica lags behind for a moment, as replicas do; then power fails.
        standby.hold(true);
        await pause(100 + Math.random() * 200);
        await primary.kill();
        isOver = true;
        standby.hold(false);
        await paying;
        await standby.promote();
        if (kind === 'synchronous') await synchronous(standby, '');
        const kept = new Set((await asks(standby.url, 'SELECT n FROM paid')).map((row) => row['n']));
        expect(answered.length).toBeGreaterThan(0);
        lost += answered.filter((n) => !kept.has(n)).length;
        answered.splice(0, answered.length, ...answered.filter((n) => kept.has(n)));
        primary = standby;
      }
      if (kind === 'synchronous') expect(lost).toBe(0);
      else expect(lost).toBeGreaterThan(0);
    },
    ROUNDS * ROUND_MS,
  );
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { KEPT_DAYS, NOTICE_DAYS } from '../../../src/modules/operations/rules/retention.ts';
import { createRetentionStore } from '../../../src/modules/operations/store/retention-store.ts';
import { createPrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createEmptyDatabase, createTestDatabase } from '../../support/database.ts';
import { realTrades } from '../../support/year/real-trades.ts';
import { personId, writeYear } from '../../support/year/write-year.ts';
import { runOpsHere } from './run-ops.ts';

const DAYS = 365;
const PEOPLE = 5;

/** Of each table, in a database that was kept for a year. */
const COUNTS = [
  'notices',
  'progress_messages',
  'intents',
  'attempts',
  'rewards',
  'ledger_entries',
  'position_events',
  'orders',
  'order_fires',
] as const;

it('a year of use loses what has served and nothing else, and its restored dump audits clean', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'year-'));
  const [url, copy] = [await createTestDatabase(), await createEmptyDatabase()];
  const db = await createPrismaDatabase({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const counts = async () => {
    const sums = COUNTS.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
    const { rows } = await client.query<Record<(typeof COUNTS)[number] | 'signed', number>>(
      `SELECT ${sums.join(', ')}, (SELECT count(*)::int FROM attempts WHERE signed_transaction <> '') AS signed`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('a count has one row');
    return row;
  };
  const audit = (of: string) => runOpsHere(['audit', '--books-only'], { DATABASE_URL: of });
  try {
    const trades = await realTrades(db);
    const real = await counts();
    await writeYear(client, trades, { people: PEOPLE, days: DAYS, isClean: false });
    const before = await counts();
    expect(before.intents).toBeGreaterThanOrEqual(2 * PEOPLE * DAYS);
    expect((await audit(url)).out).toMatch(/^0 mismatches/m);
    const screens = () => Promise.all([db.intents.listByUser(personId(2), { limit: 11 }), history()]);
    const history = () => db.points.history(personId(2), { offset: 0, limit: 11 });
    const shown = await screens();

    const retention = createRetentionStore(db.query);
    while ((await retention.clean(Date.now())).size > 0);
    // What was written 30 days ago is older than that by now.
    const young = (days: number) => 2 * PEOPLE * (days - 1);
    // One of four people was invited: each of their trades paid something out.
    const paid = (days: number) => 2 * Math.floor(PEOPLE / 4) * (days - 1);
    expect(await counts()).toEqual({
      ...before,
      notices: real.notices + 3 * young(NOTICE_DAYS) + paid(NOTICE_DAYS),
      progress_messages: real.progress_messages + young(KEPT_DAYS),
      signed: real.signed + young(KEPT_DAYS) + paid(KEPT_DAYS),
    });
    expect(await screens()).toEqual(shown);

    const path = join(folder, 'year.dump');
    expect(await runOpsHere(['dump', path], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    expect(await runOpsHere(['restore', path], { DATABASE_URL: copy })).toMatchObject({ code: 0 });
    const { code, out } = await audit(copy);
    expect([code, out]).toEqual([0, expect.stringMatching(/^0 mismatches/m)]);
  } finally {
    await client.end();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 900_000);

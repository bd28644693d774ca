/**
 * A year of a thousand people who come every day: how much disk it takes, and how long the screens' reads take at that size.
 * Two real trades are made first, and orders through their store; the year is those rows again and again, with the positions, the
 * tape and the sums that follow from them. `YEAR_DAYS` and `YEAR_PEOPLE` make it smaller; the tape of few people is told too large.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { createRetentionStore } from '../src/modules/operations/store/retention-store.ts';
import { ORDER_SHARDS } from '../src/modules/orders/store/order-store-port.ts';
import { DAY_MS, periodAt } from '../src/modules/points/rules/utc.ts';
import { listMissions } from '../src/modules/points/use/list-missions.ts';
import { foldPositions } from '../src/modules/positions/use/fold-positions.ts';
import { walletLimit } from '../src/modules/wallets/use/wallet-limit.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { realTrades } from '../test/support/year/real-trades.ts';
import { personId, writeYear } from '../test/support/year/write-year.ts';
import { median, percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'year';

const PEOPLE = Number(process.env['YEAR_PEOPLE'] ?? 1_000);
const DAYS = Number(process.env['YEAR_DAYS'] ?? 365);
const LOOKS = 100;
/** Looks before those that are timed: for plans, and for pages that nobody read since they were written. */
const WARM_LOOKS = 10;
/** What workers ask, when they start or by the clock. */
const NOT_SCREENS = new Set(['open orders of everybody', 'open alerts of everybody', 'a round of retention']);

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // Run as root, the server is another user, who must be able to walk here.
  chmodSync(dir, 0o711);
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  const db = await createPrismaDatabase({ url: postgres.url });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await client.connect();
    const originals = await realTrades(db);
    const before = await bytes(client);
    await writeYear(client, originals, { people: PEOPLE, days: DAYS, isClean: true });
    await client.query('VACUUM ANALYZE');
    const sizes = await tables(client);
    const total = (await bytes(client)) - before;
    const year = (total * 365 * 1_000) / (DAYS * PEOPLE);
    return [
      {
        metric: `a year of 1,000 daily people`,
        value: year / 1e9,
        unit: 'GB',
        note: `goal 6; written: ${DAYS} days of ${PEOPLE}`,
      },
      ...sizes.map(({ table, size }) => ({
        metric: `  ${table}`,
        value: (size * 365_000) / (DAYS * PEOPLE) / 1e6,
        unit: 'MB',
      })),
      ...(await screens(db)),
    ];
  } finally {
    await client.end();
    await db.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What the screens of a keen person read, each asked for as its screen does. */
async function screens(db: PrismaDatabase): Promise<readonly Row[]> {
  const userId = personId(5);
  const who = { telegramId: 1_000_005n, userId };
  const now = Date.now();
  const clock = { now: () => now };
  const retention = createRetentionStore(db.query);
  const wallets = (await db.wallets.listByUser(userId)).map(({ id }) => id);
  const [wallet = ''] = wallets;
  const [trade] = await db.intents.listByUser(userId, { limit: 1 });
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    home: () =>
      Promise.all([
        db.wallets.listByUser(userId),
        db.orders.listOpen(userId),
        db.ledger.balance({ kind: 'points', owner: userId }),
        walletLimit(db.shop, 3, userId),
        db.flags.pauses(),
        db.guards.find(userId),
      ]),
    // The portfolio too: all events of the wallets, because a move between two takes its cost along.
    positions: async () => {
      await foldPositions(db, userId);
      await Promise.all([
        db.positions.events(wallets),
        db.positions.days([wallet], now - DAY_MS),
        db.intents.listByUser(userId, { limit: 20, kinds: ['buy', 'sell'] }),
      ]);
    },
    'positions, a chart of a year': () => db.positions.days(wallets, now - 365 * DAY_MS),
    'export, a page': () => db.positions.page(wallets, { after: null, limit: 500 }),
    orders: () => db.orders.listOpen(userId),
    'orders that are over': () => db.orders.listClosed(userId, 20),
    alerts: () => db.alerts.listOpen(userId),
    'receipt of a trade': () => db.intents.whole(trade?.id ?? ''),
    'wallet, open intents and orders': () =>
      Promise.all([db.intents.countOpenByWallet(wallet), db.orders.countOpenByWallet(wallet)]),
    'weekly board': () => db.points.board(periodAt('weekly', now - 7 * DAY_MS), 10, userId),
    'points screen': () => db.points.find(who.telegramId, userId),
    'points history, first page': () => db.points.history(userId, { offset: 0, limit: 11 }),
    missions: () => listMissions({ db, clock }, who),
    'points balance': () => db.ledger.balance({ kind: 'points', owner: userId }),
    'receipts, first page': () => db.intents.listByUser(userId, { limit: 11 }),
    'inviter, totals': () => db.referrals.totals(userId),
    "inviter, a month's volume": () => db.referrals.volume(userId, now - 30 * DAY_MS),
    'inviter, rewards, first page': () => db.referrals.rewardLines(userId, { offset: 0, limit: 11 }),
    'inviter, what does not count, first page': () =>
      db.referrals.uncounted(userId, { offset: 0, limit: 11 }),
    'inviter, campaigns': () => db.referrals.campaigns(userId, 10),
    'open intents that are due': () => db.intents.due(now, 500),
    'notices not delivered': () => db.notices.undelivered(now, 500),
    'open orders of everybody': async () => {
      const ids = await db.orders.openIdsIn(Array.from({ length: ORDER_SHARDS }, (_, shard) => shard));
      return db.orders.openAmong(ids);
    },
    'open alerts of everybody': () => db.alerts.allOpen(now),
    'what a beat asks': () =>
      db.watch.beat({ owner: 'bench', now, until: now, watchedSince: now, noticesBefore: now, limit: 500 }),
    'a round of retention': () => retention.clean(now),
  };
  const rows: Row[] = [];
  for (const [screen, read] of Object.entries(reads)) {
    const times: number[] = [];
    for (let look = -WARM_LOOKS; look < LOOKS; look += 1) {
      const startedAt = performance.now();
      await read();
      if (look >= 0) times.push(performance.now() - startedAt);
    }
    const middle = `median ${median(times).toFixed(1)}`;
    const goal = screen === 'weekly board' ? 'goal 20' : 'goal 50';
    rows.push({
      metric: `${screen}, p99`,
      value: percentile(times, 99),
      unit: 'ms',
      note: NOT_SCREENS.has(screen) ? middle : `${goal}; ${middle}`,
    });
  }
  return rows;
}

async function bytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ size: string }>(
    'SELECT pg_database_size(current_database())::text AS size',
  );
  return Number(rows[0]?.size ?? 0);
}

async function tables(
  client: pg.Client,
): Promise<readonly { readonly table: string; readonly size: number }[]> {
  const { rows } = await client.query<{ table: string; size: string }>(
    `SELECT relname AS "table", pg_total_relation_size(oid)::text AS size FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC LIMIT 14`,
  );
  return rows.map(({ table, size }) => ({ table, size: Number(size) }));
}

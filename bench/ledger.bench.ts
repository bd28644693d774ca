/**
 * Postings per second at 32 clients on the embedded Postgres: spread over 1,000 people, all on one pair, inside a unit of
 * work, and several in one step.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { createPrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { feeTransfer, newId } from '../test/conformance/store-rows.ts';
import type { Row } from './run.ts';

export const name = 'ledger';

const CLIENTS = 32;
const SECONDS = 8;
const BATCH = 10;

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // Run as root, the server is another user, who must be able to walk here.
  chmodSync(dir, 0o711);
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  const db = await createPrismaDatabase({ url: postgres.url, poolSize: CLIENTS });
  try {
    const people = Array.from({ length: 1_000 }, newId);
    let failed = 0;
    const rate = async (
      ownerOf: (n: number) => string,
      post = (owner: string): Promise<unknown> => db.ledger.post(feeTransfer(owner, 5n)),
    ): Promise<number> => {
      let posted = 0;
      let n = 0;
      const until = performance.now() + SECONDS * 1_000;
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (performance.now() < until) {
            n += 1;
            await post(ownerOf(n)).then(
              () => {
                posted += 1;
              },
              () => {
                failed += 1;
              },
            );
          }
        }),
      );
      return posted / SECONDS;
    };
    await rate((n) => people[n % people.length] ?? '');
    const spread = await rate((n) => people[n % people.length] ?? '');
    const hot = await rate(() => people[0] ?? '');
    const inUnit = await rate(
      (n) => people[n % people.length] ?? '',
      (owner) => db.transact((stores) => stores.ledger.post(feeTransfer(owner, 5n))),
    );
    const batched = await rate(
      (n) => people[n % people.length] ?? '',
      (owner) =>
        db.ledger.postAll(
          Array.from({ length: BATCH }, (_, at) =>
            feeTransfer(people[(people.indexOf(owner) + at * 37) % people.length] ?? '', 5n),
          ),
        ),
    );
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ deadlocks: number; sum: string }>(
      `SELECT (SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()) AS deadlocks,
         (SELECT sum(amount)::text FROM ledger_entries) AS sum`,
    );
    await client.end();
    return [
      { metric: `spread postings, ${CLIENTS} clients`, value: spread, unit: 'per second', note: 'goal 1000' },
      {
        metric: `postings on one pair, ${CLIENTS} clients`,
        value: hot,
        unit: 'per second',
        baseline: 'spread',
        ratio: hot / spread,
        note: 'goal 200',
      },
      {
        metric: `spread postings, each in a unit of work`,
        value: inUnit,
        unit: 'per second',
        baseline: 'spread',
        ratio: inUnit / spread,
      },
      {
        metric: `spread postings, ${BATCH} in one step`,
        value: batched * BATCH,
        unit: 'per second',
        baseline: 'spread',
        ratio: (batched * BATCH) / spread,
      },
      { metric: 'deadlocks', value: rows[0]?.deadlocks ?? -1, unit: '', note: 'goal 0' },
      { metric: 'failed postings', value: failed, unit: '' },
      {
        metric: 'sum of all entries',
        value: Number(rows[0]?.sum ?? -1),
        unit: 'lamports',
        note: 'must be 0',
      },
    ];
  } finally {
    await db.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

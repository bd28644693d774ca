/** The audit of books with a million ledger entries, on the embedded Postgres; the list that is compared with the chain, too. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createAuditStore } from '../src/engine/audit/store/audit-store.ts';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import { audit } from '../src/modules/operations/use/audit.ts';
import { createPrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { writeBooks } from './audit-books.ts';
import type { Row } from './run.ts';

export const name = 'audit';

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  // Run as root, the server is another user, who must be able to walk here.
  chmodSync(dir, 0o711);
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  const db = await createPrismaDatabase({ url: postgres.url });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await client.connect();
    const seconds = async (work: () => Promise<unknown>): Promise<number> => {
      const startedAt = performance.now();
      await work();
      return (performance.now() - startedAt) / 1_000;
    };
    const written = await seconds(() => writeBooks(client));
    const { rows } = await client.query<{ entries: number }>(
      'SELECT count(*)::int AS entries FROM ledger_entries',
    );
    const books = createAuditStore(db.query);
    let found = -1;
    const audited = await seconds(async () => {
      found = (await audit({ books, chain: null })).mismatches.length;
    });
    let booked = 0;
    const listed = await seconds(async () => {
      for (let after: string | null = ''; after !== null; ) {
        const page = await books.booked(after, 200);
        booked += page.bookings.length;
        after = page.next;
      }
    });
    // One lamport on one account: books that hold are also what an audit finds that looks at nothing.
    await client.query(
      `UPDATE ledger_accounts SET balance = balance + 1 WHERE key = (SELECT min(key) FROM ledger_accounts WHERE owner IS NOT NULL)`,
    );
    const planted = (await audit({ books, chain: null })).mismatches.length;
    return [
      { metric: 'ledger entries', value: rows[0]?.entries ?? -1, unit: '' },
      { metric: 'writing them', value: written, unit: 's' },
      { metric: 'audit of the books', value: audited, unit: 's', note: 'goal 60 s' },
      { metric: 'mismatches in books that hold', value: found, unit: '', note: 'must be 0' },
      { metric: 'mismatches after one lamport too many', value: planted, unit: '', note: 'must be 1' },
      { metric: 'bookings listed for the chain', value: booked / listed, unit: 'per second' },
    ];
  } finally {
    await client.end();
    await db.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

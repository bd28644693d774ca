import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/adapters/db/prisma-database.ts';
import { feeTransfer, newId } from '../../conformance/store-rows.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

describe('the ledger’s tables', () => {
  let url: string;
  let db: PrismaDatabase;
  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
  });
  afterAll(() => db.close());

  it('have no privilege to change an entry left, not even for the owner', async () => {
    const [row] = await administer(
      url,
      `SELECT string_agg(DISTINCT privilege, ',' ORDER BY privilege) AS left FROM (
         SELECT (aclexplode(relacl)).privilege_type AS privilege FROM pg_class WHERE relname = 'ledger_entries') AS acl
       WHERE privilege IN ('UPDATE', 'DELETE', 'TRUNCATE', 'INSERT', 'SELECT')`,
    );
    expect(row?.['left']).toBe('INSERT,SELECT');
  });

  it('refuse a transfer without entries, which would use up its key for nothing', async () => {
    await expect(
      administer(url, `INSERT INTO ledger_transfers VALUES ('t9', 'k9', 'trade-fee', 'r', 'LAMPORT', now())`),
    ).rejects.toThrow('fewer than two entries');
  });

  it('keep sum zero and nobody below zero under 32 clients with replays, and never deadlock', async () => {
    const owners = Array.from({ length: 6 }, newId);
    const errors: string[] = [];
    const transfers = Array.from({ length: 400 }, (_, index) =>
      feeTransfer(owners[index % owners.length] ?? '', BigInt(1 + (index % 9))),
    );
    const work = [...transfers, ...transfers.slice(0, 80)];
    const started = work.length;
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let next = work.pop(); next !== undefined; next = work.pop()) {
          await db.ledger.post(next).catch((error: unknown) => errors.push(String(error)));
        }
      }),
    );
    expect(started).toBe(480);
    expect(errors).toEqual([]);
    const [row] = await administer(
      url,
      `SELECT (SELECT coalesce(sum(amount), 0)::text FROM ledger_entries) AS sum,
         (SELECT count(*)::text FROM ledger_transfers) AS transfers,
         (SELECT count(*)::text FROM ledger_accounts WHERE balance < 0) AS negative,
         (SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()) AS deadlocks`,
    );
    expect(row).toEqual({ sum: '0', transfers: '400', negative: '0', deadlocks: '0' });
  });
});

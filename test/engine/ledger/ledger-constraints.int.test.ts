import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
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

  it('judge what the posting function writes as they judge anybody', async () => {
    const post = (transfers: object, entries: object) =>
      administer(
        url,
        `SELECT ledger_post('${JSON.stringify(transfers)}'::jsonb, '${JSON.stringify(entries)}'::jsonb)`,
      );
    const transfer = {
      id: 't7',
      key: 'k7',
      reason: 'trade-fee',
      ref: 'r',
      currency: 'LAMPORT',
      created_at: '2026-01-01T00:00:00Z',
    };
    const entry = { transfer_id: 't7', n: 1, account_key: 'house/treasury', kind: 'treasury', amount: '5' };
    await expect(post([transfer], [])).rejects.toThrow('fewer than two entries');
    await expect(post([transfer], [entry, { ...entry, n: 2, amount: '-4' }])).rejects.toThrow(
      'do not sum to zero',
    );
    await expect(
      post([transfer], [entry, { ...entry, n: 2, account_key: 'house/nobody', amount: '-5' }]),
    ).rejects.toThrow('violates foreign key constraint');
    expect(await administer(url, `SELECT 1 FROM ledger_transfers WHERE id = 't7'`)).toEqual([]);
    const [row] = await administer(
      url,
      `SELECT prosecdef AS definer FROM pg_proc WHERE proname = 'ledger_post'`,
    );
    expect(row).toEqual({ definer: false });
  });

  it('never deadlock when batches name the same people in opposite orders', async () => {
    const owners = Array.from({ length: 8 }, newId);
    const batch = (reverse: boolean) => {
      const transfers = owners.map((owner) => feeTransfer(owner, 3n));
      return reverse ? transfers.toReversed() : transfers;
    };
    const counts = await Promise.all(
      Array.from({ length: 32 }, (_, client) => db.ledger.postAll(batch(client % 2 === 0))),
    );
    expect(counts).toEqual(Array.from({ length: 32 }, () => owners.length));
    for (const owner of owners) {
      expect(await db.ledger.balance({ kind: 'referral-payable', owner })).toBe(96n);
    }
    const [row] = await administer(
      url,
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(row).toEqual({ deadlocks: 0 });
  });
});

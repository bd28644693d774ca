import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { attemptRow, feeTransfer, newId, storedIntent } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';

describe('the books as the audit reads them', () => {
  let db: PrismaDatabase;
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
  });
  afterAll(() => db.close());

  it('list every booking that has a transaction once, page by page, past those that have none', async () => {
    const owner = newId();
    const fee = (signature: string, lamports: bigint) =>
      feeTransfer(owner, lamports, { key: `trade-fee/${signature}` });
    const payout = await storedIntent(db);
    const lost = await storedIntent(db);
    await db.intents.insertAttempt(attemptRow(payout, { signature: 'paid', status: 'FINALIZED' }));
    const capture = (intentId: string) =>
      feeTransfer(owner, 4n, { key: `payout-capture/${intentId}`, reason: 'payout-capture', ref: intentId });
    await db.ledger.postAll([fee('a', 1n), fee('b', 2n), fee('c', 3n), capture(payout.id), capture(lost.id)]);
    const books = createAuditStore(db.query);
    for (const limit of [1, 2, 100]) {
      const found: string[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const page: Awaited<ReturnType<typeof books.booked>> = await books.booked(after, limit);
        found.push(...page.bookings.map((row) => `${row.reason} ${row.signature} ${row.treasuryLamports}`));
        after = page.next;
      }
      expect(found).toEqual(['payout-capture paid 4', 'trade-fee a 1', 'trade-fee b 2', 'trade-fee c 3']);
    }
    // Those fees belong to no trade and no reward, and the audit says so.
    const rules = new Set((await books.mismatches()).map(({ rule }) => rule));
    expect([...rules]).toEqual(expect.arrayContaining(['fee-unfounded', 'reward-missing']));
  });
});

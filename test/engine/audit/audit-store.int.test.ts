import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownAct } from '../../../src/engine/audit/rules.ts';
import { createAuditStore } from '../../../src/engine/audit/store/audit-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import {
  attemptRow,
  feeTransfer,
  NOW,
  newAddress,
  newId,
  storedIntent,
  storedPerson,
} from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';

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

  it('name an effect without its act, an act without its effect, and an address that its key does not give', async () => {
    const books = createAuditStore(db.query);
    const named = async (): Promise<readonly string[]> =>
      (await books.mismatches()).map(({ rule, subject }) => `${rule} ${subject}`);
    const { user, wallet } = await storedPerson(db);
    const other = await storedPerson(db);
    const before = await named();
    const taken = {
      id: newId(),
      userId: user.id,
      walletId: wallet.id,
      askedAt: NOW,
      readyAt: NOW,
      endsAt: NOW + 1,
    };
    await db.exports.insert(PASSED, { ...taken, end: null });
    await db.exports.end(PASSED, taken.id, { kind: 'TAKEN', at: NOW });
    await db.wallets.letReceive(PASSED, wallet.id, { payoutFrom: NOW, certificate: 'C' });
    const news = async (): Promise<readonly string[]> =>
      (await named()).filter((line) => !before.includes(line));
    expect(await news()).toEqual([`act-missing export ${taken.id}`, `act-missing wallet ${wallet.id}`]);
    const { id: walletId, address } = wallet;
    await db.auditLog.record(ownAct(user.id, NOW, 'wallet-exported', { walletId, address }));
    await db.auditLog.record(ownAct(user.id, NOW, 'payout-wallet-asked', { walletId, address, at: NOW }));
    expect(await news()).toEqual([]);
    await db.query('DELETE FROM exports WHERE id = $1', [taken.id]);
    await db.exports.insert(PASSED, { ...taken, id: newId(), end: null });
    expect(await news()).toEqual([expect.stringMatching(/^effect-missing act \d+$/)]);
    await db.query('UPDATE wallet_secrets SET public_key = $2 WHERE wallet_id = $1', [
      other.wallet.id,
      newAddress(),
    ]);
    expect(await news()).toContain(`key-address ${other.wallet.id}`);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVerifyCopies } from '../../../scripts/ops/copies.ts';
import { copyKey } from '../../../src/modules/copying/rules/copy-trade.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { copyRow, copyTradeRow } from '../../conformance/copy-store.ts';
import { leaderTradeRow } from '../../conformance/follow-store.ts';
import { intentRow, newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { PARAMS } from '../../engine/intents/build.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';

let db: PrismaDatabase;
let url: string;
const AMOUNT = PARAMS.buy.lamportsIn;

beforeAll(async () => {
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  const { user, wallet } = await storedPerson(db);
  const copy = copyRow({ userId: user.id, walletId: wallet.id });
  await db.copies.insert(PASSED, copy);
  const trade = leaderTradeRow({ leader: copy.leader, mint: newAddress() });
  const row = copyTradeRow(copy, trade, { status: 'BOUGHT', amount: AMOUNT, moved: 70n });
  const id = row.intentId ?? '';
  const params = PARAMS.buy;
  await db.intents.insert(intentRow(wallet, { id, idemKey: copyKey(row), params, status: 'SUCCEEDED' }));
  await db.copies.decide(row);
});
afterAll(() => db.close());

/** The command's exit code, and the rules that it names. */
async function verified(): Promise<{ readonly code: number; readonly rules: readonly string[] }> {
  const printed: string[] = [];
  const io = {
    print: (line: string) => printed.push(line),
    note: () => undefined,
    local: false,
    config: () => ({ databaseUrl: url, local: { dir: '/nowhere' } }),
  };
  const code = await runVerifyCopies(io as never);
  return { code, rules: printed.slice(0, -1).map((line) => line.split(' ')[0] ?? '') };
}

async function planted(statement: string, back: string): Promise<Awaited<ReturnType<typeof verified>>> {
  await db.query(statement, []);
  const found = await verified();
  await db.query(back, []);
  return found;
}

describe('copies verify', () => {
  it('ends with 0 where all is well', async () => {
    expect(await verified()).toEqual({ code: 0, rules: [] });
  });

  it.each([
    [
      'copy-amount',
      'UPDATE copy_trades SET amount = amount + 1',
      'UPDATE copy_trades SET amount = amount - 1',
    ],
    ['copy-end', `UPDATE copy_trades SET status = 'BUYING'`, `UPDATE copy_trades SET status = 'BOUGHT'`],
    ['copy-unknown', `UPDATE copy_trades SET leg = leg || 'y'`, 'UPDATE copy_trades SET leg = left(leg, -1)'],
    [
      'copy-sold',
      `INSERT INTO copy_trades SELECT copy_id, signature, 'sell-' || mint, user_id, leader, mint, 'sell', 'SOLD', NULL, NULL, 71, 71, 0, 0, NULL, seen_at FROM copy_trades`,
      `DELETE FROM copy_trades WHERE side = 'sell'`,
    ],
  ])('ends with 1 and names a planted %s', async (rule, statement, back) => {
    const found = await planted(statement, back);
    expect(found.code).toBe(1);
    expect(found.rules).toContain(rule);
    expect(await verified()).toEqual({ code: 0, rules: [] });
  });
});

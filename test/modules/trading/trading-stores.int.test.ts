import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandwich } from '../../../src/modules/trading/rules/sandwich.ts';
import type { SourceCount } from '../../../src/modules/trading/rules/source-figures.ts';
import { createSourceCounts } from '../../../src/modules/trading/store/source-counts.ts';
import { createVerdictStore } from '../../../src/modules/trading/store/verdict-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('counts of sources in Postgres', () => {
  const row = (more: Partial<SourceCount> = {}): SourceCount => ({
    day: '2026-01-31',
    pairClass: 'major',
    source: 'own',
    outcome: 'won',
    gainBps: 7,
    quotes: 1,
    ...more,
  });

  it('add up, also from many processes at once, and forget days that are not kept', async () => {
    const counts = createSourceCounts(db);
    const other = row({ source: 'raydium', outcome: 'offered', gainBps: 0 });
    await Promise.all(Array.from({ length: 10 }, () => counts.add([row(), other, row()], '2026-01-01')));
    await counts.add([row({ day: '2025-12-31' })], '2026-01-01');
    await counts.add([], '2026-01-01');
    const listed = async (from: string) =>
      (await counts.list(from)).toSorted((a, b) => (a.source < b.source ? -1 : 1));
    expect(await listed('2000-01-01')).toEqual([row({ quotes: 20 }), { ...other, quotes: 10 }]);
    expect(await listed('2026-02-01')).toEqual([]);
    await counts.add([row({ day: '2026-02-01' })], '2026-02-01');
    expect(await listed('2000-01-01')).toEqual([row({ day: '2026-02-01' })]);
  });
});

describe('verdicts in Postgres', () => {
  it('come due for what succeeded in between, once, and are counted by sender', async () => {
    const verdicts = createVerdictStore(db);
    const NOW = Date.UTC(2026, 0, 31, 12);
    // A purchase that ended, a minute each, of kinds and ends that count and do not.
    const rows = [
      ['01KG9Z000000000000000000001', 'buy', 'SUCCEEDED', 5],
      ['01KG9Z000000000000000000002', 'sell', 'SUCCEEDED', 4],
      ['01KG9Z000000000000000000003', 'buy', 'FAILED', 4],
      ['01KG9Z000000000000000000004', 'withdraw-sol', 'SUCCEEDED', 4],
      ['01KG9Z000000000000000000005', 'sell', 'SUCCEEDED', 0],
      ['01KG9Z000000000000000000006', 'sell', 'SUCCEEDED', 600],
    ] as const;
    await db.query(
      `INSERT INTO wallets (id, name, address, created_at) VALUES ('01KG00000000000000000000W1', 'Treasury', '11111111111111111111111111111112', now()) RETURNING id`,
      [],
    );
    for (const [id, kind, status, minutes] of rows)
      await db.query(
        `INSERT INTO intents (id, receipt, kind, wallet_id, idem_key, params, status, lease_epoch, created_at, updated_at)
         VALUES ($1, $1, $2, '01KG00000000000000000000W1', $1, '{}', $3, 0, now(), $4::timestamptz) RETURNING id`,
        [id, kind, status, new Date(NOW - minutes * 60_000).toISOString()],
      );
    const due = () => verdicts.due(NOW - 3_600_000, NOW - 60_000, 10);
    expect(await due()).toEqual([rows[0][0], rows[1][0]]);
    expect(await verdicts.due(NOW - 3_600_000, NOW - 60_000, 1)).toEqual([rows[0][0]]);
    const sandwich = { certainty: 'sure', costBps: 31 } as Sandwich;
    await verdicts.insert(rows[0][0], 'jito', sandwich, NOW);
    await verdicts.insert(rows[0][0], 'nodes', { certainty: 'none' }, NOW);
    await verdicts.insert(rows[1][0], 'nodes', { certainty: 'not-known' }, NOW);
    expect(await due()).toEqual([]);
    expect((await verdicts.counts(NOW)).toSorted((a, b) => (a.sender < b.sender ? -1 : 1))).toEqual([
      { sender: 'jito', certainty: 'sure', trades: 1 },
      { sender: 'nodes', certainty: 'not-known', trades: 1 },
    ]);
    expect(await verdicts.counts(NOW + 1)).toEqual([]);
  });
});

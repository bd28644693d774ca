import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstUlid } from '../../../src/core/time/ulid.ts';
import type { BuyParams } from '../../../src/engine/intents/kinds/buy/params.ts';
import type { Attempt, Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Sandwich } from '../../../src/modules/trading/rules/sandwich.ts';
import type { SourceCount } from '../../../src/modules/trading/rules/source-figures.ts';
import { createSourceCounts } from '../../../src/modules/trading/store/source-counts.ts';
import { createVerdictStore } from '../../../src/modules/trading/store/verdict-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { attemptRow, intentRow, newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
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

const BUY: BuyParams = {
  kind: 'buy',
  mint: newAddress(),
  lamportsIn: 1_000n,
  tier: 'normal',
  terms: {
    amountIn: 1_000n,
    quotedOut: 5n,
    minOut: 4n,
    platformFeeLamports: 1n,
    priceImpactBps: 1,
    slippageBps: 500,
    route: [],
  },
};

describe('own landings in Postgres', () => {
  it('are the newest trades of people that ended by themselves, and whether the price failed them', async () => {
    const verdicts = createVerdictStore(db);
    const AT = Date.UTC(2026, 1, 20, 12);
    const mint = newAddress();
    const { wallet } = await storedPerson(db);
    const pool = (venue: string) => ({ venue, pool: newAddress(), percent: 100, from: null, to: null });
    const store = async (
      at: number,
      change: Partial<Intent> & { readonly venue?: string; readonly slippageBps?: number },
    ): Promise<Intent> => {
      const { venue = 'raydium-cpmm', slippageBps = 500, ...more } = change;
      const terms = { ...BUY.terms, slippageBps, route: [pool(venue)] };
      const row = intentRow(wallet, {
        id: `${firstUlid(at).slice(0, 10)}${newId().slice(10)}`,
        params: { ...BUY, mint, terms },
        status: 'SUCCEEDED',
        updatedAt: at,
        ...more,
      });
      await db.intents.insert(row);
      return row;
    };
    const out = (reason: string | null, details: unknown) => ({ reason, details, receipt: null });
    await store(AT + 1_000, {});
    const retried = await store(AT + 2_000, { venue: 'pump-fun', slippageBps: 1_700 });
    await db.intents.insertAttempt(attemptRow(retried, { n: 1, status: 'LANDED_ERR', chainError: '{}' }));
    await store(AT + 3_000, { status: 'REJECTED', outcome: out('PRICE_MOVED', { minOut: '5', got: '4' }) });
    await store(AT + 4_000, { status: 'FAILED', outcome: out('{"Custom":6001}', { priceMoved: true }) });
    // None of these: another reason, another end, a copy's, an older one.
    await store(AT + 5_000, { status: 'FAILED', outcome: out('{"Custom":1}', { priceMoved: false }) });
    await store(AT + 6_000, { status: 'REJECTED', outcome: out('INSUFFICIENT_LAMPORTS', null) });
    await store(AT + 7_000, { idemKey: 'copy:a:b:0' });
    await store(AT + 8_000, { status: 'EXPIRED' });
    await store(AT - 1_000, {});
    const found = await verdicts.landings(AT, 10);
    const common = { mint, wallet: wallet.address };
    expect(found).toEqual([
      { ...common, isCurve: false, slippageBps: 500, failed: true, at: AT + 4_000 },
      { ...common, isCurve: false, slippageBps: 500, failed: true, at: AT + 3_000 },
      { ...common, isCurve: true, slippageBps: 1_700, failed: true, at: AT + 2_000 },
      { ...common, isCurve: false, slippageBps: 500, failed: false, at: AT + 1_000 },
    ]);
    expect(await verdicts.landings(AT, 2)).toEqual(found.slice(0, 2));
  });

  it('took so many slots from the confirmed quote to the block, by each attempt that landed', async () => {
    const verdicts = createVerdictStore(db);
    const AT = Date.UTC(2026, 2, 20, 12);
    const { wallet } = await storedPerson(db);
    const store = async (at: number, quotedSlot: bigint | null, kind: 'buy' | 'sell' = 'buy') => {
      const { lamportsIn, ...common } = BUY;
      const slot = quotedSlot === null ? {} : { quotedSlot };
      const params: Intent['params'] =
        kind === 'buy' ? { ...BUY, ...slot } : { ...common, ...slot, kind: 'sell', amountIn: lamportsIn };
      const row = intentRow(wallet, {
        id: `${firstUlid(at).slice(0, 10)}${newId().slice(10)}`,
        params,
        kind,
        status: 'SUCCEEDED',
        updatedAt: at,
      });
      await db.intents.insert(row);
      return row;
    };
    const attempt = (row: Intent, n: number, status: Attempt['status'], landedSlot: bigint | null) =>
      db.intents.insertAttempt(attemptRow(row, { n, status, landedSlot }));
    const first = await store(AT + 1_000, 100n);
    await attempt(first, 1, 'LANDED_ERR', 103n);
    await attempt(first, 2, 'FINALIZED', 120n);
    const sold = await store(AT + 2_000, 200n, 'sell');
    await attempt(sold, 1, 'CONFIRMED', 204n);
    // None of these: it did not land, its quote's slot was not kept, it is older.
    await attempt(await store(AT + 3_000, 300n), 1, 'DEAD', null);
    await attempt(await store(AT + 4_000, null), 1, 'FINALIZED', 404n);
    await attempt(await store(AT - 1_000, 500n), 1, 'FINALIZED', 505n);
    expect(await verdicts.landingSlots(AT, 100)).toEqual([4, 20, 3]);
    expect(await verdicts.landingSlots(AT, 2)).toEqual([4, 20]);
  });
});

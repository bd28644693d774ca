import { type Address, toBase58, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { landedTrades } from '../../../src/modules/follows/rules/landed-trade.ts';
import { HISTORY } from '../../../src/modules/follows/rules/leader-history.ts';
import { createHistoryWatch } from '../../../src/modules/follows/use/read-histories.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { followRow } from '../../conformance/follow-store.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const LEADER = newAddress();
const [MINT, OTHER, ACCOUNT, WRAPPED, USDC] = [0, 1, 2, 3, 4].map(() => newAddress()) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const MONEY = [WSOL_MINT, USDC] as const;
const SOL = 1_000_000_000n;
const RENT = 2_039_280n;

const token = (mint: Address, before: bigint, after: bigint, account = ACCOUNT) => ({
  account,
  owner: LEADER,
  mint,
  before,
  after,
});
const landed = (more: Partial<LandedTransaction> = {}): LandedTransaction => ({
  signature: 'sig',
  slot: 5n,
  blockTime: 7,
  err: null,
  feeLamports: 5_000n,
  logs: [],
  signatureCount: 1,
  balances: [
    { address: LEADER, before: 10n * SOL, after: 9n * SOL - RENT - 5_000n },
    { address: ACCOUNT, before: 0n, after: RENT },
  ],
  tokenBalances: [token(MINT, 0n, 70n)],
  ...more,
});
const read = (transaction: LandedTransaction) =>
  landedTrades(transaction, LEADER, { money: MONEY, at: 1, newer: 4 });

describe('a transaction of a followed wallet', () => {
  it('is a purchase at what it gave, fee and rent put back', () => {
    expect(read(landed())).toEqual([
      {
        leader: LEADER,
        signature: 'sig',
        mint: MINT,
        side: 'buy',
        tradeId: -5n,
        at: 1,
        units: 70n,
        paid: { mint: WSOL_MINT, units: SOL },
        takenBack: false,
      },
    ]);
  });

  it('is a sale into wrapped SOL that stays, and one into dollars', () => {
    const wrapped = landed({
      balances: [
        { address: LEADER, before: SOL, after: SOL - 5_000n },
        { address: WRAPPED, before: RENT, after: RENT + 3n * SOL },
      ],
      tokenBalances: [token(MINT, 70n, 0n), token(WSOL_MINT, 0n, 3n * SOL, WRAPPED)],
    });
    expect(read(wrapped)).toMatchObject([{ side: 'sell', units: 70n, paid: { units: 3n * SOL } }]);
    const dollars = landed({
      balances: [{ address: LEADER, before: SOL, after: SOL - 5_000n }],
      tokenBalances: [token(MINT, 70n, 20n), token(USDC, 0n, 9n, WRAPPED)],
    });
    expect(read(dollars)).toMatchObject([{ side: 'sell', units: 50n, paid: { mint: USDC, units: 9n } }]);
  });

  it('is two trades where tokens cross, and none where one is given, got, failed or signed by others', () => {
    const still = [{ address: LEADER, before: SOL, after: SOL - 5_000n }];
    const crossed = landed({
      balances: still,
      tokenBalances: [token(MINT, 9n, 0n), token(OTHER, 0n, 4n, WRAPPED)],
    });
    expect(read(crossed)).toMatchObject([
      { side: 'sell', mint: MINT, paid: null },
      { side: 'buy', mint: OTHER, paid: null },
    ]);
    expect(read(landed({ balances: still }))).toEqual([]);
    expect(
      read(landed({ balances: still, tokenBalances: [token(MINT, 9n, 0n), token(OTHER, 4n, 0n, WRAPPED)] })),
    ).toEqual([]);
    expect(read(landed({ err: '{}' }))).toEqual([]);
    const payer = { address: newAddress(), before: SOL, after: SOL };
    expect(read(landed({ balances: [payer, ...landed().balances] }))).toEqual([]);
  });
});

/** Its funder was searched for: only its past is read. */
async function endSearch(db: Database, leader: Address): Promise<void> {
  await db.follows.beginFunders();
  const search = { leader, funder: null, ended: null, tries: 0, retryAt: null };
  await db.follows.moveFunder(search, { ...search, ended: 'long' });
}

/** A wallet with so many transactions, one an hour, newest first; each third failed. */
async function past(count: number, more: { readonly kept?: number; readonly everyMs?: number } = {}) {
  const [db, clock] = [fakeDatabase(), fakeClock()];
  const { user } = await storedPerson(db);
  await db.follows.insert(followRow(user.id, { leader: LEADER }));
  await endSearch(db, LEADER);
  const now = clock.now();
  const all = Array.from({ length: count }, (_, n) => ({
    signature: toBase58(new Uint8Array(64).fill(1 + (n % 250), 0, 1 + Math.floor(n / 250))),
    slot: BigInt(count - n),
    err: n % 3 === 2 ? '{}' : null,
    memo: null,
    at: now - (n + 1) * (more.everyMs ?? 3_600_000),
  }));
  const reads: string[] = [];
  const calls = { listed: 0 };
  const watch = () =>
    createHistoryWatch({
      db,
      clock,
      money: MONEY,
      isFirst: () => true,
      history: {
        signatures: async (_leader, { before, limit }) => {
          calls.listed += 1;
          const from = before === null ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
          return all.slice(from, from + limit);
        },
      },
      chain: {
        landed: async (signature) => {
          reads.push(signature);
          const n = all.findIndex((one) => one.signature === signature);
          return n < (more.kept ?? count) ? landed({ signature }) : null;
        },
      },
      log: { warn: () => undefined },
    });
  const known = () => db.follows.trades(LEADER, 0, 10_000);
  return { db, watch, reads, calls, known, now, history: () => db.follows.history(LEADER) };
}

describe('the past of a followed wallet', () => {
  it('is read back seven days, page by page within the budget of calls, each trade once', async () => {
    const { watch, reads, calls, known, now, history } = await past(400);
    const one = watch();
    let restMs = 0;
    for (let n = 0; (await history())?.ended !== 'whole'; n += 1) {
      expect(n).toBeLessThan(40);
      const before = reads.length + calls.listed;
      restMs = await one.round();
      // Five calls a second at most.
      expect(restMs).toBeGreaterThanOrEqual(200 * (reads.length + calls.listed - before));
    }
    // 168 hours, two of three succeeded.
    expect(new Set(reads).size).toBe(reads.length);
    expect(reads).toHaveLength(112);
    expect(await known()).toHaveLength(112);
    expect(await history()).toMatchObject({ reached: now - HISTORY.spanMs, reads: 112 });
    expect(await one.round()).toBe(15_000);
    expect(reads).toHaveLength(112);
  });

  it('keeps the order of the chain, also of trades within one second', async () => {
    const { watch, reads, known } = await past(30, { everyMs: 0 });
    for (let n = 0; n < 10; n += 1) await watch().round();
    expect((await known()).map(({ signature }) => signature)).toEqual(reads);
    expect(reads).toHaveLength(20);
  });

  it('goes on after a kill with the page that was not kept', async () => {
    const { db, watch, reads, known, history } = await past(30);
    await watch().round();
    const kept = await known();
    const record = db.transact.bind(db);
    Object.assign(db, { transact: async () => Promise.reject(new Error('killed')) });
    await watch().round();
    Object.assign(db, { transact: record });
    expect(await known()).toEqual(kept);
    const again = watch();
    for (let n = 0; n < 10; n += 1) await again.round();
    expect(await history()).toMatchObject({ ended: 'whole', signatures: 30 });
    expect(await known()).toHaveLength(20);
    // The page of the kill was read twice, and no other.
    expect(reads.length - new Set(reads).size).toBeLessThanOrEqual(10);
    expect(reads.length).toBeGreaterThan(20);
  });

  it('ends at its bounds, and where the node has no more, and says so', async () => {
    const busy = await past(500, { everyMs: 60_000 });
    for (let n = 0; n < 60; n += 1) await busy.watch().round();
    expect(await busy.history()).toMatchObject({ ended: 'reads', reads: HISTORY.reads });
    expect(busy.reads).toHaveLength(HISTORY.reads);
    const pruned = await past(60, { kept: 25 });
    for (let n = 0; n < 10; n += 1) await pruned.watch().round();
    expect(await pruned.history()).toMatchObject({ ended: 'pruned', reached: pruned.now - 25 * 3_600_000 });
    expect(await pruned.known()).toHaveLength(17);
  });
});

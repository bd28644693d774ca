import { type Address, NO_SPEC_EXTENSIONS, WSOL_MINT } from '@tradepost/solana';
import { beforeEach, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Copy, CopyRules } from '../../../src/modules/copying/rules/copy.ts';
import type { OpenTrade } from '../../../src/modules/copying/rules/copy-sale.ts';
import type { CopyTrade } from '../../../src/modules/copying/rules/copy-trade.ts';
import { copyBuy } from '../../../src/modules/copying/use/copy-buy.ts';
import type { CopyDeps } from '../../../src/modules/copying/use/copy-deps.ts';
import { oweSale } from '../../../src/modules/copying/use/copy-sell.ts';
import { skipMany } from '../../../src/modules/copying/use/skip-many.ts';
import type { LeaderTrade } from '../../../src/modules/follows/rules/leader-trade.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { copyRow, copyTradeRow } from '../../conformance/copy-store.ts';
import { leaderTradeRow } from '../../conformance/follow-store.ts';
import { attemptRow, newAddress, storedIntent, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';

const SOL = 1_000_000_000n;
const NOW = Date.UTC(2026, 5, 1, 12);
const [PUP, KOI, HIDDEN] = [newAddress(), newAddress(), newAddress()] as const;

let db: Database;
let of: { readonly userId: string; readonly walletId: string };
let deps: CopyDeps;
beforeEach(async () => {
  db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  of = { userId: user.id, walletId: wallet.id };
  await db.positions.setHidden(wallet.id, HIDDEN, true);
  deps = depsOf(db);
});

const MADE = {
  signature: 'made',
  spec: {
    program: 'token',
    name: 'Pup',
    symbol: 'PUP',
    decimals: 6,
    supply: 1n,
    mintTo: newAddress(),
    mintAuthority: false,
    freezeAuthority: false,
    updateAuthority: false,
    extensions: NO_SPEC_EXTENSIONS,
  },
  way: 'native',
  uri: 'https://desk.example/metadata/x.json',
  metadataHash: null,
  createdAt: NOW,
  revocations: {},
} as const;

/** Every purchase that is judged to be one meets a market without a route. */
const depsOf = (of: Database): CopyDeps =>
  ({
    db: of,
    clock: { now: () => NOW },
    trade: { hubs: [WSOL_MINT] },
    solPrice: async () => 150_000_000n,
    landed: async () => null,
    quote: async () => {
      throw new AppError('NO_ROUTE', { mintIn: WSOL_MINT, mintOut: PUP });
    },
  }) as unknown as CopyDeps;

async function copyWith(rules: Partial<CopyRules> = {}, more: Partial<Copy> = {}): Promise<Copy> {
  const plain = copyRow(of, { since: NOW - 60_000, ...more });
  const copy = { ...plain, rules: { ...plain.rules, ...rules } };
  await db.copies.insert(PASSED, copy);
  return copy;
}

const tradeOf = (copy: Copy, more: Partial<LeaderTrade> = {}): LeaderTrade =>
  leaderTradeRow({
    leader: copy.leader,
    mint: PUP,
    at: NOW - 1_000,
    paid: { mint: WSOL_MINT, units: SOL },
    ...more,
  });

const bought = async (copy: Copy, mint: Address, amount: bigint): Promise<void> => {
  const row = copyTradeRow(copy, tradeOf(copy, { mint }), {
    status: 'BOUGHT',
    amount,
    moved: 1n,
    seenAt: NOW - 5,
  });
  await db.copies.decide(row);
};

/** One trade for each answer that needs no market. */
async function oneOfEach(): Promise<ReadonlyMap<string, OpenTrade>> {
  const open = new Map<string, OpenTrade>();
  const add = (reason: string, copy: Copy, more: Partial<LeaderTrade> = {}): void => {
    open.set(reason, { copyId: copy.id, trade: tradeOf(copy, more) });
  };
  add('late', await copyWith(), { at: NOW - 15_001 });
  add('paused', await copyWith({}, { status: 'PAUSED', reason: 'person' }));
  add('base', await copyWith(), { mint: WSOL_MINT });
  const intent = await storedIntent(db);
  const maker = await copyWith();
  const made = newAddress();
  await db.createdTokens.insert({ ...MADE, ...of, mint: made, creator: maker.leader, intentId: intent.id });
  add('leader-made', maker, { mint: made });
  const other = await copyWith();
  await db.copies.decide(copyTradeRow(other, tradeOf(other), { intentId: intent.id }));
  const attempt = attemptRow(intent);
  await db.intents.insertAttempt(attempt);
  add('copied', await copyWith(), { signature: attempt.signature });
  add('hidden', await copyWith(), { mint: HIDDEN });
  const holder = await copyWith({ each: false });
  await bought(holder, PUP, 5n);
  add('bought-before', holder);
  add('unpriced', await copyWith(), { paid: null });
  add('leader-small', await copyWith({ leastLamports: 2n * SOL }));
  add('dust', await copyWith({ size: { kind: 'share', percent: 1 } }), {
    paid: { mint: WSOL_MINT, units: SOL / 2n },
  });
  add('trade-cap', await copyWith({ size: { kind: 'fixed', lamports: SOL }, tradeLamports: SOL / 2n }));
  const spender = await copyWith({ dayLamports: SOL });
  await bought(spender, KOI, SOL);
  add('day-cap', spender);
  const spent = await copyWith({ dayLamports: 2n * SOL, totalLamports: SOL });
  await bought(spent, KOI, SOL);
  add('total-cap', spent);
  add('no-route', await copyWith());
  add('not-held', await copyWith(), { side: 'sell', at: NOW - 90_000 });
  const seller = await copyWith();
  await bought(seller, PUP, 5n);
  add('a sale', seller, { side: 'sell', at: NOW - 90_000 });
  return open;
}

const LEFT = ['total-cap', 'no-route', 'a sale'];

it('skips for the reason for which each would be skipped by itself, and leaves the rest', async () => {
  const open = await oneOfEach();
  const left = await skipMany(deps, [...open.values()]);
  expect([...open].filter(([, one]) => left.includes(one)).map(([reason]) => reason)).toEqual(LEFT);
  const together = new Map<string, CopyTrade | null>();
  const found = async ({ copyId, trade }: OpenTrade): Promise<CopyTrade | null> =>
    (await db.copies.latest(copyId, 10)).find(({ signature }) => signature === trade.signature) ?? null;
  for (const [reason, one] of open) together.set(reason, await found(one));
  for (const reason of LEFT) expect(together.get(reason), reason).toBeNull();
  // The same trades, of other transactions, one by one.
  for (const [reason, { copyId, trade }] of open) {
    if (LEFT.includes(reason)) continue;
    const copy = await db.copies.find(copyId);
    if (copy === null) throw new Error('it is there');
    const again = reason === 'copied' ? trade : { ...trade, signature: newAddress() };
    const row = together.get(reason) ?? null;
    expect(row?.skip?.reason).toBe(reason);
    if (reason === 'copied') continue;
    await (trade.side === 'buy' ? copyBuy(deps, copy, again) : oweSale(deps, copy, again));
    expect({ ...(await found({ copyId, trade: again })), signature: trade.signature }).toEqual(row);
  }
});

it('decides nothing twice, and nothing of a copy that another transaction has locked or that is over', async () => {
  const open = await oneOfEach();
  const small = open.get('leader-small');
  if (small === undefined) throw new Error('it is there');
  const before = { ...db, transact: db.transact.bind(db) };
  const locked: Database = {
    ...before,
    transact: (work) =>
      db.transact((stores) => work({ ...stores, copies: { ...stores.copies, lockFree: async () => [] } })),
  };
  expect(await skipMany(depsOf(locked), [small])).toEqual([small]);
  expect(await db.copies.latest(small.copyId, 5)).toEqual([]);
  expect(await skipMany(deps, [small])).toEqual([]);
  expect(await skipMany(deps, [small])).toEqual([]);
  expect(await db.copies.latest(small.copyId, 5)).toHaveLength(1);
  const over = open.get('dust');
  const copy = over === undefined ? null : await db.copies.find(over.copyId);
  if (over === undefined || copy === null) throw new Error('it is there');
  await db.copies.save(PASSED, { ...copy, status: 'ENDED', reason: null });
  expect(await skipMany(deps, [over])).toEqual([over]);
  expect(await db.copies.latest(over.copyId, 5)).toEqual([]);
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { ConfirmedIntent } from '../../../src/engine/intents/rules/confirmation.ts';
import { OPEN_INTENT_STATUSES } from '../../../src/engine/intents/rules/intent.ts';
import {
  COPY_DEFAULTS,
  type Copy,
  type CopyRules,
  copyFacts,
} from '../../../src/modules/copying/rules/copy.ts';
import { copyKey, legOf } from '../../../src/modules/copying/rules/copy-trade.ts';
import type { OrderFacts } from '../../../src/modules/orders/rules/order-facts.ts';
import { legsDraft } from '../../../src/modules/orders/use/bracket.ts';
import { newGroup } from '../../../src/modules/orders/use/draft.ts';
import { exitDrafts } from '../../../src/modules/orders/use/exit-drafts.ts';
import { NO_EXITS } from '../../../src/modules/settings/rules/exit-set.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { copyRow, copyTradeRow } from '../../conformance/copy-store.ts';
import { leaderTradeRow } from '../../conformance/follow-store.ts';
import { intentRow, NOW, newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { TEST_CERTIFIER, testSigner } from '../../support/signer.ts';
import { PARAMS } from '../intents/build.ts';

const SOL = 1_000_000_000n;
const PIN = '739154';
const MINT = newAddress();
const RULES: CopyRules = {
  ...COPY_DEFAULTS,
  tradeLamports: SOL,
  dayLamports: 2n * SOL,
  totalLamports: 3n * SOL,
  exits: NO_EXITS,
};

let db: Database;
let vault: Vault;
let copy: Copy;
let now = NOW;

beforeEach(async () => {
  now = NOW;
  db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  const guard = await db.guards.find(user.id);
  await db.guards.save({ ...guard, pinHash: await fakePins().hash(PIN, user.id), pinSetAt: 0 }, PASSED);
  vault = testSigner({ db, clock: { ...fakeClock, now: () => now } });
  const of = { userId: user.id, walletId: wallet.id };
  const row = copyRow(of, { rules: RULES, lockEpoch: 0, until: NOW + 86_400_000, certificate: null });
  copy = { ...row, certificate: await vault.mandateCopy({ copy: copyFacts(row), pin: PIN }) };
  await db.copies.insert(PASSED, copy);
});

const fakeClock = { now: () => NOW } as Parameters<typeof testSigner>[0]['clock'];

const buyOf = (lamports: bigint, more: Partial<ConfirmedIntent> = {}): ConfirmedIntent => ({
  id: newId(),
  idemKey: copyKey({ copyId: copy.id, signature: newId(), leg: legOf({ side: 'buy', mint: MINT }) }),
  userId: copy.userId,
  walletId: copy.walletId,
  params: {
    ...PARAMS.buy,
    mint: MINT,
    lamportsIn: lamports,
    terms: { ...PARAMS.buy.terms, amountIn: lamports, quotedOut: 1_000n, minOut: 900n },
  },
  ...more,
});
const sellOf = (units: bigint, minOut = 900n): ConfirmedIntent => ({
  ...buyOf(0n),
  idemKey: copyKey({ copyId: copy.id, signature: newId(), leg: legOf({ side: 'sell', mint: MINT }) }),
  params: {
    ...PARAMS.sell,
    mint: MINT,
    amountIn: units,
    terms: { ...PARAMS.sell.terms, amountIn: units, quotedOut: 1_000n, minOut },
  },
});
const confirm = (request: ConfirmedIntent, orders: readonly OrderFacts[] = []) =>
  vault.confirmCopy({ request, orders });
const DENIED = { code: 'POLICY_DENIED', details: { rule: 'copy-mandate' } };
/** Writes what a thief of the database would. */
const forge = (change: Partial<Copy>) => db.copies.save(PASSED, { ...copy, ...change });

describe('the mandate of a copy', () => {
  it('lets a purchase within it pass, up to its caps', async () => {
    await expect(confirm(buyOf(SOL))).resolves.toMatchObject({ certificates: [] });
    await expect(confirm(buyOf(SOL + 1n))).rejects.toMatchObject(DENIED);
  });

  it('is given for the PIN itself alone, and without it for less', async () => {
    const facts = copyFacts(copy);
    await expect(vault.mandateCopy({ copy: { ...facts, id: newId() }, pin: null })).rejects.toMatchObject({
      code: 'PIN_REQUIRED',
    });
    await expect(vault.mandateCopy({ copy: facts, pin: '111222' })).rejects.toMatchObject({
      code: 'PIN_WRONG',
    });
    const less = { ...facts, rules: { ...RULES, tradeLamports: SOL / 2n } };
    expect(await vault.mandateCopy({ copy: less, pin: null })).toBe(TEST_CERTIFIER.copy(less));
    for (const wider of [
      { ...facts, rules: { ...RULES, tradeLamports: SOL + 1n } },
      { ...facts, rules: { ...RULES, young: true } },
      { ...facts, until: facts.until + 1 },
      { ...facts, lockEpoch: 1 },
    ])
      await expect(vault.mandateCopy({ copy: wider, pin: null })).rejects.toMatchObject({
        code: 'PIN_REQUIRED',
      });
    const long = { ...facts, until: NOW + 31 * 86_400_000 };
    await expect(vault.mandateCopy({ copy: long, pin: PIN })).rejects.toMatchObject(DENIED);
    const other = await storedPerson(db);
    const foreign = { ...facts, walletId: other.wallet.id };
    await expect(vault.mandateCopy({ copy: foreign, pin: PIN })).rejects.toMatchObject({
      details: { rule: 'foreign-wallet' },
    });
  });

  it('is no other row’s: a cap that was raised there, another wallet, leader or end signs nothing', async () => {
    for (const change of [
      { rules: { ...RULES, tradeLamports: 100n * SOL, dayLamports: 100n * SOL, totalLamports: 100n * SOL } },
      { until: NOW + 90 * 86_400_000 },
      { lockEpoch: 1 },
      { certificate: null },
    ]) {
      expect(await forge(change)).toBe(true);
      await expect(confirm(buyOf(SOL))).rejects.toMatchObject({ code: 'ROW_FORGED' });
      copy = { ...copy, version: copy.version + 1 };
    }
  });

  it('ends with its time, a lock of trades, a new PIN, and a pause', async () => {
    now = copy.until;
    await expect(confirm(buyOf(SOL))).rejects.toMatchObject(DENIED);
    now = NOW;
    await forge({ status: 'PAUSED', reason: 'person' });
    await expect(confirm(buyOf(SOL))).rejects.toMatchObject(DENIED);
    copy = { ...copy, version: 2 };
    await forge({});
    const guard = await db.guards.find(copy.userId);
    await db.guards.save({ ...guard, lockEpoch: guard.lockEpoch + 1 }, PASSED);
    await expect(confirm(buyOf(SOL))).rejects.toMatchObject(DENIED);
  });

  it('counts the rows of other purchases, of a day and in all', async () => {
    const row = (more: object) =>
      db.copies.decide(copyTradeRow(copy, leaderTradeRow({ leader: copy.leader, mint: MINT }), more));
    await row({ status: 'BOUGHT', amount: SOL, seenAt: NOW - 2 * 86_400_000 });
    await expect(confirm(buyOf(SOL))).resolves.toBeDefined();
    await row({ status: 'BUYING', amount: SOL + 1n, seenAt: NOW });
    await expect(confirm(buyOf(SOL))).rejects.toMatchObject(DENIED);
    await row({ status: 'BOUGHT', amount: SOL, seenAt: NOW - 2 * 86_400_000 });
    await expect(confirm(buyOf(SOL / 2n))).rejects.toMatchObject(DENIED);
  });

  it('is of the very trade that the key names, and a tap cannot borrow the key', async () => {
    const other = buyOf(SOL, {
      idemKey: copyKey({ copyId: copy.id, signature: 's', leg: legOf({ side: 'buy', mint: newAddress() }) }),
    });
    await expect(confirm(other)).rejects.toMatchObject(DENIED);
    await expect(confirm(buyOf(SOL, { idemKey: 'auto-1' }))).rejects.toMatchObject(DENIED);
    await expect(confirm(buyOf(SOL, { idemKey: 'copy:unknown:s:buy-x' }))).rejects.toMatchObject(DENIED);
    const stranger = await storedPerson(db);
    await expect(confirm(buyOf(SOL, { walletId: stranger.wallet.id }))).rejects.toMatchObject(DENIED);
    await expect(vault.confirm(buyOf(SOL), null)).rejects.toMatchObject(DENIED);
  });

  it('sells no more than its purchases were quoted, and not below 75 %', async () => {
    await expect(confirm(sellOf(1n))).rejects.toMatchObject(DENIED);
    const request = buyOf(SOL);
    const intent = await storedBuy(request);
    const trade = leaderTradeRow({ leader: copy.leader, mint: MINT });
    await db.copies.decide(copyTradeRow(copy, trade, { intentId: intent, status: 'BOUGHT', moved: 5_000n }));
    // The row says 5,000 arrived: the quote that was sealed with the purchase counts, twice over.
    await expect(confirm(sellOf(2_000n))).resolves.toBeDefined();
    await expect(confirm(sellOf(2_001n))).rejects.toMatchObject(DENIED);
    await expect(confirm(sellOf(2_000n, 749n))).rejects.toMatchObject(DENIED);
  });

  it.each([...OPEN_INTENT_STATUSES, 'SUCCEEDED', 'NEEDS_REVIEW', 'REJECTED', 'EXPIRED'] as const)(
    'counts a purchase that is %s for its sales where it may have landed',
    async (status) => {
      const request = buyOf(SOL);
      const wallet = await db.wallets.find(copy.walletId);
      if (wallet === null) throw new Error('there is a wallet');
      const { id, idemKey, params } = request;
      await db.intents.insert(intentRow(wallet, { id, idemKey, params, kind: params.kind, status }));
      const trade = leaderTradeRow({ leader: copy.leader, mint: MINT });
      await db.copies.decide(copyTradeRow(copy, trade, { intentId: id, status: 'BOUGHT', moved: 1_000n }));
      const sale = confirm(sellOf(1_000n));
      if (['ACTIVE', 'SUCCEEDED', 'NEEDS_REVIEW'].includes(status)) await expect(sale).resolves.toBeDefined();
      else await expect(sale).rejects.toMatchObject(DENIED);
    },
  );

  it('certifies the agreed exits of a purchase and no others', async () => {
    const exits = { takes: [{ atBps: 10_000, shareBps: 5_000 }], stopBps: 3_000, trailBps: null };
    const wanted = { ...copy, rules: { ...RULES, exits } };
    const certificate = await vault.mandateCopy({ copy: copyFacts(wanted), pin: PIN });
    await forge({ rules: wanted.rules, certificate });
    const request = buyOf(SOL);
    const legs = exitsOf(exits);
    const { certificates } = await confirm(request, legs);
    expect(certificates).toEqual(legs.map((leg) => TEST_CERTIFIER.order(leg)));
    const [take, stop] = legs;
    if (take === undefined || stop === undefined) throw new Error('two legs');
    for (const planted of [
      [take],
      [take, stop, stop],
      [take, { ...stop, mint: newAddress() }],
      [take, { ...stop, terms: { ...stop.terms, floor: { got: 0n, given: 1n } } }],
      [{ ...take, trigger: { got: 1n, given: 1n } }, stop],
      [take, { ...stop, amount: { kind: 'fixed', units: 10n ** 18n } as const }],
      [take, { ...stop, expiresAt: NOW + 400 * 86_400_000 }],
      [{ ...take, side: 'buy' as const }, stop],
    ])
      await expect(confirm(request, planted)).rejects.toMatchObject(DENIED);
  });
});

async function storedBuy({ id, idemKey, params }: ConfirmedIntent): Promise<string> {
  const wallet = await db.wallets.find(copy.walletId);
  if (wallet === null) throw new Error('there is a wallet');
  await db.intents.insert(intentRow(wallet, { id, idemKey, params, kind: params.kind, status: 'ACTIVE' }));
  return id;
}

function exitsOf(exits: CopyRules['exits']): readonly OrderFacts[] {
  const price = { got: SOL, given: 1_000n };
  const { userId, walletId } = copy;
  const bought = {
    userId,
    walletId,
    placeKey: 'k',
    mint: MINT,
    slippageBps: 500,
    tier: 'normal' as const,
    accepted: [],
  };
  const legs = { drafts: exitDrafts(exits, price), expiresAt: NOW + 7 * 86_400_000 };
  const made = { now: NOW, depthLamports: null, id: () => newId() };
  return newGroup(legsDraft(bought, legs, ''), made).orders.map((order) => {
    const { lockEpoch } = copy;
    const grants = { steep: true, doubts: [], lockEpoch, until: order.expiresAt };
    return { ...order, terms: { ...order.terms, grants: order.type === 'TAKE_PROFIT' ? null : grants } };
  });
}

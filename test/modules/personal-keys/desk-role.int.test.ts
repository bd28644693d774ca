import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { LOCAL_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import {
  assertProgramMaySpend,
  createSpendingIntent,
} from '../../../src/modules/guard/use/guard-spending.ts';
import { passGate } from '../../../src/modules/guard/use/pass-gate.ts';
import { reduceOrders } from '../../../src/modules/orders/rules/machine.ts';
import { endOrder } from '../../../src/modules/personal-keys/use/end-order.ts';
import { createProgramDesk } from '../../../src/modules/personal-keys/use/program-desk.ts';
import { type KeyTradeDeps, tradeByKey } from '../../../src/modules/personal-keys/use/trade-by-key.ts';
import { createFeeDiscount } from '../../../src/modules/points/use/fee-discount.ts';
import type { TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import { personalKeyCheck } from '../../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../../src/platform/chain/signature-checks.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import type { Query } from '../../../src/platform/db/connection.ts';
import { DATABASE_ROLES } from '../../../src/platform/db/grants.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { rolesPlan } from '../../../src/platform/db/roles.ts';
import { addedProgram, type Program, signedHeaders } from '../../api/program.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { keyUseRow } from '../../conformance/personal-key-store.ts';
import { intentRow, newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { PARAMS } from '../../engine/intents/build.ts';
import { TERMS as KEY_TERMS, paramsOf, TRADE } from '../../engine/signing/keyed-rig.ts';
import { virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';
import { CONFIRMS, TEST_CERTIFIER } from '../../support/signer.ts';

const NOW = 1_700_000_000_000;
const PREFIX = `d${inject('templateName').slice(-8)}_`;
const PASSWORD = 'of this run';
const READS = { rights: ['read'], orderLamports: 1n, dayLamports: 1n, tokens: null, ips: null } as const;

let url: string;
/** The tables as their owner, and as the process of the API sees them. */
let all: PrismaDatabase;
let api: PrismaDatabase;
beforeAll(async () => {
  url = await createTestDatabase();
  all = await createPrismaDatabase({ url });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const query: Query = async <Row>(text: string, values: readonly unknown[]) =>
    (await owner.query(text, [...values])).rows as Row[];
  const passwords = new Map(DATABASE_ROLES.map((role) => [role, PASSWORD] as const));
  for (const statement of await rolesPlan(query, { prefix: PREFIX, passwords })) await owner.query(statement);
  await owner.end();
  const own = new URL(url);
  own.username = `${PREFIX}api`;
  own.password = encodeURIComponent(PASSWORD);
  api = await createPrismaDatabase({ url: own.href });
});
afterAll(async () => {
  await Promise.all([all.close(), api.close()]);
  for (const role of DATABASE_ROLES) {
    await administer(url, `DROP OWNED BY ${PREFIX}${role}`);
    await administer(url, `DROP ROLE ${PREFIX}${role}`);
  }
});

it('the process of the API admits a signed request and reads all of it with its own rights, once over two processes', async () => {
  const { user, wallet } = await storedPerson(all);
  const by = await addedProgram(
    all,
    { userId: user.id, walletId: wallet.id },
    {
      until: NOW + 1_000_000,
      terms: READS,
    },
  );
  const mint = newAddress();
  await all.positions.record([
    {
      walletId: wallet.id,
      mint,
      signature: 'bought',
      slot: 5n,
      at: NOW,
      final: true,
      intentId: null,
      networkFeeLamports: 0n,
      platformFeeLamports: 0n,
      rentLamports: 0n,
      kind: 'buy',
      units: 9n,
      flowLamports: -90n,
    },
  ]);
  const desk = createProgramDesk({
    db: api,
    clock: { now: () => NOW },
    signatureChecks: createSignatureChecks(),
    isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
    endOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
    makeTrade: async () => Promise.reject(new AppError('INTENT_NOT_FOUND', {})),
    placeOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
    log: { error: () => undefined },
  });
  const headers = signedHeaders(by, NOW, { url: '/desk/positions' });
  const admit = () =>
    desk.admit(
      {
        method: 'GET',
        path: '/desk/positions',
        query: '?',
        signatureInput: headers['signature-input'],
        signature: headers['signature'],
        contentDigest: headers['content-digest'],
        body: new Uint8Array(),
        ip: '203.0.113.7',
      },
      'read',
    );
  const admitted = await Promise.all([admit(), admit(), admit()]);
  expect(admitted.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
  expect(admitted.filter((one) => one.kind === 'refused' && one.why === 'replayed')).toHaveLength(2);
  expect(await desk.positions(by.key)).toMatchObject([{ mint, units: 9n, cost: 90n }]);
  expect(await desk.trades(by.key, { limit: 5, before: null })).toEqual([]);
  expect(await desk.orders(by.key)).toEqual([]);
});

describe('the process of the API ends an order of a key with its own rights', () => {
  async function placed() {
    const { user, wallet } = await storedPerson(all);
    const of = { userId: user.id, walletId: wallet.id };
    const by = await addedProgram(all, of, {
      until: NOW + 1_000_000,
      terms: { ...READS, rights: ['orders'] },
    });
    const group = { id: newId(), ...of, mint: newAddress() };
    const inserted = await all.orders.insert(PASSED, {
      ...group,
      placeKey: newId(),
      parentIntentId: null,
      createdAt: NOW,
      kind: 'SINGLE',
      units: 1_000n,
      sold: 0n,
      orders: [orderRow(group)],
      liveFires: [],
    });
    if (inserted === null) throw new Error('not placed');
    return { by, wallet, group: inserted, orderId: inserted.orders[0]?.id ?? '' };
  }
  const quiet = () => undefined;
  const end = (by: Program, orderId: string) =>
    endOrder(
      { ...virtualDeps(virtualWorld(), api), ids: randomIds(() => NOW), ordersChanged: quiet, nudge: quiet },
      by.key,
      orderId,
    );

  it('one that waits', async () => {
    const { by, orderId } = await placed();
    expect(await end(by, orderId)).toMatchObject({
      kind: 'ended',
      order: { status: 'CANCELLED' },
      sent: false,
    });
  });

  it('one whose fire is not signed yet: its intent is called off, too', async () => {
    const { by, wallet, group, orderId } = await placed();
    const params = { ...PARAMS.sell, mint: group.mint, order: { id: orderId, n: 1 } };
    const intent = intentRow(wallet, { id: newId(), idemKey: newId(), kind: 'sell', params });
    await all.intents.insert(intent);
    const fired = reduceOrders(group, {
      kind: 'fired',
      orderId,
      intentId: intent.id,
      units: 500n,
      slot: 10n,
      held: 1_000n,
      quoted: 7n,
      at: NOW,
    });
    await all.transact(async ({ orders }) => {
      await orders.write(PASSED, fired.group, fired.writes);
      for (const effect of fired.effects)
        if (effect.kind === 'create-intent') await orders.addFire(effect.fire);
    });
    expect((await all.orders.find(orderId))?.liveFires).toHaveLength(1);
    expect(await end(by, orderId)).toMatchObject({ kind: 'ended', sent: false });
    expect((await all.intents.find(intent.id))?.status).toBe('CANCELLED');
  });
});

describe('the process of the API writes a trade of a key with its own rights', () => {
  const clock = { now: () => NOW };
  const trade = { ...TRADE, idempotencyKey: newId() };

  it('once, counts it, and reads what its quote and its judge ask for', async () => {
    const { user, wallet } = await storedPerson(all);
    const of = { userId: user.id, walletId: wallet.id };
    const by = await addedProgram(all, of, { until: NOW + 1_000_000, terms: { ...KEY_TERMS } });
    expect(await createFeeDiscount({ db: api, clock })(wallet.address)).toBe(0);
    const spending = {
      ...virtualDeps(virtualWorld(), api),
      ids: randomIds(() => NOW),
      clock,
      guardRules: LOCAL_RULES,
      doubtToken: async () => [],
      usualPrice: async () => null,
    };
    const params = paramsOf(trade);
    const terms = 'terms' in params ? params.terms : PARAMS.buy.terms;
    const quote = {
      side: 'buy' as const,
      token: { mint: trade.mint },
      terms,
      tier: trade.priority,
      safety: { level: 'OK' },
      quotedAt: NOW,
    } as unknown as TradeQuote;
    const deps = {
      ...spending,
      db: api,
      needsReferralAccount: false,
      vault: { confirmKeyed: async () => 'confirmed' },
      quote: async () => quote,
      assertMaySpend: (asked: Parameters<typeof assertProgramMaySpend>[1]) =>
        assertProgramMaySpend(spending, asked),
      createSpendingIntent: (input: Parameters<typeof createSpendingIntent>[1]) =>
        createSpendingIntent({ ...spending, vault: CONFIRMS }, input),
    } as unknown as KeyTradeDeps;
    const signed = { signatureInput: '', signature: '', body: new Uint8Array() };
    const made = await tradeByKey(deps, by.key, { trade, signed });
    expect(made).toMatchObject({ kind: 'trade', created: true, intent: { status: 'CREATED', ...of } });
    expect((await all.guards.sumsSince(user.id, NOW - 1)).k).toBeGreaterThanOrEqual(trade.amount);
    expect(await tradeByKey(deps, by.key, { trade, signed })).toMatchObject({
      kind: 'trade',
      created: false,
    });
    expect(await tradeByKey(deps, by.key, { trade: { ...trade, amount: 1n }, signed })).toEqual({
      kind: 'conflict',
    });
    expect(await api.referrals.account(user.id)).toBeNull();
    // The signer alone says that a key was used.
    await expect(api.personalKeys.addUse(keyUseRow(by.key))).rejects.toThrow();
  });
});

it('the process of the API writes the rows of an order of a key with its own rights, and its gate counts it', async () => {
  const { user, wallet } = await storedPerson(all);
  const group = { id: newId(), userId: user.id, walletId: wallet.id, mint: newAddress() };
  const placeKey = newId();
  const gate = { clock: { now: () => NOW }, ids: randomIds(() => NOW), guardRules: LOCAL_RULES };
  const inserted = await api.transact(async (stores) => {
    const passed = await passGate(stores, gate, { act: 'order-place', userId: user.id });
    return stores.orders.insert(passed, {
      ...group,
      placeKey,
      parentIntentId: null,
      createdAt: NOW,
      kind: 'SINGLE',
      units: null,
      sold: 0n,
      orders: [orderRow(group)],
      liveFires: [],
    });
  });
  if (inserted === null) throw new Error('not placed');
  const joining = { placeKey: newId(), orders: [orderRow(group)] };
  expect((await api.orders.join(PASSED, inserted, joining))?.orders).toHaveLength(2);
  expect((await api.orders.findByPlaceKey(placeKey))?.id).toBe(group.id);
  expect(await all.guards.actsSince({ userId: user.id }, 'order', NOW - 1)).toHaveLength(1);
});

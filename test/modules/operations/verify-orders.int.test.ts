import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { verifyOrders } from '../../../src/modules/operations/use/verify-orders.ts';
import type { OrderGroup } from '../../../src/modules/orders/rules/order.ts';
import { createOrderBooks } from '../../../src/modules/orders/store/order-audit.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { attemptRow, intentRow, NOW, newAddress, newId, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';

const MINT = newAddress();
let db: PrismaDatabase;
let wallet: Wallet;
let group: OrderGroup;
let intent: Intent;
let landed: LandedTransaction;

const books = () => createOrderBooks(db.query);
const rules = async () =>
  (await verifyOrders({ books: books(), chain: null, tape: null })).mismatches.map(({ rule }) => rule);
/** Runs the statement, gives what is found, and takes it back. */
async function planted(statement: string, back: string): Promise<readonly string[]> {
  await db.query(statement, []);
  const found = await rules();
  await db.query(back, []);
  return found;
}

beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
  const person = await storedPerson(db);
  wallet = person.wallet;
  const id = newId();
  const own = { id, userId: person.user.id, walletId: wallet.id, mint: MINT };
  const order = orderRow(own, {
    id: newId(),
    side: 'buy',
    type: 'LIMIT',
    status: 'FILLED',
    amount: { kind: 'fixed', units: 500n },
    filled: 500n,
    received: 70n,
    fires: 1,
  });
  const inserted = await db.orders.insert(PASSED, {
    ...own,
    kind: 'SINGLE',
    units: 500n,
    sold: 0n,
    placeKey: newId(),
    parentIntentId: null,
    createdAt: NOW,
    orders: [order],
    liveFires: [],
  });
  if (inserted === null) throw new Error('not inserted');
  group = inserted;
  intent = intentRow(wallet, { idemKey: `order:${order.id}:1` });
  await db.intents.insert(intent);
  await db.query(`UPDATE intents SET status = 'SUCCEEDED' WHERE id = '${intent.id}' RETURNING id`, []);
  const attempt = attemptRow(intent, { status: 'FINALIZED' });
  await db.intents.insertAttempt(attempt);
  await db.orders.addFire({
    orderId: order.id,
    n: 1,
    groupId: group.id,
    intentId: intent.id,
    units: 500n,
    slot: 9n,
    quoted: 71n,
    firedAt: NOW,
    end: null,
  });
  await db.orders.endFire(order.id, 1, {
    at: NOW + 5,
    result: 'settled',
    given: 500n,
    got: 70n,
    burntLamports: 0n,
    reason: null,
  });
  landed = {
    signature: attempt.signature,
    err: null,
    tokenBalances: [{ account: newAddress(), owner: wallet.address, mint: MINT, before: 1n, after: 71n }],
  } as unknown as LandedTransaction;
});
afterAll(() => db.close());

describe('verifying orders', () => {
  it('finds nothing where everything fits, on the chain as well', async () => {
    const verdict = await verifyOrders({
      books: books(),
      chain: { landed: async () => landed },
      tape: null,
    });
    expect(verdict).toEqual({ mismatches: [], orders: 1, fires: 1, compared: 1, events: 0 });
  });

  it('does not compare what the node has forgotten', async () => {
    const verdict = await verifyOrders({ books: books(), chain: { landed: async () => null }, tape: null });
    expect(verdict).toMatchObject({ mismatches: [], compared: 0 });
  });

  it('sees what the chain says otherwise', async () => {
    const [balance] = landed.tokenBalances;
    if (balance === undefined) throw new Error('no balance');
    const other = { ...landed, tokenBalances: [{ ...balance, after: 70n }] };
    for (const said of [other, { ...landed, err: 'Custom:6001' } as LandedTransaction]) {
      const { mismatches } = await verifyOrders({
        books: books(),
        chain: { landed: async () => said },
        tape: null,
      });
      expect(mismatches.map(({ rule }) => rule)).toEqual(['order-chain']);
    }
  });

  it('takes every end of an intent without effect for a fire that is void', async () => {
    const ended = (fire: string, order: string, status: string) => [
      `UPDATE order_fires SET result = '${fire}' WHERE intent_id = '${intent.id}' RETURNING n`,
      `UPDATE orders SET ${order} WHERE id = '${group.orders[0]?.id}' RETURNING id`,
      `UPDATE intents SET status = '${status}' WHERE id = '${intent.id}' RETURNING id`,
    ];
    for (const status of ['FAILED', 'REJECTED', 'EXPIRED', 'CANCELLED']) {
      for (const statement of ended('voided', 'filled = 0, received = 0', status))
        await db.query(statement, []);
      expect(await rules(), status).toEqual([]);
    }
    for (const statement of ended('settled', 'filled = 500, received = 70', 'SUCCEEDED'))
      await db.query(statement, []);
  });

  it('sees each planted difference', async () => {
    const order = `WHERE id = '${group.orders[0]?.id}' RETURNING id`;
    const fire = `WHERE intent_id = '${intent.id}' RETURNING n`;
    const own = `WHERE id = '${intent.id}' RETURNING id`;
    expect(
      await planted(`UPDATE orders SET fires = 2 ${order}`, `UPDATE orders SET fires = 1 ${order}`),
    ).toEqual(['order-fires']);
    expect(
      await planted(
        `UPDATE orders SET status = 'TRIGGERED' ${order}`,
        `UPDATE orders SET status = 'FILLED' ${order}`,
      ),
    ).toEqual(['order-live']);
    expect(
      await planted(`UPDATE orders SET filled = 499 ${order}`, `UPDATE orders SET filled = 500 ${order}`),
    ).toEqual(['order-filled']);
    expect(
      await planted(
        `UPDATE intents SET status = 'FAILED' ${own}`,
        `UPDATE intents SET status = 'SUCCEEDED' ${own}`,
      ),
    ).toEqual(['order-end']);
    expect(
      await planted(
        `UPDATE intents SET idem_key = 'order:other:1' ${own}`,
        `UPDATE intents SET idem_key = '${intent.idemKey}' ${own}`,
      ),
    ).toEqual(['order-intent']);
    expect(
      await planted(
        `UPDATE order_fires SET result = 'voided' ${fire}`,
        `UPDATE order_fires SET result = 'settled' ${fire}`,
      ),
    ).toEqual(['order-end', 'order-filled']);
    expect(
      await planted(
        `UPDATE order_groups SET sold = 501 WHERE id = '${group.id}' RETURNING id`,
        `UPDATE order_groups SET sold = 0 WHERE id = '${group.id}' RETURNING id`,
      ),
    ).toEqual(['order-group']);
    const stray = intentRow(wallet, { idemKey: 'order:nobody:1' });
    await db.intents.insert(stray);
    expect(await planted('SELECT 1', 'SELECT 1')).toEqual(['order-unknown']);
  });

  it('reads the event of a fire as it was written', async () => {
    expect(await books().eventFires('', 10)).toEqual([]);
    const id = newId();
    const own = { id, userId: wallet.userId ?? '', walletId: wallet.id, mint: newAddress() };
    const event = { kind: 'liquidity-falls', fallBps: 5_000, liquidity: 10n ** 25n, onCurve: false } as const;
    const plain = orderRow(own, {
      id: newId(),
      side: 'sell',
      type: 'LIQUIDITY_FALLS',
      status: 'TRIGGERED',
      fires: 1,
    });
    const order = { ...plain, trigger: null, terms: { ...plain.terms, event } };
    const group = { ...own, kind: 'SINGLE', units: 500n, sold: 0n, placeKey: newId() } as const;
    await db.orders.insert(PASSED, {
      ...group,
      parentIntentId: null,
      createdAt: NOW,
      orders: [order],
      liveFires: [],
    });
    const fired = intentRow(wallet, { idemKey: `order:${order.id}:1` });
    await db.intents.insert(fired);
    const fire = {
      orderId: order.id,
      n: 1,
      groupId: id,
      intentId: fired.id,
      units: 1n,
      slot: 9n,
      quoted: 1n,
    };
    await db.orders.addFire({ ...fire, eventSeen: 5n * 10n ** 24n + 1n, firedAt: NOW, end: null });
    expect(await books().eventFires('', 10)).toMatchObject([
      {
        intentId: fired.id,
        mint: own.mint,
        slot: 9n,
        seen: 5n * 10n ** 24n + 1n,
        follows: false,
        terms: { event },
      },
    ]);
    const details = async () =>
      (await verifyOrders({ books: books(), chain: null, tape: null })).mismatches
        .filter(({ rule }) => rule === 'order-event')
        .map(({ subject }) => subject);
    expect(await details()).toEqual([fired.id]);
    await db.query(
      `UPDATE order_fires SET event_seen = event_seen - 1 WHERE intent_id = '${fired.id}' RETURNING n`,
      [],
    );
    expect(await details()).toEqual([]);
    await db.query(
      `UPDATE order_fires SET event_seen = NULL WHERE intent_id = '${fired.id}' RETURNING n`,
      [],
    );
    expect(await details()).toEqual([fired.id]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import { decodeOrderNotice } from '../../src/modules/orders/rules/order-notice.ts';
import { editOrder } from '../../src/modules/orders/use/edit-order.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import { buyOf, FIRED, paused, put, STOP } from '../support/order-acts.ts';
import { type OrderPlace, orderPlace, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';

/** The row as a writer of the database leaves it, under the version that it had. */
async function change(place: OrderPlace, { id }: Order, patch: Partial<Order>): Promise<void> {
  const group = await place.db.orders.find(id);
  const order = group?.orders.find((one) => one.id === id);
  if (group === null || order === undefined) throw new Error('placed');
  const { version, status } = order;
  const writes = [
    { orderId: id, expectVersion: version, expectStatus: status, order: { ...order, ...patch } },
  ];
  expect(await place.db.orders.write(PASSED, group, writes)).toBe(true);
}

describe('an order whose row was changed', () => {
  const changes: readonly (readonly [string, Partial<Order>])[] = [
    ['limit', { trigger: { got: 1n, given: 10n } }],
    ['size', { amount: { kind: 'fixed', units: 4n * SOL } }],
    ['certificate', { certificate: null }],
  ];

  it.each(changes)('in its %s pauses when it should fire, and its person is told', async (_, patch) => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    place.world.price = 800n;
    await change(place, order, patch);
    expect(await place.fire(order.id)).toEqual(paused('unsealed'));
    expect(await place.order(order.id)).toMatchObject({ status: 'PAUSED', reason: 'unsealed', fires: 0 });
    const [owed = ''] = await place.db.notices.undelivered(place.clock.now() + 1, 10);
    const notice = await place.db.notices.find(owed);
    expect(decodeOrderNotice(notice?.payload)).toMatchObject({
      orderId: order.id,
      event: 'paused',
      code: 'unsealed',
    });
  });

  it('becomes right by no edit and by no resumption', async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    place.world.price = 800n;
    await change(place, order, { terms: { ...order.terms, toleranceBps: 4_000 } });
    const asked = { userId: place.userId, orderId: order.id };
    const edit = { ...asked, version: order.version, change: { expiresAt: order.expiresAt - 1 } };
    const FORGED = { code: 'ROW_FORGED', details: { table: 'orders', row: order.id } };
    await expect(editOrder(place.deps, edit)).rejects.toMatchObject(FORGED);
    expect(await place.fire(order.id)).toEqual(paused('unsealed'));
    await expect(resumeOrder(place.deps, asked)).rejects.toMatchObject(FORGED);
    expect((await place.order(order.id)).status).toBe('PAUSED');
  });

  it('fires as it was edited, and no former copy of the row without its former certificate', async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    const asked = { userId: place.userId, orderId: order.id, version: order.version };
    const amount = { kind: 'fixed', units: SOL / 2n } as const;
    const edited = await editOrder(place.deps, { ...asked, change: { amount } });
    expect(edited.order.certificate).not.toBe(order.certificate);
    place.world.price = 800n;
    await change(place, order, { amount: order.amount });
    expect(await place.fire(order.id)).toEqual(paused('unsealed'));
    const other = await orderPlace();
    const { id, version, userId } = await put(other, buyOf(SOL));
    await editOrder(other.deps, { userId, orderId: id, version, change: { amount } });
    other.world.price = 800n;
    expect(await other.fire(id)).toMatchObject(FIRED);
  });
});

describe('the signer certifies', () => {
  it('no grant while trades are locked, and none of another lock epoch', async () => {
    const place = await orderPlace();
    await place.unlock();
    const order = await put(place, STOP, { pin: 'typed' });
    const { grants } = order.terms;
    if (grants === null || grants === undefined) throw new Error('granted');
    const fresh = { ...order, id: 'another' };
    const { userId } = place;
    const ask = (orders: readonly Order[]) => place.deps.vault.certifyOrders({ userId, orders });
    expect(await ask([fresh])).toHaveLength(1);
    const DENIED = { code: 'POLICY_DENIED', details: { rule: 'order-grants' } };
    const later = { ...grants, lockEpoch: grants.lockEpoch + 1 };
    await expect(ask([{ ...fresh, terms: { ...order.terms, grants: later } }])).rejects.toMatchObject(DENIED);
    await place.guard((one) => ({ ...one, unlockedUntil: null }));
    await expect(ask([fresh])).rejects.toMatchObject(DENIED);
  });

  it("no order of another person, from another's wallet, or that was another one before", async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    const { userId, stranger } = place;
    const ask = (asker: string, change: Partial<Order>) =>
      place.deps.vault.certifyOrders({ userId: asker, orders: [{ ...order, ...change }] });
    const denied = (rule: string) => ({ code: 'POLICY_DENIED', details: { rule } });
    await expect(ask(stranger, {})).rejects.toMatchObject(denied('foreign-wallet'));
    const [theirs] = await place.db.wallets.listByUser(stranger);
    const walletId = theirs?.id ?? '';
    await expect(ask(stranger, { walletId })).rejects.toMatchObject(denied('order-foreign'));
    await expect(ask(userId, { walletId })).rejects.toMatchObject(denied('foreign-wallet'));
    await expect(ask(userId, { side: 'sell' })).rejects.toMatchObject(denied('order-foreign'));
    await expect(ask('nobody', {})).rejects.toMatchObject(denied('unknown-person'));
    await change(place, order, { status: 'CANCELLED' });
    await expect(ask(userId, {})).rejects.toMatchObject(denied('order-foreign'));
  });
});

import { describe, expect, it } from 'vitest';
import { tradeOf } from '../../src/engine/intents/kinds/rules.ts';
import { locked, UNLOCK_MS } from '../../src/modules/guard/rules/unlock.ts';
import { lockTrades } from '../../src/modules/guard/use/unlock-trades.ts';
import { editOrder } from '../../src/modules/orders/use/edit-order.ts';
import { pauseUngranted } from '../../src/modules/orders/use/end-orders.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import { buyOf, FIRED, paused, put, putFormer, reasonsOf, STOP } from '../support/order-acts.ts';
import { HELD, HOUR, type OrderPlace, orderPlace, SALE, SOL } from '../support/order-place.ts';

describe('what the PIN has granted', () => {
  it('lasts as long as the order where it was typed for it, else as long as what it unlocked', async () => {
    const place = await orderPlace();
    await place.unlock();
    const [forIt, before] = [
      await put(place, STOP, { pin: 'typed' }),
      await put(place, STOP, { pin: 'window' }),
    ];
    expect(forIt.terms.grants).toMatchObject({ steep: true, until: forIt.expiresAt });
    expect(before.terms.grants).toMatchObject({ steep: true, until: place.clock.now() + UNLOCK_MS });
    place.world.price = 700n;
    place.clock.advance(UNLOCK_MS);
    expect(await place.fire(before.id)).toEqual(paused('locked'));
    expect(await place.fire(forIt.id)).toMatchObject(FIRED);
  });

  it('is paused and told when it is over, and not where it was kept meanwhile', async () => {
    const place = await orderPlace();
    await place.unlock();
    const { id, version, terms } = await put(place, STOP, { pin: 'window' });
    expect(await pauseUngranted(place.deps, id)).toBe(false);
    place.clock.set((terms.grants?.until ?? 0) - 1);
    expect(await pauseUngranted(place.deps, id)).toBe(false);
    place.clock.advance(1);
    expect(await place.db.orders.grantsOver(place.clock.now())).toEqual([id]);
    await place.unlock();
    await editOrder(place.deps, { userId: place.userId, orderId: id, version, change: {}, pin: 'typed' });
    expect(await pauseUngranted(place.deps, id)).toBe(false);
    const kept = await place.order(id);
    expect(kept.terms.grants?.until).toBe(kept.expiresAt);
    const other = await put(place, STOP, { pin: 'window' });
    place.clock.advance(UNLOCK_MS);
    expect(await pauseUngranted(place.deps, other.id)).toBe(true);
    expect(await place.order(other.id)).toMatchObject({ status: 'PAUSED', reason: 'locked' });
    const owed = await place.db.notices.undelivered(place.clock.now() + 1, 10);
    const told = await Promise.all(owed.map((one) => place.db.notices.find(one)));
    expect(told.map((one) => one?.payload)).toMatchObject([
      { orderId: other.id, event: 'paused', code: 'locked' },
    ]);
  });

  it('lasts until a sale at the end of an order was tried', async () => {
    const place = await orderPlace();
    await place.unlock();
    const order = await put(place, { ...STOP, sellsOnExpiry: true }, { pin: 'typed' });
    place.clock.set(order.expiresAt + HOUR - 1);
    expect(await place.fire(order.id)).toMatchObject(FIRED);
  });

  it('is not what an hour-old PIN says, whatever the chat claims', async () => {
    const place = await orderPlace();
    await place.unlock();
    place.clock.advance(2 * 60_000);
    const order = await put(place, { ...STOP, floor: 'any' }, { pin: 'typed' });
    expect(order.terms.grants?.until).toBe(order.expiresAt);
    place.clock.advance(1);
    expect(await reasonsOf(put(place, STOP, { pin: 'typed' }))).toEqual(['fallen']);
  });

  it('ends with each lock: what rests on it pauses at once, and whatever slips by, when it fires', async () => {
    const place = await orderPlace();
    await place.unlock();
    const [granted, fair] = [await put(place, STOP, { pin: 'typed' }), await put(place, SALE)];
    expect(fair.terms.grants).toBeNull();
    expect(await lockTrades(place.deps, { userId: place.userId })).toBe(1);
    expect(await place.order(granted.id)).toMatchObject({ status: 'PAUSED', reason: 'locked' });
    expect(await place.order(fair.id)).toMatchObject({ status: 'OPEN' });
    const asked = { userId: place.userId, orderId: granted.id };
    expect(await reasonsOf(resumeOrder(place.deps, asked))).toEqual(['fallen']);
    await place.unlock();
    await resumeOrder(place.deps, { ...asked, pin: 'typed' });
    await place.guard(locked);
    place.world.price = 700n;
    expect(await place.fire(granted.id)).toEqual(paused('locked'));
  });

  it('needs no PIN to lock, and where there is none there is nothing to lock', async () => {
    const place = await orderPlace();
    await put(place, STOP);
    expect(await lockTrades(place.deps, { userId: place.userId })).toBe(0);
    expect((await place.db.guards.find(place.userId)).lockEpoch).toBe(0);
  });
});

describe('orders of a former version', () => {
  it('are granted nothing: what needs it pauses, and everything else fires by the bound of its row', async () => {
    const withPin = async (): Promise<OrderPlace> => {
      const place = await orderPlace();
      await place.hasPin();
      return place;
    };
    const crash = await withPin();
    const stop = await putFormer(crash, STOP);
    expect(stop.terms).not.toHaveProperty('grants');
    crash.world.price = 700n;
    crash.world.usual = { got: 1n, given: 1n };
    expect(await crash.fire(stop.id)).toEqual(paused('steep'));
    const calm = await withPin();
    const other = await putFormer(calm, STOP);
    calm.world.price = 790n;
    calm.world.usual = { got: 8n, given: 10n };
    const outcome = await calm.fire(other.id);
    if (outcome.kind !== 'fired') throw new Error(outcome.kind);
    const intent = await calm.db.intents.find(outcome.intentId);
    const trade = intent === null ? null : tradeOf(intent.params);
    expect(trade?.terms.minOut).toBeGreaterThanOrEqual((HELD * 6n) / 10n);
    const doubted = await withPin();
    const buy = await putFormer(doubted, buyOf(SOL));
    doubted.world.price = 800n;
    doubted.world.doubts = ['young'];
    expect(await doubted.fire(buy.id)).toEqual(paused('doubt'));
    const dear = await withPin();
    const large = await putFormer(dear, buyOf(6n * SOL));
    dear.world.price = 800n;
    expect(await dear.fire(large.id)).toEqual(paused('cap'));
    const fair = await withPin();
    const small = await putFormer(fair, buyOf(SOL));
    fair.world.price = 800n;
    expect(await fair.fire(small.id)).toMatchObject(FIRED);
  });

  it('of somebody without a PIN leave a falling market', async () => {
    const place = await orderPlace();
    const stop = await putFormer(place, STOP);
    place.world.price = 700n;
    place.world.usual = { got: 1n, given: 1n };
    expect(await place.fire(stop.id)).toMatchObject(FIRED);
  });
});

import { describe, expect, it } from 'vitest';
import type { OrderDeps } from '../../src/modules/orders/use/order-deps.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { buyOf, put } from '../support/order-acts.ts';
import { type OrderPlace, orderPlace, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';

/** The same use case, with something that happens between its look and its commit. */
function racing(place: OrderPlace, meanwhile: () => Promise<unknown>): OrderDeps {
  let isOver = false;
  const transact: Database['transact'] = async (work) => {
    if (!isOver) {
      isOver = true;
      await meanwhile();
    }
    return place.db.transact(work);
  };
  return { ...place.deps, db: { ...place.db, transact } };
}

describe('a placing stores nothing', () => {
  it.each(['orders-paused', 'trading-paused'] as const)('while %s', async (flag) => {
    const place = await orderPlace();
    await place.db.flags.set(flag, true, place.clock.now());
    await expect(placeOrders(place.deps, place.draft(buyOf(SOL)))).rejects.toMatchObject({ code: 'PAUSED' });
    expect(await place.db.orders.listOpen(place.userId)).toEqual([]);
  });

  it('where its price is there already', async () => {
    const place = await orderPlace();
    place.world.price = 800n;
    await expect(placeOrders(place.deps, place.draft(buyOf(SOL)))).rejects.toMatchObject({
      code: 'ORDER_REFUSED',
      details: { kind: 'already-true' },
    });
    expect(await place.db.orders.listOpen(place.userId)).toEqual([]);
  });

  it('above the number of orders on a token, of two at once too', async () => {
    const place = await orderPlace();
    for (let n = 0; n < 19; n += 1) {
      await put(place, buyOf(SOL));
      // No limit of placings an hour is in the way.
      place.clock.advance(240_000);
    }
    const deps = racing(place, () => put(place, buyOf(SOL)));
    await expect(placeOrders(deps, place.draft(buyOf(SOL)))).rejects.toMatchObject({
      code: 'ORDER_REFUSED',
      details: { kind: 'too-many-orders', max: 20 },
    });
    expect(await place.db.orders.listOpen(place.userId)).toHaveLength(20);
  });

  it('in a wallet that was put away meanwhile', async () => {
    const place = await orderPlace();
    const deps = racing(place, () =>
      place.db.wallets.setDeletedAt(PASSED, place.wallet.id, place.clock.now()),
    );
    await expect(placeOrders(deps, place.draft(buyOf(SOL)))).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    expect(await place.db.orders.listOpen(place.userId)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { freeze } from '../../src/modules/guard/rules/freeze.ts';
import { locked, unlocked } from '../../src/modules/guard/rules/unlock.ts';
import type { Order, OrderGroup } from '../../src/modules/orders/rules/order.ts';
import { cancelOrder, changeAllOrders, pauseOrder } from '../../src/modules/orders/use/change-order.ts';
import { editOrder, viewEdit } from '../../src/modules/orders/use/edit-order.ts';
import { fireOrder } from '../../src/modules/orders/use/fire-order.ts';
import type { OrderDeps } from '../../src/modules/orders/use/order-deps.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { buyOf, put, reasonsOf, STOP } from '../support/order-acts.ts';
import { HOUR, type OrderPlace, orderPlace, SOL } from '../support/order-place.ts';

describe('another person', () => {
  /** Everything that a person may do to an order, each with nothing wrong about it but who asks. */
  const ACTS: Readonly<Record<string, (deps: OrderDeps, order: Order, userId: string) => Promise<unknown>>> =
    {
      'cancels it': (deps, { id }, userId) => cancelOrder(deps, { userId, orderId: id }),
      'pauses it': (deps, { id }, userId) => pauseOrder(deps, { userId, orderId: id }),
      'resumes it': (deps, { id }, userId) => resumeOrder(deps, { userId, orderId: id, pin: 'typed' }),
      'edits it': (deps, { id, version }, userId) =>
        editOrder(deps, { userId, orderId: id, version, change: { toleranceBps: 10 } }),
      'looks at an edit of it': (deps, { id, version }, userId) =>
        viewEdit(deps, { userId, orderId: id, version, change: {} }),
    };

  it.each(Object.entries(ACTS))('%s: there is no such order, and nothing changes', async (what, act) => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    if (what === 'resumes it') await pauseOrder(place.deps, { userId: place.userId, orderId: order.id });
    const before = await place.order(order.id);
    await expect(act(place.deps, before, place.stranger)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    expect(await place.order(order.id)).toEqual(before);
    // The same by its own person is done.
    await act(place.deps, before, place.userId);
  });

  it('places with its key, or in its wallet: nothing is placed', async () => {
    const place = await orderPlace();
    const { deps, draft, stranger } = place;
    const mine = draft(buyOf(SOL));
    await placeOrders(deps, mine);
    await expect(placeOrders(deps, { ...mine, userId: stranger })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
    await expect(placeOrders(deps, { ...draft(buyOf(SOL)), userId: stranger })).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    expect(await place.db.orders.listOpen(stranger)).toEqual([]);
  });

  it('cancels or pauses all: those of others stay', async () => {
    const place = await orderPlace();
    const order = await put(place, buyOf(SOL));
    for (const what of ['cancel', 'pause'] as const)
      expect(await changeAllOrders(place.deps, { userId: place.stranger, what })).toBe(0);
    expect(await place.order(order.id)).toMatchObject({ status: 'OPEN' });
  });
});

describe('what was judged before its commit is judged again in it', () => {
  /** The same use case, with something that happens between its look and its commit. */
  const racing = (place: OrderPlace, meanwhile: () => Promise<unknown>): OrderDeps => {
    let isOver = false;
    const transact: Database['transact'] = async (work) => {
      if (!isOver) {
        isOver = true;
        await meanwhile();
      }
      return place.db.transact(work);
    };
    return { ...place.deps, db: { ...place.db, transact } };
  };
  const big = buyOf(20n * SOL);

  const acts = {
    placing: async (place: OrderPlace) => {
      const draft = place.draft(big);
      return (deps: OrderDeps) => placeOrders(deps, draft);
    },
    'an edit': async (place: OrderPlace) => {
      const { id, version } = await put(place, buyOf(SOL));
      const change = { amount: { kind: 'fixed', units: 20n * SOL } } as const;
      return (deps: OrderDeps) => editOrder(deps, { userId: place.userId, orderId: id, version, change });
    },
    resuming: async (place: OrderPlace) => {
      const { id } = await put(place, big);
      await pauseOrder(place.deps, { userId: place.userId, orderId: id });
      return (deps: OrderDeps) => resumeOrder(deps, { userId: place.userId, orderId: id, pin: 'typed' });
    },
  };
  const rows = async (place: OrderPlace): Promise<readonly OrderGroup[]> =>
    place.db.orders.listOpen(place.userId);

  it.each(Object.entries(acts))(
    '%s is refused once trades were locked, or all was frozen',
    async (_what, act) => {
      const changes = [
        ['TRADE_PIN', locked],
        ['ACCOUNT_FROZEN', (guard: Parameters<typeof freeze>[0]) => freeze(unlocked(guard, 0), 0)],
      ] as const;
      for (const [code, change] of changes) {
        const place = await orderPlace();
        await place.unlock();
        const run = await act(place);
        const before = await rows(place);
        await expect(run(racing(place, () => place.guard(change)))).rejects.toMatchObject({ code });
        expect(await rows(place)).toEqual(before);
        await place.guard((guard) => unlocked({ ...guard, frozenAt: null }, place.clock.now()));
        await run(place.deps);
      }
    },
  );

  it.each(Object.entries(acts))(
    '%s is refused before anything is looked up where it must be',
    async (_what, act) => {
      const place = await orderPlace();
      await place.unlock();
      const run = await act(place);
      await place.guard(locked);
      expect(await reasonsOf(run(place.deps))).toEqual(['cap']);
    },
  );

  it('an edit or a resuming of an order that changed meanwhile changes nothing', async () => {
    for (const what of ['an edit', 'resuming'] as const) {
      const place = await orderPlace();
      await place.unlock();
      const run = await acts[what](place);
      const [group] = await rows(place);
      const orderId = group?.orders[0]?.id ?? '';
      const { version } = await place.order(orderId);
      const other = {
        userId: place.userId,
        orderId,
        version,
        change: { expiresAt: place.clock.now() + HOUR },
      };
      const meanwhile = () => editOrder(place.deps, other);
      await expect(run(racing(place, meanwhile))).rejects.toMatchObject({ code: 'BUTTON_STALE' });
    }
  });

  it('a fire of an order that changed meanwhile buys nothing', async () => {
    const place = await orderPlace();
    const { id, version } = await put(place, buyOf(SOL));
    place.world.price = 800n;
    const change = { expiresAt: place.clock.now() + HOUR };
    const meanwhile = () => editOrder(place.deps, { userId: place.userId, orderId: id, version, change });
    expect(await fireOrder(racing(place, meanwhile), { orderId: id, slot: 1n })).toEqual({ kind: 'gone' });
    expect(await place.order(id)).toMatchObject({ status: 'OPEN', fires: 0 });
    expect(await place.db.intents.listOpen(place.userId)).toEqual([]);
  });

  it('an edit that no placing would take is refused', async () => {
    const place = await orderPlace();
    const { id, version } = await put(place, buyOf(SOL));
    const edit = { userId: place.userId, orderId: id, version, change: { toleranceBps: 5_001 } };
    await expect(editOrder(place.deps, edit)).rejects.toMatchObject({ code: 'ORDER_REFUSED' });
  });

  it('an edit takes back what was granted before', async () => {
    const place = await orderPlace();
    await place.unlock();
    const { id, version } = await put(place, STOP, { pin: 'typed' });
    await place.guard(locked);
    const edit = { userId: place.userId, orderId: id, version } as const;
    expect(await reasonsOf(editOrder(place.deps, { ...edit, change: { hold: 'careful' } }))).toEqual([
      'fallen',
    ]);
    await editOrder(place.deps, {
      ...edit,
      change: { floor: { got: 8n, given: 10n }, trigger: { got: 9n, given: 10n } },
    }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'TRADE_PIN' });
    });
  });
});

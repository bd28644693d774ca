import { hasCode } from '../../src/core/errors/app-error.ts';
import type { Order } from '../../src/modules/orders/rules/order.ts';
import { newGroup, type OrderDraft } from '../../src/modules/orders/use/draft.ts';
import { placeOrders } from '../../src/modules/orders/use/place-orders.ts';
import { type OrderPlace, PURCHASE, SALE } from './order-place.ts';
import { PASSED } from './passed.ts';
import { TEST_CERTIFIER } from './signer.ts';

/** A purchase whose price is there, once the market has moved to 800. */
export const buyOf = (units: bigint): OrderDraft => ({ ...PURCHASE, amount: { kind: 'fixed', units } });
export const STOP: OrderDraft = {
  ...SALE,
  type: 'STOP_LOSS',
  trigger: { got: 8n, given: 10n },
  request: '-20%',
};

export async function put(
  place: OrderPlace,
  one: OrderDraft,
  more: Partial<Parameters<typeof placeOrders>[1]> = {},
): Promise<Order> {
  const { orders } = await placeOrders(place.deps, { ...place.draft(one), ...more });
  const [order] = orders;
  if (order === undefined) throw new Error('placed');
  return order;
}

/** As a former version wrote it, and adopted: the row has no grants. */
export async function putFormer(place: OrderPlace, one: OrderDraft): Promise<Order> {
  const made = { id: () => place.deps.ids.ulid(), now: place.clock.now(), depthLamports: null };
  const group = newGroup(place.draft(one), made);
  const orders = group.orders.map((order) => ({ ...order, certificate: TEST_CERTIFIER.order(order) }));
  const stored = await place.db.orders.insert(PASSED, { ...group, orders });
  const [order] = stored?.orders ?? [];
  if (order === undefined) throw new Error('placed');
  return order;
}

export const reasonsOf = async (work: Promise<unknown>): Promise<readonly string[] | null> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return null;
  if (!hasCode(error, 'TRADE_PIN')) throw error;
  return error.details.reasons;
};
export const paused = (reason: string) => ({ kind: 'paused', reason });
export const FIRED = { kind: 'fired' };

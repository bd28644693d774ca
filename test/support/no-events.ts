import type { OrderEvents } from '../../src/modules/orders/use/order-events.ts';

/** A place where no order waits for an event. */
export const NO_EVENTS: OrderEvents = {
  begin: async () => ({ kind: 'dev-unknown' }),
  measure: async () => null,
  devSales: async () => [],
  readTransfers: async () => undefined,
  transfers: async () => [],
  isFollowed: async () => true,
};

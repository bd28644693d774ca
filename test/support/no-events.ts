import type { OrderEvents } from '../../src/modules/orders/use/order-events.ts';

/** A place where no order waits for an event. */
export const NO_EVENTS: OrderEvents = {
  begin: async () => ({ kind: 'dev-unknown' }),
  holds: async () => true,
  devSales: async () => [],
  isFollowed: async () => true,
};

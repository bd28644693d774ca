import type { Address } from '../../core/address/address.ts';
import { backOffSlots } from '../../core/orders/budget.ts';
import { SLOT_MS } from '../../core/orders/hold-window.ts';
import type { Order, OrderGroup } from '../../core/orders/order.ts';
import type { Rate } from '../../core/orders/rate.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { fireOrder } from './fire-order.ts';
import type { FireDeps } from './order-deps.ts';

/**
 * Children of one token that are not signed yet: a crash with a thousand stops must not sell into its own stale quotes, so each
 * next one is quoted after those before it.
 */
const UNSIGNED_AT_MOST = 16;
const UNSIGNED_LOOK_MS = 50;
const UNSIGNED_WAIT_MS = 5_000;

export type Fire = {
  readonly orderId: string;
  readonly slot: bigint;
  readonly high: Rate | null;
  readonly exits?: boolean;
};

export type FireQueue = {
  /** Fires it in its turn, the oldest order first. One that waits already, or was refused a moment ago, is left. */
  add(mint: Address, fire: Fire): void;
  /** An order that fires by time, as it is now. */
  schedule(order: Order, group: OrderGroup): void;
  scheduled(): readonly { readonly order: Order; readonly group: OrderGroup }[];
  isBusy(mint: Address): boolean;
  /** Forgets what is not open any more. */
  keep(orderIds: ReadonlySet<string>): void;
  clear(): void;
  stop(): Promise<void>;
};

type Refused = { readonly until: number; readonly times: number };

export function createFireQueue(deps: FireDeps & { readonly log: Pick<Logger, 'warn'> }): FireQueue {
  const waiting = new Map<Address, Map<string, Fire>>();
  const running = new Map<Address, Promise<void>>();
  const unsigned = new Map<Address, Set<string>>();
  const refused = new Map<string, Refused>();
  const timed = new Map<string, { readonly order: Order; readonly group: OrderGroup }>();
  let isStopped = false;

  /** Children that were signed, or ended, count no more. */
  const unsignedNow = async (mint: Address): Promise<number> => {
    const ids = unsigned.get(mint) ?? new Set();
    for (const id of ids) {
      const intent = await deps.db.intents.find(id);
      if (intent?.status !== 'CREATED') ids.delete(id);
    }
    return ids.size;
  };

  const room = async (mint: Address): Promise<void> => {
    const until = deps.clock.now() + UNSIGNED_WAIT_MS;
    if ((unsigned.get(mint)?.size ?? 0) < UNSIGNED_AT_MOST) return;
    while (!isStopped && deps.clock.now() < until && (await unsignedNow(mint)) >= UNSIGNED_AT_MOST)
      await deps.pause(UNSIGNED_LOOK_MS);
  };

  const fireOne = async (mint: Address, fire: Fire): Promise<void> => {
    await room(mint);
    const outcome = await fireOrder(deps, fire);
    if (outcome.kind === 'fired') {
      refused.delete(fire.orderId);
      const ids = unsigned.get(mint) ?? new Set();
      unsigned.set(mint, ids.add(outcome.intentId));
    }
    if (outcome.kind !== 'held-back') return;
    const times = (refused.get(fire.orderId)?.times ?? 0) + 1;
    refused.set(fire.orderId, { times, until: deps.clock.now() + backOffSlots(times) * SLOT_MS });
  };

  const run = async (mint: Address): Promise<void> => {
    const mine = waiting.get(mint);
    while (!isStopped && mine !== undefined && mine.size > 0) {
      // Ids grow with time.
      const [orderId = ''] = [...mine.keys()].toSorted();
      const fire = mine.get(orderId);
      mine.delete(orderId);
      if (fire === undefined) continue;
      try {
        await fireOne(mint, fire);
      } catch (err) {
        deps.log.warn({ err, orderId }, 'an order could not be fired');
      }
    }
    running.delete(mint);
  };

  return {
    add: (mint, fire) => {
      if (isStopped || deps.clock.now() < (refused.get(fire.orderId)?.until ?? 0)) return;
      const mine = waiting.get(mint) ?? new Map<string, Fire>();
      waiting.set(mint, mine.set(fire.orderId, fire));
      if (!running.has(mint)) running.set(mint, run(mint));
    },
    schedule: (order, group) => {
      if (order.status === 'OPEN') timed.set(order.id, { order, group });
      else timed.delete(order.id);
    },
    scheduled: () => [...timed.values()],
    isBusy: (mint) => running.has(mint),
    keep: (orderIds) => {
      for (const id of timed.keys()) if (!orderIds.has(id)) timed.delete(id);
      for (const id of refused.keys()) if (!orderIds.has(id)) refused.delete(id);
    },
    clear: () => {
      waiting.clear();
      timed.clear();
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(running.values());
    },
  };
}

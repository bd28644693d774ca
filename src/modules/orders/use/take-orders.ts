import type { Order, OrderGroup } from '../rules/order.ts';
import type { ChangedOrder, OrderStore } from '../store/order-store-port.ts';

const PAGE = 100;
/** Holdings that are asked for at once: a node answers each in a tenth of a second. */
const TOGETHER = 10;
/** So long after a node was away a holding is asked for again. */
const AGAIN_MS = 4_000;

type TakingDeps = {
  readonly orders: Pick<OrderStore, 'openIdsIn' | 'openAmong'>;
  /** The units an order would give of; null where they cannot be read now. */
  readonly held: (group: OrderGroup, order: Order) => Promise<bigint | null>;
  /** Watches an order as it is now. False where it is not watched after all. */
  readonly put: (change: ChangedOrder, held: bigint | null) => Promise<boolean>;
  /** Called every few orders: reading holdings must not take longer than the leases last. */
  readonly keepLease: () => Promise<void>;
};

/** Takes orders into memory: those that changed, and all open ones a page at a time, so that others are followed in between. */
export type OrderTaking = {
  take(changes: readonly ChangedOrder[]): Promise<void>;
  /** All open orders of these shards are read anew by `next`. */
  begin(shards: readonly number[]): Promise<void>;
  isLoading(): boolean;
  /** Takes the next page. After the last one: the ids of all that are open. A page that could not be taken comes again. */
  next(): Promise<ReadonlySet<string> | null>;
  /** Takes those again whose holding could not be read. */
  again(now: number): Promise<void>;
  clear(): void;
};

export function createOrderTaking(deps: TakingDeps): OrderTaking {
  let load: { readonly ids: readonly string[]; done: number; readonly open: Set<string> } | null = null;
  const unread = new Set<string>();
  let againAt = 0;

  const takeOne = async (change: ChangedOrder, held: bigint | null): Promise<void> => {
    const { id, status } = change.order;
    const isWatched = await deps.put(change, held);
    // An order opened since the load began is open, too.
    if (status === 'OPEN') load?.open.add(id);
    if (status === 'OPEN' && held === null && !isWatched) unread.add(id);
    else unread.delete(id);
  };

  const take = (changes: readonly ChangedOrder[]): Promise<void> => inTens(deps, changes, takeOne);

  return {
    take,
    begin: async (shards) => {
      const ids = await deps.orders.openIdsIn(shards);
      load = { ids, done: 0, open: new Set(ids) };
    },
    isLoading: () => load !== null,
    next: async () => {
      if (load === null) return null;
      const page = load.ids.slice(load.done, load.done + PAGE);
      if (page.length > 0) await take(await deps.orders.openAmong(page));
      load.done += page.length;
      if (load.done < load.ids.length) return null;
      const { open } = load;
      load = null;
      return open;
    },
    again: async (now) => {
      if (unread.size === 0 || now < againAt) return;
      againAt = now + AGAIN_MS;
      const some = [...unread].slice(0, PAGE);
      const open = await deps.orders.openAmong(some);
      for (const id of some) unread.delete(id);
      await take(open);
    },
    clear: () => {
      load = null;
      unread.clear();
    },
  };
}

/** Ten holdings are read at once, those of one wallet and token once for all of `changes`. */
async function inTens(
  { held, keepLease }: Pick<TakingDeps, 'held' | 'keepLease'>,
  changes: readonly ChangedOrder[],
  takeOne: (change: ChangedOrder, held: bigint | null) => Promise<void>,
): Promise<void> {
  const asked = new Map<string, Promise<bigint | null>>();
  const heldOf = ({ order, group }: ChangedOrder): Promise<bigint | null> => {
    if (order.status !== 'OPEN') return Promise.resolve(null);
    const key = `${group.walletId}:${order.mint}:${order.side}:${group.units}`;
    const answer = asked.get(key) ?? held(group, order);
    asked.set(key, answer);
    return answer;
  };
  for (let from = 0; from < changes.length; from += TOGETHER) {
    const some = changes.slice(from, from + TOGETHER);
    const answers = await Promise.all(some.map(heldOf));
    await keepLease();
    for (const [index, change] of some.entries()) await takeOne(change, answers[index] ?? null);
  }
}

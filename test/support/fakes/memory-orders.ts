import { AUTO_BUY_PREFIX } from '../../../src/modules/auto-buy/rules.ts';
import { COPY_PREFIX } from '../../../src/modules/copying/rules/copy-trade.ts';
import {
  isClosed,
  isPosition,
  type Order,
  type OrderFire,
  type OrderGroup,
  type PauseReason,
} from '../../../src/modules/orders/rules/order.ts';
import { compareRates } from '../../../src/modules/orders/rules/rate.ts';
import type { OrderWrite } from '../../../src/modules/orders/rules/transition.ts';
import type {
  CreatorRead,
  OrderFeedStore,
  OrderMark,
  SeenMove,
  TrailPeak,
} from '../../../src/modules/orders/store/order-feed-store-port.ts';
import {
  type ChangedOrder,
  ORDER_SHARDS,
  type OrderStore,
  shardOf,
} from '../../../src/modules/orders/store/order-store-port.ts';
import { insertRow, type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

/** A group's own row; orders and fires lie in tables of their own. */
export type StoredGroup = Omit<OrderGroup, 'orders' | 'liveFires'> & { readonly open: boolean };
export type StoredOrder = { readonly order: Order; readonly seq: bigint; readonly placeKey: string | null };

export function memoryOrderStore({ read, write }: MemoryAccess): OrderStore {
  return {
    insert: (_passed, group) => write((view) => insert(view, group)),
    join: (_passed, group, joining) => write((view) => join(view, group, joining)),
    findByPlaceKey: (placeKey) => read((view) => byPlaceKey(view, placeKey)),
    find: (orderId) => read((view) => groupOf(view, orderId)),
    lock: (orderId) => read((view) => groupOf(view, orderId)),
    lockByFire: (intentId) =>
      read((view) => {
        const fire = view.orderFires.rows().find((one) => one.intentId === intentId);
        return fire === undefined ? null : groupOf(view, fire.orderId);
      }),
    lockExits: (walletId, mint) =>
      read((view) =>
        groupsOf(view, (one) => one.walletId === walletId && one.mint === mint).filter(
          ({ units, parentIntentId, orders }) =>
            (units === null || parentIntentId !== null) && orders.some((one) => !isClosed(one)),
        ),
      ),
    lockByParent: (intentId) => read((view) => groupsOf(view, (one) => one.parentIntentId === intentId)),
    write: (_passed, group, writes) => write((view) => writeAll(view, group, writes)),
    addFire: (fire) => write((view) => addFire(view, fire)),
    endFire: (orderId, n, end) =>
      write((view) => {
        const key = `${orderId}:${n}`;
        const fire = view.orderFires.get(key);
        if (fire !== undefined && fire.end === null) view.orderFires.set(key, { ...fire, end });
      }),
    fires: (orderId, limit) =>
      read((view) =>
        view.orderFires
          .rows()
          .filter((fire) => fire.orderId === orderId)
          .sort((a, b) => b.n - a.n)
          .slice(0, limit),
      ),
    listOpen: (userId) =>
      read((view) =>
        groupsOf(view, (one) => one.userId === userId).filter(({ orders }) =>
          orders.some((one) => !isClosed(one)),
        ),
      ),
    listClosed: (userId, limit) =>
      read((view) =>
        groupsOf(view, (one) => one.userId === userId)
          .filter(({ orders }) => orders.every(isClosed))
          .toReversed()
          .slice(0, limit),
      ),
    countOpen: (userId, mint) =>
      read((view) => {
        const mine = allOrders(view).filter((one) => one.userId === userId && !isClosed(one));
        return { onToken: mine.filter((one) => one.mint === mint).length, ofPerson: mine.length };
      }),
    countOpenByWallet: (walletId) =>
      read((view) => allOrders(view).filter((one) => one.walletId === walletId && !isClosed(one)).length),
    spentSince: (userId, since) => read((view) => spentSince(view, userId, since)),
    pauseAll: (userId, reason) =>
      write((view) => pauseSome(view, (one) => userId === null || one.userId === userId, reason)),
    pauseGranted: (userId) =>
      write((view) => pauseSome(view, (one) => one.userId === userId && endsWithLock(one), 'locked')),
    hasGranted: (userId) =>
      read((view) =>
        allOrders(view).some(
          (one) =>
            one.userId === userId &&
            endsWithLock(one) &&
            (one.status === 'OPEN' || (one.status === 'TRIGGERED' && one.afterwards === null)),
        ),
      ),
    grantsOver: (now) =>
      read((view) =>
        allOrders(view)
          .filter(
            ({ status, terms }) => status === 'OPEN' && terms.grants != null && terms.grants.until <= now,
          )
          .map(({ id }) => id)
          .sort()
          .slice(0, 200),
      ),
    pulse: (now) =>
      read((view) => ({
        isAwake: allOrders(view).some(({ status }) => status === 'OPEN'),
        expired: allOrders(view)
          .filter(
            ({ status, expiresAt }) => ['OPEN', 'PAUSED', 'WAITING'].includes(status) && expiresAt <= now,
          )
          .sort((a, b) => a.expiresAt - b.expiresAt)
          .slice(0, 200)
          .map(({ id }) => id),
      })),
    endingSoon: (now) =>
      read((view) =>
        allOrders(view)
          .filter(
            ({ status, expiresAt, createdAt, progress }) =>
              ['OPEN', 'PAUSED', 'WAITING'].includes(status) &&
              expiresAt > now &&
              expiresAt <= now + DAY_MS &&
              createdAt < expiresAt - DAY_MS &&
              progress.told['ending'] === undefined,
          )
          .sort((a, b) => a.expiresAt - b.expiresAt)
          .slice(0, 200)
          .map(({ id }) => id),
      ),
    openIdsIn: (shards) =>
      read((view) =>
        changed(view)
          .filter(({ order }) => order.status === 'OPEN' && shards.includes(shardOf(order.mint)))
          .map(({ order }) => order.id),
      ),
    openAmong: (orderIds) =>
      read((view) =>
        changed(view).filter(({ order }) => order.status === 'OPEN' && orderIds.includes(order.id)),
      ),
    changedSince: ({ seq, id }, limit) =>
      read((view) =>
        changed(view)
          .filter((one) => one.seq > seq || (one.seq === seq && one.order.id > id))
          .slice(0, limit),
      ),
    newestSeq: () => read((view) => changed(view).at(-1)?.seq ?? 0n),
  };
}

/** It rests on a PIN of before, or on a program's key. */
const endsWithLock = ({ terms }: Order): boolean => terms.grants != null || terms.program !== undefined;

function pauseSome(view: MemoryView, wanted: (one: Order) => boolean, reason: PauseReason): number {
  const some = allOrders(view).filter(
    (one) =>
      wanted(one) &&
      (one.status === 'OPEN' || (one.status === 'TRIGGERED' && one.afterwards?.status !== 'CANCELLED')),
  );
  for (const one of some) {
    const left = { status: 'PAUSED', reason } as const;
    save(view, {
      ...one,
      version: one.version + 1,
      ...(one.status === 'OPEN' ? left : { afterwards: left }),
    });
  }
  return some.length;
}

const DAY_MS = 86_400_000;

const allOrders = (view: MemoryView): Order[] => view.orders.rows().map(({ order }) => order);

function groupOf(view: MemoryView, orderId: string): OrderGroup | null {
  const id = view.orders.get(orderId)?.order.groupId;
  return id === undefined ? null : (groupsOf(view, (one) => one.id === id)[0] ?? null);
}

function groupsOf(view: MemoryView, wanted: (one: StoredGroup) => boolean): readonly OrderGroup[] {
  return view.orderGroups
    .rows()
    .filter(wanted)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map(({ open: _open, ...row }) => ({
      ...row,
      orders: allOrders(view)
        .filter(({ groupId }) => groupId === row.id)
        .sort((a, b) => a.number - b.number),
      liveFires: view.orderFires
        .rows()
        .filter(({ groupId, end }) => groupId === row.id && end === null)
        .sort((a, b) => (a.orderId < b.orderId ? -1 : 1))
        .map(({ orderId, n, intentId, units }) => ({ orderId, n, intentId, units })),
    }));
}

/** Each write is later than all before it. */
function save(view: MemoryView, order: Order, placeKey?: string): void {
  const seq = view.orders.rows().reduce((most, one) => (one.seq > most ? one.seq : most), 0n) + 1n;
  view.orders.set(order.id, {
    order,
    seq,
    placeKey: placeKey ?? view.orders.get(order.id)?.placeKey ?? null,
  });
}

function byPlaceKey(view: MemoryView, placeKey: string): OrderGroup | null {
  const joined = view.orders.rows().find((one) => one.placeKey === placeKey)?.order.groupId;
  return groupsOf(view, (one) => one.placeKey === placeKey || one.id === joined)[0] ?? null;
}

/** The orders with the person's next numbers. */
function number(view: MemoryView, userId: string, orders: readonly Order[]): readonly Order[] {
  const last = allOrders(view)
    .filter((one) => one.userId === userId)
    .reduce((most, one) => Math.max(most, one.number), 0);
  return orders.map((order, index) => ({ ...order, number: last + 1 + index }));
}

function join(
  view: MemoryView,
  group: OrderGroup,
  { placeKey, orders }: Parameters<OrderStore['join']>[2],
): OrderGroup | null {
  if (byPlaceKey(view, placeKey) !== null) return null;
  const joined = number(view, group.userId, orders);
  for (const order of joined) save(view, order, placeKey);
  return { ...group, orders: [...group.orders, ...joined] };
}

function insert(view: MemoryView, group: OrderGroup): OrderGroup | null {
  const { orders, liveFires: _none, ...row } = group;
  if (view.orderGroups.rows().some(({ placeKey }) => placeKey === group.placeKey)) return null;
  requireRow(view.users, 'users', group.userId);
  requireRow(view.wallets, 'wallets', group.walletId);
  const open = isPosition(group) && orders.some((one) => !isClosed(one));
  const isTaken = view.orderGroups
    .rows()
    .some((one) => one.open && one.walletId === group.walletId && one.mint === group.mint);
  if (open && isTaken) throw new Error('order_groups_open_position_key: a group of this position is open');
  const numbered = number(view, group.userId, orders);
  insertRow(view.orderGroups, 'order_groups', group.id, { ...row, open });
  for (const order of numbered) save(view, order);
  return { ...group, orders: numbered };
}

function writeAll(
  view: MemoryView,
  group: Pick<OrderGroup, 'id' | 'units' | 'sold'>,
  writes: readonly OrderWrite[],
): boolean {
  const fits = writes.every(({ orderId, expectVersion, expectStatus }) => {
    const known = view.orders.get(orderId)?.order;
    return known?.version === expectVersion && known.status === expectStatus;
  });
  if (!fits) return false;
  for (const { order } of writes) save(view, order);
  const row = view.orderGroups.get(group.id);
  const isOpen = allOrders(view).some((one) => one.groupId === group.id && !isClosed(one));
  const { units, sold } = group;
  if (row !== undefined) view.orderGroups.set(group.id, { ...row, units, sold, open: row.open && isOpen });
  return true;
}

function addFire(view: MemoryView, fire: OrderFire): void {
  const others = view.orderFires.rows();
  if (others.some(({ intentId }) => intentId === fire.intentId))
    throw new Error('order_fires: duplicate intent');
  if (others.some(({ orderId, end }) => orderId === fire.orderId && end === null))
    throw new Error('order_fires: a fire of this order is live');
  insertRow(view.orderFires, 'order_fires', `${fire.orderId}:${fire.n}`, fire);
  const group = view.orderGroups.get(fire.groupId);
  if (group === undefined) throw new Error('foreign key: no such group');
  if (group.units === null) return;
  const bound = view.orderFires
    .rows()
    .filter(({ groupId, end }) => groupId === fire.groupId && end === null)
    .reduce((sum, { units }) => sum + units, 0n);
  if (bound + group.sold > group.units) throw new Error('order_fires: live fires bind more than there is');
}

function spentSince(view: MemoryView, userId: string, since: number): bigint {
  const pasted = view.intents
    .rows()
    .filter(
      ({ userId: of, params, idemKey, createdAt, status }) =>
        of === userId &&
        params.kind === 'buy' &&
        (idemKey.startsWith(AUTO_BUY_PREFIX) || idemKey.startsWith(COPY_PREFIX)) &&
        createdAt > since &&
        !['REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED'].includes(status),
    )
    .reduce((sum, { params }) => sum + (params.kind === 'buy' ? params.lamportsIn : 0n), 0n);
  return view.orderFires
    .rows()
    .filter(({ orderId, firedAt }) => {
      const order = view.orders.get(orderId)?.order;
      return order?.userId === userId && order.side === 'buy' && firedAt > since;
    })
    .reduce((sum, { end, units }) => sum + (end === null ? units : end.given), pasted);
}

function changed(view: MemoryView): readonly ChangedOrder[] {
  return view.orders
    .rows()
    .toSorted((a, b) => (a.seq < b.seq ? -1 : 1))
    .flatMap(({ order, seq }) => {
      const group = groupOf(view, order.id);
      return group === null ? [] : [{ order, group, seq }];
    });
}

/** The same rules as the tables of the feed, for one process's tests. */
export function memoryOrderFeed(): OrderFeedStore {
  const leases = new Map<number, { readonly owner: string; readonly until: number }>();
  const marks = new Map<string, OrderMark>();
  let peaks: TrailPeak[] = [];
  const isSame = (a: TrailPeak, b: TrailPeak): boolean => a.mint === b.mint && a.lane === b.lane;
  return {
    take: async ({ owner, now, until }) => {
      const mine: number[] = [];
      for (let shard = 0; shard < ORDER_SHARDS; shard += 1) {
        const held = leases.get(shard);
        if (held !== undefined && held.owner !== owner && held.until > now) continue;
        leases.set(shard, { owner, until });
        mine.push(shard);
      }
      return mine;
    },
    leave: async (owner) => {
      for (const [shard, held] of leases) if (held.owner === owner) leases.delete(shard);
    },
    saveMarks: async (seen) => {
      for (const mark of seen) if ((marks.get(mark.mint)?.at ?? 0) <= mark.at) marks.set(mark.mint, mark);
    },
    marks: async (mints) =>
      [...marks.values()]
        .filter(({ mint }) => mints.includes(mint))
        .sort((a, b) => (a.mint < b.mint ? -1 : 1)),
    savePeaks: async (seen) => {
      for (const peak of seen) {
        const known = peaks.find((one) => isSame(one, peak) && one.at === peak.at);
        if (known !== undefined && compareRates(known.rate, peak.rate) >= 0) continue;
        peaks = peaks.filter(
          (one) => !(isSame(one, peak) && one.at <= peak.at && compareRates(one.rate, peak.rate) <= 0),
        );
        peaks.push(peak);
      }
    },
    peaks: async (mints) =>
      peaks
        .filter(({ mint }) => mints.includes(mint))
        .sort((a, b) => `${a.mint}${a.lane}`.localeCompare(`${b.mint}${b.lane}`) || a.at - b.at),
    ...memoryMoves(),
  };
}

function memoryMoves(): Pick<OrderFeedStore, 'creatorPlace' | 'saveCreatorRead' | 'creatorMoves'> {
  const places = new Map<string, Pick<CreatorRead, 'after' | 'slot'>>();
  const moves = new Map<string, SeenMove>();
  return {
    creatorPlace: async (creator) => places.get(creator) ?? null,
    saveCreatorRead: async (read) => {
      places.set(read.creator, { after: read.after, slot: read.slot });
      for (const move of read.moves) {
        const key = [move.mint, move.creator, move.signature, move.recipient].join(' ');
        if (!moves.has(key)) moves.set(key, { ...move, seenAt: read.at });
      }
    },
    creatorMoves: async (mint, creator, afterSlot) =>
      [...moves.values()]
        .filter((one) => one.mint === mint && one.creator === creator && one.slot > afterSlot)
        .toSorted(
          (a, b) =>
            Number(a.slot - b.slot) || (a.signature + a.recipient < b.signature + b.recipient ? -1 : 1),
        ),
  };
}

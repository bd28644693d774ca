import type { Address } from '@tradepost/solana';
import type { Passed } from '../../guard/rules/passed.ts';
import type { FireEnd, Order, OrderFire, OrderGroup, PauseReason } from '../rules/order.ts';
import type { OrderWrite } from '../rules/transition.ts';

/** An order and the server's time of its last change, in microseconds. */
export type ChangedOrder = { readonly order: Order; readonly group: OrderGroup; readonly seq: bigint };

/** After which change to read on: of those of one microsecond the ids come in order. */
export type ChangePlace = { readonly seq: bigint; readonly id: string };

/** The work waiting for the evaluators of orders. */
export type OrderPulse = {
  /** Whether anything waits for a price or for a time. */
  readonly isAwake: boolean;
  /** Orders whose time is over, oldest first. */
  readonly expired: readonly string[];
};

/** The acts that change an order. `service`: the desk itself books, wakes, holds back and ends. */
export type OrderWriting = 'order-edit' | 'order-resume' | 'order-stop' | 'order-fire' | 'service';

/** Mints fall into so many shards, by `shardOf`. */
export const ORDER_SHARDS = 16;

export interface OrderStore {
  /**
   * A group with its orders, whole or not at all. Null, and nothing is written, when its place key is there already. The orders get the
   * person's next numbers; their own are ignored; the caller holds the person's guard lock.
   */
  insert(passed: Passed<'order-place'>, group: OrderGroup): Promise<OrderGroup | null>;
  /**
   * Adds orders to a group that this transaction has locked, as `insert` numbers them. Null, and nothing is written, when their
   * place key is there already. Returns the whole group.
   */
  join(
    passed: Passed<'order-place'>,
    group: OrderGroup,
    joining: { readonly placeKey: string; readonly orders: readonly Order[] },
  ): Promise<OrderGroup | null>;
  /** The group that was placed with this key, or that orders joined with it. */
  findByPlaceKey(placeKey: string): Promise<OrderGroup | null>;
  /** The group of an order. */
  find(orderId: string): Promise<OrderGroup | null>;
  /** The same, locked until the transaction ends. */
  lock(orderId: string): Promise<OrderGroup | null>;
  /** The group that an intent was fired for, locked. */
  lockByFire(intentId: string): Promise<OrderGroup | null>;
  /**
   * Groups that sell a wallet's units of a token and have an order that is not closed, locked, oldest first: of its position, and of
   * purchases with legs.
   */
  lockExits(walletId: string, mint: Address): Promise<readonly OrderGroup[]>;
  /** The groups whose legs wait for this buy, locked. */
  lockByParent(intentId: string): Promise<readonly OrderGroup[]>;
  /** Writes units and orders of a group. False, and nothing is written, where one of them is not as it was read. */
  write(
    passed: Passed<OrderWriting>,
    group: Pick<OrderGroup, 'id' | 'units' | 'sold'>,
    writes: readonly OrderWrite[],
  ): Promise<boolean>;
  /** Throws where the units of live fires would be more than the group has left. */
  addFire(fire: OrderFire): Promise<void>;
  endFire(orderId: string, n: number, end: FireEnd): Promise<void>;
  /** Firings of one order, newest first. */
  fires(orderId: string, limit: number): Promise<readonly OrderFire[]>;
  /** Groups with an order of the person that is not closed, oldest first. */
  listOpen(userId: string): Promise<readonly OrderGroup[]>;
  /** Groups of which no order is open any more, newest first. */
  listClosed(userId: string, limit: number): Promise<readonly OrderGroup[]>;
  /** Orders of the person that are not closed: on this token, and in all. */
  countOpen(userId: string, mint: Address): Promise<{ readonly onToken: number; readonly ofPerson: number }>;
  countOpenByWallet(walletId: string): Promise<number>;
  /** Lamports that fired buys of the person took since then, that live ones may take, and that pasted tokens and copies were bought for. */
  spentSince(userId: string, since: number): Promise<bigint>;
  /** Pauses every open order of a person, or of everybody, and marks those whose fire is live. Returns how many. */
  pauseAll(userId: string | null, reason: PauseReason, at: number): Promise<number>;
  /** Pauses as `locked` the orders of a person that a PIN granted something, and those that a program placed, as `pauseAll` does. Returns how many. */
  pauseGranted(userId: string): Promise<number>;
  /** Whether `pauseGranted` would pause an open order, or one that fires now and would stay open. */
  hasGranted(userId: string): Promise<boolean>;
  /** Ids of open orders whose grant is over at `now`, at most 200. */
  grantsOver(now: number): Promise<readonly string[]>;
  pulse(now: number): Promise<OrderPulse>;
  /**
   * Ids of open orders that were placed for longer than a day, end within one, and whose person was not notified of it (`told.ending`). The
   * nearest end first, at most 200.
   */
  endingSoon(now: number): Promise<readonly string[]>;
  /** Ids of the orders that are OPEN in these shards, the oldest change first. */
  openIdsIn(shards: readonly number[]): Promise<readonly string[]>;
  /** Those of these orders that are OPEN, with their groups, the oldest change first. */
  openAmong(orderIds: readonly string[]): Promise<readonly ChangedOrder[]>;
  /**
   * Orders of any status that changed after that place, oldest change first, at most `limit`: a full page has a next one. Transactions end
   * in any order: ask with an overlap of time.
   */
  changedSince(after: ChangePlace, limit: number): Promise<readonly ChangedOrder[]>;
  /** The time of the newest change; 0 before the first. */
  newestSeq(): Promise<bigint>;
}

/** In which shard a mint falls. */
export function shardOf(mint: Address): number {
  let sum = 0;
  for (const letter of mint) sum = (sum * 31 + letter.charCodeAt(0)) % 65_536;
  return sum % ORDER_SHARDS;
}

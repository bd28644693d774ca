import type { Address } from '../address/address.ts';
import type { Rate } from './rate.ts';

export type OrderSide = 'buy' | 'sell';

/** A DCA fires by time, everything else by price. */
export type OrderType = 'LIMIT' | 'TAKE_PROFIT' | 'STOP_LOSS' | 'TRAILING_STOP' | 'STOP_BUY' | 'DCA';

/** There is no FAILED: what cannot be done now is OPEN or PAUSED with a reason. */
export type OrderStatus = 'WAITING' | 'OPEN' | 'TRIGGERED' | 'PAUSED' | 'FILLED' | 'CANCELLED' | 'EXPIRED';

export type PauseReason =
  | 'person'
  | 'panic'
  | 'restored'
  | 'budget'
  | 'cap'
  | 'safety'
  | 'liquidity'
  | 'supply';

export type CancelReason = 'person' | 'oco' | 'dust' | 'position-closed' | 'parent-ended';

/** What the units of one order are part of. */
export type OrderAmount =
  /** Smallest units of what is given: lamports of a buy, token units of a sale. */
  | { readonly kind: 'fixed'; readonly units: bigint }
  /** Hundredths of a percent of the group's initial units. */
  | { readonly kind: 'share'; readonly bps: number }
  /** All that other legs leave. */
  | { readonly kind: 'rest' };

export type Order = {
  readonly id: string;
  readonly groupId: string;
  readonly walletId: string;
  readonly mint: Address;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly status: OrderStatus;
  readonly reason: PauseReason | CancelReason | null;
  /** Grows with each write; every write expects the one that it read. */
  readonly version: number;
  readonly amount: OrderAmount;
  /** Units given so far, and what came for them, both from receipts. */
  readonly filled: bigint;
  readonly received: bigint;
  /** What is compared with it is in the same unit. Null for a DCA and for a trailing stop. */
  readonly unit: PriceUnit;
  readonly trigger: Rate | null;
  /** Consecutive believed slots for which the condition must hold. */
  readonly holdSlots: number;
  /** Whether a part of it may be bought or sold. */
  readonly partial: boolean;
  /** How often it fired; the n of the last fire. */
  readonly fires: number;
  readonly burntLamports: bigint;
  /** The slot before which it does not fire again; null = at once. */
  readonly notBeforeSlot: bigint | null;
  /** What becomes of it if the fire that is live has no effect. */
  readonly afterwards: Afterwards | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
};

export type PriceUnit = 'SOL' | 'USD';

export type Afterwards =
  | { readonly status: 'PAUSED'; readonly reason: PauseReason }
  | { readonly status: 'CANCELLED'; readonly reason: CancelReason };

/** One firing that has not ended. Its units are bound until its intent has ended. */
export type LiveFire = {
  readonly orderId: string;
  readonly n: number;
  readonly intentId: string;
  readonly units: bigint;
};

/** Orders that share units. */
export type OrderGroup = {
  readonly id: string;
  readonly kind: 'SINGLE' | 'OCO' | 'OTOCO';
  /** What the group was given; null = a group on a position, which takes what is held. */
  readonly units: bigint | null;
  readonly sold: bigint;
  readonly orders: readonly Order[];
  readonly liveFires: readonly LiveFire[];
};

const CLOSED: readonly OrderStatus[] = ['FILLED', 'CANCELLED', 'EXPIRED'];

export function isClosed({ status }: Pick<Order, 'status'>): boolean {
  return CLOSED.includes(status);
}

/** The units of a group that no sale has taken and no live fire binds. `held` stands in where the group was given none. */
export function freeUnits(group: OrderGroup, held: bigint): bigint {
  const bound = group.liveFires.reduce((sum, fire) => sum + fire.units, 0n);
  const given = group.units === null ? held : group.units - group.sold;
  const free = given - bound;
  return free > 0n ? free : 0n;
}

/**
 * The units that an order may give now: never more than the group has free, and never more than is held. A share is of the
 * group's initial units, rounded down.
 */
export function unitsToGive(group: OrderGroup, order: Order, held: bigint): bigint {
  const most = [freeUnits(group, held), held];
  if (order.amount.kind === 'fixed') most.push(order.amount.units - order.filled);
  if (order.amount.kind === 'share') {
    // A position's share is of what is held now and of what this order has sold of it already.
    const initial = group.units ?? held + order.filled;
    most.push((initial * BigInt(order.amount.bps)) / 10_000n - order.filled);
  }
  const units = most.reduce((least, value) => (value < least ? value : least));
  return units > 0n ? units : 0n;
}

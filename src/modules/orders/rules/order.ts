import type { Address } from '@tradepost/solana';
import type { OrderSide, OrderStatus, PriceUnit } from '../../../core/errors/details.ts';
import type { Grants } from '../../guard/rules/grants.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { LandedFailure } from './budget.ts';
import type { OrderEvent } from './event-trigger.ts';
import type { Rate } from './rate.ts';
import type { ScheduleProgress } from './schedule.ts';

export type { OrderSide, OrderStatus, PriceUnit } from '../../../core/errors/details.ts';

/** A DCA fires by time, the last two by an event (`event-trigger.ts`), everything else by price. */
export const ORDER_TYPES = [
  'LIMIT',
  'TAKE_PROFIT',
  'STOP_LOSS',
  'TRAILING_STOP',
  'STOP_BUY',
  'DCA',
  'DEV_SELLS',
  'LIQUIDITY_FALLS',
] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

export type PauseReason =
  | 'person'
  | 'panic'
  | 'restored'
  | 'budget'
  | 'cap'
  | 'safety'
  | 'liquidity'
  | 'supply'
  /** The judge of trades: less than the fair price, a doubted token, and grants from before a lock. */
  | 'steep'
  | 'doubt'
  | 'locked'
  /** The signer certified no order like this row: its person has not agreed to it. */
  | 'unsealed';

export type CancelReason = 'person' | 'oco' | 'dust' | 'position-closed' | 'parent-ended';

/** The whole of which one order's units are a part. */
export type OrderAmount =
  /** Smallest units of the mint given: lamports of a buy, token units of a sale. */
  | { readonly kind: 'fixed'; readonly units: bigint }
  /** Hundredths of a percent of the group's initial units. */
  | { readonly kind: 'share'; readonly bps: number }
  /** All that other legs leave. */
  | { readonly kind: 'rest' };

export type Order = {
  readonly id: string;
  readonly groupId: string;
  readonly userId: string;
  /** The person's name for it: 1, 2, 3 … of theirs. */
  readonly number: number;
  readonly walletId: string;
  readonly mint: Address;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly status: OrderStatus;
  readonly reason: PauseReason | CancelReason | null;
  /** Grows with each write; every write expects the one that it read. */
  readonly version: number;
  readonly amount: OrderAmount;
  /** Units given so far, and units received for them, both from receipts. */
  readonly filled: bigint;
  readonly received: bigint;
  /** Prices that are compared with it are in the same unit. Null for a DCA, for a trailing stop and for an event. */
  readonly unit: PriceUnit;
  readonly trigger: Rate | null;
  /** Milliseconds for which the condition must hold, in believed slots without a break; 0 = one slot is enough. */
  readonly holdMs: number;
  /** Whether a part of it may be bought or sold. */
  readonly partial: boolean;
  /** How often it fired; the n of the last fire. */
  readonly fires: number;
  readonly burntLamports: bigint;
  /** The slot before which it does not fire again; null = at once. */
  readonly notBeforeSlot: bigint | null;
  /** Its next state if the live fire has no effect. */
  readonly afterwards: Afterwards | null;
  readonly terms: OrderTerms;
  readonly progress: OrderProgress;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly createdAt: number;
  /** The signer's, over `orderFacts`; null = none. */
  readonly certificate: string | null;
};

/** The agreed terms beside trigger and amount. They change by an edit alone. */
export type OrderTerms = {
  /** How the person said the price: `-20%`, `$0.0003`, `2x`; for lists. */
  readonly request: string;
  /** How much worse than its trigger it may end, in hundredths of a percent; 0 for a limit order that asked for nothing else. */
  readonly toleranceBps: number;
  /** Below the quote of a fire: the part that may be lost to others on the way. */
  readonly slippageBps: number;
  readonly tier: PriorityTier;
  /** The least acceptable rate of a stop, in the unit of its trigger; null = at any price. */
  readonly floor: Rate | null;
  readonly trailing: { readonly bps: number; readonly activation: Rate | null } | null;
  /** What it waits for in the place of a price; absent where it waits for none. */
  readonly event?: OrderEvent;
  readonly schedule: {
    readonly startAt: number;
    readonly intervalMs: number;
    readonly rounds: number;
    /** A round outside of it waits; both in SOL. */
    readonly band: { readonly least: Rate | null; readonly most: Rate | null };
  } | null;
  /** At its expiry the rest is sold as by a stop. */
  readonly sellsOnExpiry: boolean;
  /** Codes of the token's warnings when it was placed: a new one pauses a buy. */
  readonly accepted: readonly string[];
  /** Units of the token there were; null unless the price was said as a cap. */
  readonly supply: bigint | null;
  /** Lamports in the pools when it was placed; null = not known. */
  readonly depthLamports: bigint | null;
  /** The part that the PIN allowed; null where it needed none. Absent in rows from before this question: they were granted nothing. */
  readonly grants?: Grants | null;
  /** Of an order that a person's program placed: its key, and the guard's lock then. A lock since then ends it. Absent once its person agreed anew. */
  readonly program?: { readonly keyId: string; readonly lockEpoch: number };
  /** When its person last edited or resumed it, epoch milliseconds; absent = it is as it was placed. An earlier agreement is void. */
  readonly agreedAt?: number;
};

/** The traces of its attempts. */
export type OrderProgress = {
  /** Refusals in a row before anything was signed. */
  readonly refusals: number;
  /** Why it is open although its condition was met; null = nothing to say. `code` is an error code or a word of `FireRefusal`. */
  readonly note: { readonly code: string; readonly at: number } | null;
  /** When each reason was sent last. */
  readonly told: Readonly<Record<string, number>>;
  /** Landed failures of the last hours. */
  readonly failures: readonly LandedFailure[];
  /** From when on a trailing stop follows the price; null = not yet. */
  readonly activatedAt: number | null;
  readonly schedule: ScheduleProgress | null;
  /** Codes of warnings that were not accepted and that paused it: a person who resumes it accepts them. */
  readonly doubts?: readonly string[];
  /** The n of the last fire that another account left units for: it took all that one account had. */
  readonly short?: number;
  /** That fire has sold: the other account's units are sold next, and the order stays open until then. */
  readonly follows?: true;
};

export const NO_PROGRESS: OrderProgress = {
  refusals: 0,
  note: null,
  told: {},
  failures: [],
  activatedAt: null,
  schedule: null,
};

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

/** One firing, over or not, with its result. */
export type OrderFire = LiveFire & {
  readonly groupId: string;
  readonly slot: bigint;
  /** The output that the quote of the fire promised. */
  readonly quoted: bigint;
  /** What its event came to then: units that the creator had sold, or the liquidity. Absent where no event was asked for. */
  readonly eventSeen?: bigint;
  readonly firedAt: number;
  /** Null while it is live. */
  readonly end: FireEnd | null;
};

export type FireEnd = {
  readonly at: number;
  readonly result: 'settled' | 'voided';
  /** From the receipt; 0 of a fire without effect. */
  readonly given: bigint;
  readonly got: bigint;
  readonly burntLamports: bigint;
  /** Error code or the chain's error; null when it succeeded. */
  readonly reason: string | null;
};

/** Orders that share units. */
export type OrderGroup = {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly mint: Address;
  /** Minted before the confirm screen: one placing, however often it is said. */
  readonly placeKey: string;
  /** The buy that its legs wait for. */
  readonly parentIntentId: string | null;
  readonly createdAt: number;
  readonly kind: 'SINGLE' | 'OCO' | 'OTOCO';
  /** The units of the group; null = a group on a position, which takes the units held. */
  readonly units: bigint | null;
  readonly sold: bigint;
  readonly orders: readonly Order[];
  readonly liveFires: readonly LiveFire[];
};

export const CLOSED_ORDER_STATUSES: readonly OrderStatus[] = ['FILLED', 'CANCELLED', 'EXPIRED'];

/** Whether a group is of a position: its orders take the whole holding when they fire. */
export function isPosition({ units, parentIntentId }: Pick<OrderGroup, 'units' | 'parentIntentId'>): boolean {
  return units === null && parentIntentId === null;
}

export function isClosed({ status }: Pick<Order, 'status'>): boolean {
  return CLOSED_ORDER_STATUSES.includes(status);
}

/** The units of a group that no sale has taken and no live fire binds. `held` is used where the group was given none. */
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
    // A position's share is of the units held now and of those that this order has sold already.
    const initial = group.units ?? held + order.filled;
    most.push((initial * BigInt(order.amount.bps)) / 10_000n - order.filled);
  }
  const units = most.reduce((least, value) => (value < least ? value : least));
  return units > 0n ? units : 0n;
}

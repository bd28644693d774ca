import type { Address } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { isEventType, type OrderEvent } from '../rules/event-trigger.ts';
import { ANY_PRICE, defaultFloor } from '../rules/fire-terms.ts';
import {
  NO_PROGRESS,
  type Order,
  type OrderAmount,
  type OrderGroup,
  type OrderSide,
  type OrderType,
  type PriceUnit,
} from '../rules/order.ts';
import { PLACEMENT } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { SCHEDULE_START } from '../rules/schedule.ts';
import { directionOf, type HoldChoice, holdMsOfType } from '../rules/trigger.ts';

/** One order of a person's draft, its price resolved: the order on the screen is the one that is placed. */
export type OrderDraft = {
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly amount: OrderAmount;
  readonly unit: PriceUnit;
  /** Null for a type that fires by time or by an event, and for one that trails. */
  readonly trigger: Rate | null;
  /** How the price was said. */
  readonly request: string;
  /** Absent: the default of its type. */
  readonly toleranceBps?: number;
  /** Of a stop; `default` = a quarter below the trigger, `any` = at any price. */
  readonly floor: 'default' | 'any' | Rate;
  readonly trailing: { readonly bps: number; readonly activation: Rate | null } | null;
  readonly hold: HoldChoice;
  readonly partial: boolean;
  readonly schedule: {
    readonly intervalMs: number;
    readonly rounds: number;
    /** Until the first round, from the placing on; absent: at once. */
    readonly startsInMs?: number;
    readonly band: { readonly least: Rate | null; readonly most: Rate | null };
  } | null;
  readonly sellsOnExpiry: boolean;
  /** Of a fall of liquidity, in hundredths of a percent. */
  readonly fallBps?: number;
  /** The state that its event is measured from; `viewDraft` finds it where it is absent. */
  readonly event?: OrderEvent;
};

export type DraftGroup = {
  readonly userId: string;
  readonly walletId: string;
  readonly mint: Address;
  /** Minted before the screen was shown. */
  readonly placeKey: string;
  readonly kind: OrderGroup['kind'];
  /** The units that its orders share; null = those held when they fire. */
  readonly units: bigint | null;
  readonly drafts: readonly OrderDraft[];
  readonly expiresAt: number;
  readonly slippageBps: number;
  readonly tier: PriorityTier;
  /** Codes of warnings of the token that the person has seen. */
  readonly accepted: readonly string[];
  readonly supply: bigint | null;
  /** The buy that the orders wait for; they sell its units. */
  readonly parentIntentId: string | null;
  /** Sales that wait for the units of this purchase. */
  readonly legs?: BracketLegs;
};

/** Sales of a purchase's units, in a group of their own. Their amounts are shares, or the rest that others leave. */
export type BracketLegs = {
  readonly drafts: readonly OrderDraft[];
  readonly expiresAt: number;
};

/** How much worse than its trigger an order may end unless it says so. */
export function toleranceOf({ type, toleranceBps }: Pick<OrderDraft, 'type' | 'toleranceBps'>): number {
  return toleranceBps ?? (type === 'STOP_BUY' ? PLACEMENT.stopBuyToleranceBps : 0);
}

/** The rows of a placing. */
export function newGroup(
  draft: DraftGroup,
  made: {
    readonly id: () => string;
    readonly now: number;
    readonly depthLamports: bigint | null;
  },
): OrderGroup {
  const { userId, walletId, mint, placeKey, kind, units, parentIntentId } = draft;
  const id = made.id();
  const group = { id, userId, walletId, mint, placeKey, kind, units, parentIntentId };
  // Legs wait for one fill: an entry that came in parts would leave the later ones without a stop.
  const whole = (one: OrderDraft): OrderDraft =>
    draft.legs === undefined ? one : { ...one, partial: false };
  const orders = draft.drafts.map((one) => newOrder(draft, whole(one), { ...made, groupId: id }));
  return { ...group, sold: 0n, createdAt: made.now, orders, liveFires: [] };
}

function scheduleFrom(
  now: number,
  { startsInMs = 0, ...schedule }: NonNullable<OrderDraft['schedule']>,
): NonNullable<Order['terms']['schedule']> {
  return { startAt: now + startsInMs, ...schedule };
}

export function newOrder(
  group: Omit<DraftGroup, 'drafts' | 'kind' | 'units' | 'placeKey'>,
  draft: OrderDraft,
  made: {
    readonly id: () => string;
    readonly now: number;
    readonly groupId: string;
    readonly depthLamports: bigint | null;
  },
): Order {
  const { side, type, amount, unit, trigger, trailing, schedule, event } = draft;
  return {
    id: made.id(),
    groupId: made.groupId,
    userId: group.userId,
    number: 0,
    walletId: group.walletId,
    mint: group.mint,
    side,
    type,
    status: group.parentIntentId === null ? 'OPEN' : 'WAITING',
    reason: null,
    version: 1,
    amount,
    filled: 0n,
    received: 0n,
    unit,
    trigger,
    holdMs: holdMsOfType(type, draft.hold),
    partial: draft.partial,
    fires: 0,
    burntLamports: 0n,
    notBeforeSlot: null,
    afterwards: null,
    terms: {
      request: draft.request,
      toleranceBps: toleranceOf(draft),
      slippageBps: bps(group.slippageBps),
      tier: group.tier,
      floor: floorOf(draft),
      trailing,
      ...(event === undefined ? {} : { event }),
      schedule: schedule === null ? null : scheduleFrom(made.now, schedule),
      sellsOnExpiry: draft.sellsOnExpiry && side === 'sell',
      accepted: group.accepted,
      supply: group.supply,
      depthLamports: made.depthLamports,
    },
    progress: {
      ...NO_PROGRESS,
      activatedAt: trailing !== null && trailing.activation === null ? made.now : null,
      schedule: schedule === null ? null : SCHEDULE_START,
    },
    expiresAt: group.expiresAt,
    createdAt: made.now,
    certificate: null,
  };
}

/** Null where none is kept: a rising order has its limit, and a trailing one gets a floor from its high when it fires. */
function floorOf({ type, side, trigger, floor }: OrderDraft): Rate | null {
  // After a rug a floor keeps its owner in: these two have one only where it was chosen.
  if (isEventType(type)) return typeof floor === 'string' ? ANY_PRICE : floor;
  if (side === 'buy' || directionOf(type) !== 'FALL') return null;
  if (floor === 'any') return ANY_PRICE;
  if (floor !== 'default') return floor;
  return trigger === null ? null : defaultFloor(trigger);
}

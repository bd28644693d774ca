import { type BigintColumn, fromTime, fromTimeOrNull, toTime } from '../../../platform/db/codec.ts';
import { ORDER_PROGRESS, ORDER_TERMS } from '../../../platform/db/json/order-json.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type {
  Afterwards,
  FireEnd,
  LiveFire,
  Order,
  OrderAmount,
  OrderFire,
  OrderGroup,
} from '../rules/order.ts';
import { shardOf } from './order-store-port.ts';

/** The column counts in slots of the time when it was made; 1 of them is none. */
const HOLD_STEP_MS = 400;

export const ORDER_COLUMNS = `id, number, group_id AS "groupId", user_id AS "userId", wallet_id AS "walletId", mint, side, type,
  status, reason, version, seq::text AS seq, amount::text AS amount, share_bps AS "shareBps", filled::text AS filled,
  received::text AS received, unit, trigger_got::text AS "triggerGot", trigger_given::text AS "triggerGiven",
  CASE WHEN hold_slots <= 1 THEN 0 ELSE hold_slots * ${HOLD_STEP_MS} END AS "holdMs", partial, fires, burnt_lamports::text AS "burntLamports",
  not_before_slot::text AS "notBeforeSlot", afterwards, terms, progress, expires_at AS "expiresAt",
  created_at AS "createdAt", certificate`;

export const GROUP_COLUMNS = `id, user_id AS "userId", wallet_id AS "walletId", mint, kind, units::text AS units,
  sold::text AS sold, parent_intent_id AS "parentIntentId", place_key AS "placeKey", created_at AS "createdAt"`;

export const FIRE_COLUMNS = `order_id AS "orderId", n, group_id AS "groupId", intent_id AS "intentId", units::text AS units,
  slot::text AS slot, quoted::text AS quoted, event_seen::text AS "eventSeen", fired_at AS "firedAt", ended_at AS "endedAt", result,
  given::text AS given, got::text AS got, burnt_lamports::text AS "burntLamports", reason`;

type Whole = BigintColumn;
type Derived =
  | 'mint'
  | 'amount'
  | 'filled'
  | 'received'
  | 'trigger'
  | 'burntLamports'
  | 'notBeforeSlot'
  | 'afterwards'
  | 'terms'
  | 'progress'
  | 'expiresAt'
  | 'createdAt';

export type OrderRow = Omit<Order, Derived> & {
  readonly mint: string;
  readonly seq: Whole;
  readonly amount: Whole | null;
  readonly shareBps: number | null;
  readonly filled: Whole;
  readonly received: Whole;
  readonly triggerGot: Whole | null;
  readonly triggerGiven: Whole | null;
  readonly burntLamports: Whole;
  readonly notBeforeSlot: Whole | null;
  readonly afterwards: string | null;
  readonly terms: unknown;
  readonly progress: unknown;
  readonly expiresAt: Date;
  readonly createdAt: Date;
};

export type GroupRow = Omit<OrderGroup, 'mint' | 'units' | 'sold' | 'orders' | 'liveFires' | 'createdAt'> & {
  readonly mint: string;
  readonly units: Whole | null;
  readonly sold: Whole;
  readonly createdAt: Date;
};

export type FireRow = Omit<LiveFire, 'units'> & {
  readonly groupId: string;
  readonly units: Whole;
  readonly slot: Whole;
  readonly quoted: Whole;
  readonly eventSeen: Whole | null;
  readonly firedAt: Date;
  readonly endedAt: Date | null;
  readonly result: FireEnd['result'] | null;
  readonly given: Whole;
  readonly got: Whole;
  readonly burntLamports: Whole;
  readonly reason: string | null;
};

export function toOrder(row: OrderRow): Order {
  const { seq: _seq, shareBps, triggerGot, triggerGiven, ...rest } = row;
  return {
    ...rest,
    mint: storedAddress(row.mint),
    amount: amountOf(row.amount, shareBps),
    filled: BigInt(row.filled),
    received: BigInt(row.received),
    trigger:
      triggerGot === null || triggerGiven === null
        ? null
        : { got: BigInt(triggerGot), given: BigInt(triggerGiven) },
    burntLamports: BigInt(row.burntLamports),
    notBeforeSlot: orNull(row.notBeforeSlot),
    afterwards: afterwardsOf(row.afterwards),
    terms: ORDER_TERMS.decode(row.id, row.terms),
    progress: ORDER_PROGRESS.decode(row.id, row.progress),
    expiresAt: fromTime(row.expiresAt),
    createdAt: fromTime(row.createdAt),
  };
}

export function toGroup(row: GroupRow, orders: readonly OrderRow[], fires: readonly FireRow[]): OrderGroup {
  return {
    ...row,
    mint: storedAddress(row.mint),
    units: orNull(row.units),
    sold: BigInt(row.sold),
    createdAt: fromTime(row.createdAt),
    orders: orders.filter(({ groupId }) => groupId === row.id).map(toOrder),
    liveFires: fires
      .filter(({ groupId, endedAt }) => groupId === row.id && endedAt === null)
      .map(({ orderId, n, intentId, units }) => ({ orderId, n, intentId, units: BigInt(units) })),
  };
}

export function toFire(row: FireRow): OrderFire {
  const { orderId, n, intentId, groupId, endedAt, result, reason } = row;
  const at = fromTimeOrNull(endedAt);
  return {
    orderId,
    n,
    intentId,
    groupId,
    units: BigInt(row.units),
    slot: BigInt(row.slot),
    quoted: BigInt(row.quoted),
    ...(row.eventSeen === null ? {} : { eventSeen: BigInt(row.eventSeen) }),
    firedAt: fromTime(row.firedAt),
    end:
      at === null || result === null
        ? null
        : {
            at,
            result,
            reason,
            given: BigInt(row.given),
            got: BigInt(row.got),
            burntLamports: BigInt(row.burntLamports),
          },
  };
}

/** An order as `jsonb_to_recordset` takes it, by column. */
export function orderRecord(order: Order): Readonly<Record<string, unknown>> {
  const { amount, trigger } = order;
  return {
    id: order.id,
    number: order.number,
    group_id: order.groupId,
    user_id: order.userId,
    wallet_id: order.walletId,
    mint: order.mint,
    side: order.side,
    type: order.type,
    status: order.status,
    reason: order.reason,
    version: order.version,
    shard: shardOf(order.mint),
    amount: amount.kind === 'fixed' ? amount.units.toString() : null,
    share_bps: amount.kind === 'share' ? amount.bps : null,
    filled: order.filled.toString(),
    received: order.received.toString(),
    unit: order.unit,
    trigger_got: trigger?.got.toString() ?? null,
    trigger_given: trigger?.given.toString() ?? null,
    hold_slots: Math.max(1, Math.round(order.holdMs / HOLD_STEP_MS)),
    partial: order.partial,
    fires: order.fires,
    burnt_lamports: order.burntLamports.toString(),
    not_before_slot: order.notBeforeSlot?.toString() ?? null,
    afterwards: order.afterwards === null ? null : `${order.afterwards.status}:${order.afterwards.reason}`,
    terms: ORDER_TERMS.encode(order.id, order.terms),
    progress: ORDER_PROGRESS.encode(order.id, order.progress),
    expires_at: toTime(order.expiresAt),
    created_at: toTime(order.createdAt),
    certificate: order.certificate,
  };
}

export const ORDER_RECORD = `(id text, number int, group_id text, user_id text, wallet_id text, mint text, side text, type text,
  status text, reason text, version int, shard int, amount numeric, share_bps int, filled numeric, received numeric,
  unit text, trigger_got numeric, trigger_given numeric, hold_slots int, partial boolean, fires int,
  burnt_lamports bigint, not_before_slot bigint, afterwards text, terms text, progress text, expires_at timestamptz,
  created_at timestamptz, certificate text)`;

function amountOf(units: Whole | null, shareBps: number | null): OrderAmount {
  if (units !== null) return { kind: 'fixed', units: BigInt(units) };
  return shareBps === null ? { kind: 'rest' } : { kind: 'share', bps: shareBps };
}

/** `PAUSED:panic`, as `orderRecord` writes it. */
function afterwardsOf(text: string | null): Afterwards | null {
  if (text === null) return null;
  const [status, reason] = text.split(':');
  return { status, reason } as Afterwards;
}

function orNull(value: Whole | null): bigint | null {
  return value === null ? null : BigInt(value);
}

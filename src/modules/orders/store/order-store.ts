import { firstUlid } from '../../../core/time/ulid.ts';
import { encodePlain, toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Connection, Parameter, Query } from '../../../platform/db/connection.ts';
import { AUTO_BUY_PREFIX } from '../../auto-buy/rules.ts';
import { COPY_PREFIX } from '../../copying/rules/copy-trade.ts';
import { isClosed, isPosition, type Order, type OrderFire, type OrderGroup } from '../rules/order.ts';
import type { OrderWrite } from '../rules/transition.ts';
import {
  FIRE_COLUMNS,
  type FireRow,
  GROUP_COLUMNS,
  type GroupRow,
  ORDER_COLUMNS,
  ORDER_RECORD,
  type OrderRow,
  orderRecord,
  toFire,
  toGroup,
} from './order-row.ts';
import type { ChangedOrder, OrderStore } from './order-store-port.ts';

// SQL: locks, compare-and-set of versions, and rows that go in as arrays.

const NOW_SEQ = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';
/** It rests on a PIN of before, or on a program's key. */
const ENDS_WITH_LOCK = `(jsonb_typeof(terms -> 'grants') = 'object' OR jsonb_typeof(terms -> 'program') = 'object')`;
const NOT_CLOSED = `status NOT IN ('FILLED', 'CANCELLED', 'EXPIRED')`;

export function createOrderStore({ query, atomic }: Connection): OrderStore {
  const groups = groupReader(query);
  const one = async (where: string, values: readonly Parameter[], locked = false) =>
    (await groups(where, values, locked))[0] ?? null;
  return {
    insert: (_passed, group) => atomic((inside) => insertGroup(inside.query, group)),
    join: (_passed, group, joining) => atomic((inside) => joinGroup(inside.query, group, joining)),
    findByPlaceKey: (placeKey) =>
      one('place_key = $1 OR id IN (SELECT group_id FROM orders WHERE place_key = $1)', [placeKey]),
    find: (orderId) => one('id = (SELECT group_id FROM orders WHERE id = $1)', [orderId]),
    lock: (orderId) => one('id = (SELECT group_id FROM orders WHERE id = $1)', [orderId], true),
    lockByFire: (intentId) =>
      one('id = (SELECT group_id FROM order_fires WHERE intent_id = $1)', [intentId], true),
    lockExits: (walletId, mint) =>
      groups(
        `wallet_id = $1 AND mint = $2 AND (units IS NULL OR parent_intent_id IS NOT NULL)
         AND EXISTS (SELECT FROM orders WHERE group_id = order_groups.id AND ${NOT_CLOSED})`,
        [walletId, mint],
        true,
      ),
    lockByParent: (intentId) => groups('parent_intent_id = $1', [intentId], true),
    write: (_passed, group, writes) => atomic((inside) => writeGroup(inside.query, group, writes)),
    addFire: (fire) => insertFire(query, fire),
    endFire: async (orderId, n, end) => {
      await query(
        `UPDATE order_fires SET ended_at = $3::timestamptz, result = $4, given = $5::numeric, got = $6::numeric,
           burnt_lamports = $7::bigint, reason = $8
         WHERE order_id = $1 AND n = $2::int AND ended_at IS NULL`,
        [
          orderId,
          n,
          toTime(end.at),
          end.result,
          end.given.toString(),
          end.got.toString(),
          end.burntLamports.toString(),
          end.reason,
        ],
      );
    },
    fires: async (orderId, limit) =>
      (
        await query<FireRow>(
          `SELECT ${FIRE_COLUMNS} FROM order_fires WHERE order_id = $1 ORDER BY n DESC LIMIT $2::int`,
          [orderId, limit],
        )
      ).map(toFire),
    listOpen: (userId) =>
      groups(`id IN (SELECT group_id FROM orders WHERE user_id = $1 AND ${NOT_CLOSED})`, [userId]),
    listClosed: async (userId, limit) =>
      (
        await groups(
          `id IN (SELECT id FROM order_groups closed WHERE user_id = $1 AND NOT EXISTS
             (SELECT 1 FROM orders WHERE group_id = closed.id AND ${NOT_CLOSED})
             ORDER BY created_at DESC, id DESC LIMIT $2::int)`,
          [userId, limit],
        )
      ).toReversed(),
    countOpen: async (userId, mint) => {
      const [row] = await query<{ readonly onToken: number; readonly ofPerson: number }>(
        `SELECT (count(*) FILTER (WHERE mint = $2))::int AS "onToken", count(*)::int AS "ofPerson"
         FROM orders WHERE user_id = $1 AND ${NOT_CLOSED}`,
        [userId, mint],
      );
      return row ?? { onToken: 0, ofPerson: 0 };
    },
    countOpenByWallet: async (walletId) => {
      const [row] = await query<{ readonly open: number }>(
        `SELECT count(*)::int AS open FROM orders WHERE group_id IN (SELECT id FROM order_groups WHERE wallet_id = $1)
           AND ${NOT_CLOSED}`,
        [walletId],
      );
      return row?.open ?? 0;
    },
    spentSince: async (userId, since) => {
      const [row] = await query<{ readonly spent: string }>(
        `SELECT ((SELECT coalesce(sum(CASE WHEN fire.result IS NULL THEN fire.units ELSE fire.given END), 0)
           FROM order_fires fire JOIN orders one ON one.id = fire.order_id
           WHERE one.user_id = $1 AND one.side = 'buy' AND fire.fired_at > $2::timestamptz)
         + (SELECT coalesce(sum((params -> 'lamportsIn' ->> '$bigint')::numeric), 0) FROM intents
           WHERE user_id = $1 AND id >= $3 AND kind = 'buy' AND created_at > $2::timestamptz
             AND (starts_with(idem_key, '${AUTO_BUY_PREFIX}') OR starts_with(idem_key, '${COPY_PREFIX}'))
             AND status NOT IN ('REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED')))::text AS spent`,
        [userId, toTime(since), firstUlid(since)],
      );
      return BigInt(row?.spent ?? 0);
    },
    pauseAll: async (userId, reason) => {
      const rows = await query(
        `UPDATE orders SET status = CASE WHEN status = 'OPEN' THEN 'PAUSED' ELSE status END,
           reason = CASE WHEN status = 'OPEN' THEN $2 ELSE reason END,
           afterwards = CASE WHEN status = 'TRIGGERED' THEN 'PAUSED:' || $2 ELSE afterwards END,
           version = version + 1, seq = ${NOW_SEQ}
         WHERE ($1::text IS NULL OR user_id = $1) AND (status = 'OPEN' OR (status = 'TRIGGERED'
           AND (afterwards IS NULL OR afterwards NOT LIKE 'CANCELLED:%')))
         RETURNING id`,
        [userId, reason],
      );
      return rows.length;
    },
    pauseGranted: async (userId) => {
      const rows = await query(
        `UPDATE orders SET status = CASE WHEN status = 'OPEN' THEN 'PAUSED' ELSE status END,
           reason = CASE WHEN status = 'OPEN' THEN 'locked' ELSE reason END,
           afterwards = CASE WHEN status = 'TRIGGERED' THEN 'PAUSED:locked' ELSE afterwards END,
           version = version + 1, seq = ${NOW_SEQ}
         WHERE user_id = $1 AND ${ENDS_WITH_LOCK}
           AND (status = 'OPEN' OR (status = 'TRIGGERED' AND coalesce(afterwards, '') NOT LIKE 'CANCELLED:%'))
         RETURNING id`,
        [userId],
      );
      return rows.length;
    },
    hasGranted: async (userId) => {
      const rows = await query(
        `SELECT id FROM orders WHERE user_id = $1 AND ${ENDS_WITH_LOCK}
           AND (status = 'OPEN' OR (status = 'TRIGGERED' AND afterwards IS NULL)) LIMIT 1`,
        [userId],
      );
      return rows.length > 0;
    },
    grantsOver: async (now) =>
      (
        await query<{ readonly id: string }>(
          `SELECT id FROM orders WHERE status = 'OPEN' AND (terms -> 'grants' ->> 'until')::numeric <= $1::numeric
           ORDER BY id LIMIT 200`,
          [String(now)],
        )
      ).map(({ id }) => id),
    pulse: async (now) => {
      const rows = await query<{ readonly id: string | null }>(
        `(SELECT NULL AS id WHERE EXISTS (SELECT 1 FROM orders WHERE status = 'OPEN'))
         UNION ALL
         (SELECT id FROM orders WHERE status IN ('OPEN', 'PAUSED', 'WAITING') AND expires_at <= $1::timestamptz
          ORDER BY expires_at LIMIT 200)`,
        [toTime(now)],
      );
      return {
        isAwake: rows.some(({ id }) => id === null),
        expired: rows.flatMap(({ id }) => (id === null ? [] : [id])),
      };
    },
    endingSoon: async (now) => {
      const rows = await query<{ readonly id: string }>(
        `SELECT id FROM orders WHERE status IN ('OPEN', 'PAUSED', 'WAITING') AND expires_at > $1::timestamptz
           AND expires_at <= $1::timestamptz + interval '1 day' AND created_at < expires_at - interval '1 day'
           AND progress->'told'->'ending' IS NULL ORDER BY expires_at LIMIT 200`,
        [toTime(now)],
      );
      return rows.map(({ id }) => id);
    },
    openIdsIn: async (shards) => {
      const rows = await query<{ readonly id: string }>(
        `SELECT id FROM orders WHERE status = 'OPEN' AND shard = ANY(SELECT unnest($1::text[])::int) ORDER BY seq, id`,
        [shards.map(String)],
      );
      return rows.map(({ id }) => id);
    },
    openAmong: (orderIds) =>
      changed(query, groups, `status = 'OPEN' AND id = ANY($1::text[]) ORDER BY seq, id`, [orderIds]),
    changedSince: ({ seq, id }, limit) =>
      changed(query, groups, '(seq, id) > ($1::bigint, $2) ORDER BY seq, id LIMIT $3::int', [
        seq.toString(),
        id,
        limit,
      ]),
    newestSeq: async () => {
      const [row] = await query<{ readonly seq: string | null }>(
        'SELECT max(seq)::text AS seq FROM orders',
        [],
      );
      return BigInt(row?.seq ?? 0);
    },
  };
}

type Groups = (
  where: string,
  values: readonly Parameter[],
  locked?: boolean,
) => Promise<readonly OrderGroup[]>;

/** Groups with their orders and live fires; oldest first. Locked before the rest is read, so the rest is as the lock found it. */
function groupReader(query: Query): Groups {
  return async (where, values, locked = false) => {
    const found = await query<GroupRow>(
      `SELECT ${GROUP_COLUMNS} FROM order_groups WHERE ${where} ORDER BY created_at, id${locked ? ' FOR NO KEY UPDATE' : ''}`,
      values,
    );
    if (found.length === 0) return [];
    const ids = [found.map(({ id }) => id)];
    const [orders, fires] = await Promise.all([
      query<OrderRow>(
        `SELECT ${ORDER_COLUMNS} FROM orders WHERE group_id = ANY($1::text[]) ORDER BY number, id`,
        ids,
      ),
      query<FireRow>(
        `SELECT ${FIRE_COLUMNS} FROM order_fires WHERE group_id = ANY($1::text[]) AND ended_at IS NULL ORDER BY order_id`,
        ids,
      ),
    ]);
    return found.map((row) => toGroup(row, orders, fires));
  };
}

async function changed(
  query: Query,
  groups: Groups,
  where: string,
  values: readonly Parameter[],
): Promise<readonly ChangedOrder[]> {
  const rows = await query<{ readonly id: string; readonly groupId: string; readonly seq: string }>(
    `SELECT id, group_id AS "groupId", seq::text AS seq FROM orders WHERE ${where}`,
    values,
  );
  if (rows.length === 0) return [];
  const found = await groups('id = ANY($1::text[])', [[...new Set(rows.map(({ groupId }) => groupId))]]);
  const byId = new Map(found.map((group) => [group.id, group]));
  return rows.flatMap(({ id, groupId, seq }) => {
    const group = byId.get(groupId);
    const order = group?.orders.find((one) => one.id === id);
    return group === undefined || order === undefined ? [] : [{ order, group, seq: BigInt(seq) }];
  });
}

async function insertGroup(query: Query, group: OrderGroup): Promise<OrderGroup | null> {
  const inserted = await query(
    `INSERT INTO order_groups (id, user_id, wallet_id, mint, kind, units, sold, parent_intent_id, place_key, created_at, open)
     VALUES ($1, $2, $3, $4, $5, $6::numeric, $7::numeric, $8, $9, $10::timestamptz, $11::boolean)
     ON CONFLICT (place_key) DO NOTHING RETURNING id`,
    [
      group.id,
      group.userId,
      group.walletId,
      group.mint,
      group.kind,
      group.units?.toString() ?? null,
      group.sold.toString(),
      group.parentIntentId,
      group.placeKey,
      toTime(group.createdAt),
      isPosition(group) && group.orders.some((order) => !isClosed(order)),
    ],
  );
  if (inserted.length === 0) return null;
  return { ...group, orders: await insertOrders(query, group.userId, group.orders, null) };
}

async function joinGroup(
  query: Query,
  group: OrderGroup,
  { placeKey, orders }: { readonly placeKey: string; readonly orders: readonly Order[] },
): Promise<OrderGroup | null> {
  const known = await query(
    'SELECT id FROM order_groups WHERE place_key = $1 UNION ALL SELECT id FROM orders WHERE place_key = $1 LIMIT 1',
    [placeKey],
  );
  if (known.length > 0) return null;
  const joined = await insertOrders(query, group.userId, orders, placeKey);
  return { ...group, orders: [...group.orders, ...joined] };
}

/** Orders with the person's next numbers. */
async function insertOrders(
  query: Query,
  userId: string,
  added: readonly Order[],
  placeKey: string | null,
): Promise<readonly Order[]> {
  const [last] = await query<{ readonly number: number }>(
    'SELECT coalesce(max(number), 0)::int AS number FROM orders WHERE user_id = $1',
    [userId],
  );
  const orders = added.map((order, index) => ({
    ...order,
    number: (last?.number ?? 0) + 1 + index,
  }));
  await query(
    `INSERT INTO orders (id, number, group_id, user_id, wallet_id, mint, side, type, status, reason, version, shard, amount,
       share_bps, filled, received, unit, trigger_got, trigger_given, hold_slots, partial, fires, burnt_lamports,
       not_before_slot, afterwards, terms, progress, expires_at, created_at, certificate, place_key)
     SELECT id, number, group_id, user_id, wallet_id, mint, side, type, status, reason, version, shard, amount,
       share_bps, filled, received, unit, trigger_got, trigger_given, hold_slots, partial, fires, burnt_lamports,
       not_before_slot, afterwards, terms::jsonb, progress::jsonb, expires_at, created_at, certificate, $2
     FROM jsonb_to_recordset($1::jsonb) AS r ${ORDER_RECORD}`,
    [encodePlain(orders.map(orderRecord)), placeKey],
  );
  return orders;
}

async function writeGroup(
  query: Query,
  group: Pick<OrderGroup, 'id' | 'units' | 'sold'>,
  writes: readonly OrderWrite[],
): Promise<boolean> {
  const expected = writes.map(({ order, expectVersion, expectStatus }) => ({
    ...orderRecord(order),
    expect_version: expectVersion,
    expect_status: expectStatus,
  }));
  // All or none: the rows are locked and counted before any of them changes.
  const fit = await query(
    `SELECT one.id FROM orders one JOIN jsonb_to_recordset($1::jsonb) AS r (id text, expect_version int, expect_status text)
       ON one.id = r.id AND one.version = r.expect_version AND one.status = r.expect_status
     ORDER BY one.id FOR NO KEY UPDATE OF one`,
    [encodePlain(expected)],
  );
  if (fit.length !== writes.length) return false;
  await query(
    `UPDATE orders one SET status = r.status, reason = r.reason, version = r.version, seq = ${NOW_SEQ}, amount = r.amount,
       share_bps = r.share_bps, filled = r.filled, received = r.received, unit = r.unit, trigger_got = r.trigger_got,
       trigger_given = r.trigger_given, hold_slots = r.hold_slots, partial = r.partial, fires = r.fires,
       burnt_lamports = r.burnt_lamports, not_before_slot = r.not_before_slot, afterwards = r.afterwards,
       terms = r.terms::jsonb, progress = r.progress::jsonb, expires_at = r.expires_at,
       certificate = r.certificate
     FROM jsonb_to_recordset($1::jsonb) AS r ${ORDER_RECORD} WHERE one.id = r.id`,
    [encodePlain(expected)],
  );
  await query(
    `UPDATE order_groups SET units = $2::numeric, sold = $3::numeric,
       open = open AND EXISTS (SELECT FROM orders WHERE group_id = $1 AND ${NOT_CLOSED}) WHERE id = $1`,
    [group.id, group.units?.toString() ?? null, group.sold.toString()],
  );
  return true;
}

async function insertFire(query: Query, fire: OrderFire): Promise<void> {
  await query(
    `INSERT INTO order_fires (order_id, n, group_id, intent_id, units, slot, quoted, fired_at, ended_at, result, event_seen)
     VALUES ($1, $2::int, $3, $4, $5::numeric, $6::bigint, $7::numeric, $8::timestamptz, $9::timestamptz, $10, $11::numeric)`,
    [
      fire.orderId,
      fire.n,
      fire.groupId,
      fire.intentId,
      fire.units.toString(),
      fire.slot.toString(),
      fire.quoted.toString(),
      toTime(fire.firedAt),
      toTimeOrNull(fire.end?.at ?? null),
      fire.end?.result ?? null,
      fire.eventSeen?.toString() ?? null,
    ],
  );
}

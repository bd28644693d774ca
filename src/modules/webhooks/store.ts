import { fromTime, fromTimeOrNull, toTime } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import { storedWord } from '../../platform/db/stored-word.ts';
import { type Delivery, type TryEnd, WEBHOOK_EVENTS, type Webhook } from './rules/webhook.ts';
import type { Claimed, WebhookStore } from './store-port.ts';

// SQL: a place is taken, a try is claimed and its end is written in one statement each, so that two processes never share one.

const HOOK = `webhook.id, webhook.account, webhook.email, webhook.url, webhook.events, webhook.generation,
  webhook.rotated_at AS "rotatedAt", webhook.failing_since AS "failingSince", webhook.disabled_at AS "disabledAt",
  webhook.disabled_for AS "disabledFor", webhook.created_at AS "createdAt"`;
const DELIVERY = `delivery.webhook_id AS "webhookId", delivery.event_id AS "eventId", delivery.type, delivery.body,
  delivery.status AS "deliveryStatus", delivery.attempts, delivery.due_at AS "dueAt", delivery.answer, delivery.error,
  delivery.created_at AS "deliveredFrom"`;

type HookRow = Omit<
  Webhook,
  'events' | 'rotatedAt' | 'failingSince' | 'disabledAt' | 'disabledFor' | 'createdAt'
> & {
  readonly events: string;
  readonly rotatedAt: Date | null;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledFor: string | null;
  readonly createdAt: Date;
};
type DeliveryRow = Omit<Delivery, 'status' | 'dueAt' | 'createdAt'> & {
  readonly deliveryStatus: string;
  readonly dueAt: Date;
  readonly deliveredFrom: Date;
};

type Query = Pick<Connection, 'query'>;
type OfHooks = 'insert' | 'listOf' | 'find' | 'remove' | 'rotate' | 'untold' | 'markTold';

export function createWebhookStore(connection: Query): WebhookStore {
  return { ...hookRows(connection), ...deliveryRows(connection) };
}

function hookRows({ query }: Query): Pick<WebhookStore, OfHooks> {
  return {
    insert: (webhook) => insertHook(query, webhook),
    listOf: async (account) => {
      const rows = await query<HookRow>(
        `SELECT ${HOOK} FROM webhooks AS webhook WHERE account = $1 ORDER BY created_at, id`,
        [account],
      );
      return rows.map(toWebhook);
    },
    find: async (account, id) => {
      const [row] = await query<HookRow>(
        `SELECT ${HOOK} FROM webhooks AS webhook WHERE account = $1 AND id = $2`,
        [account, id],
      );
      return row === undefined ? null : toWebhook(row);
    },
    remove: async (account, id) => {
      const rows = await query(
        `WITH gone AS (DELETE FROM webhook_deliveries USING webhooks AS webhook
           WHERE webhook_id = webhook.id AND webhook.account = $1 AND webhook.id = $2)
         DELETE FROM webhooks WHERE account = $1 AND id = $2 RETURNING 1`,
        [account, id],
      );
      return rows.length === 1;
    },
    rotate: async (account, id, now) => {
      const [row] = await query<HookRow>(
        `UPDATE webhooks AS webhook SET generation = generation + 1, rotated_at = $3::timestamptz
         WHERE account = $1 AND id = $2 RETURNING ${HOOK}`,
        [account, id, toTime(now)],
      );
      return row === undefined ? null : toWebhook(row);
    },
    untold: async (limit) => {
      const rows = await query<HookRow>(
        `SELECT ${HOOK} FROM webhooks AS webhook WHERE disabled_at IS NOT NULL AND told_at IS NULL
         ORDER BY disabled_at LIMIT $1`,
        [limit],
      );
      return rows.map(toWebhook);
    },
    markTold: async (id, now) => {
      await query(
        'UPDATE webhooks SET told_at = $2::timestamptz WHERE id = $1 AND disabled_at IS NOT NULL RETURNING 1',
        [id, toTime(now)],
      );
    },
  };
}

function deliveryRows({ query }: Query): Omit<WebhookStore, OfHooks> {
  return {
    add: async ({ webhookId, eventId, type, body, status, attempts, dueAt, createdAt }) => {
      const rows = await query(
        `INSERT INTO webhook_deliveries (webhook_id, event_id, type, body, status, attempts, due_at, created_at)
         SELECT id, $2, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz FROM webhooks WHERE id = $1
         ON CONFLICT DO NOTHING RETURNING 1`,
        [webhookId, eventId, type, body, status, attempts, toTime(dueAt), toTime(createdAt)],
      );
      return rows.length === 1;
    },
    deliveriesOf: async (webhookId, limit) => {
      const rows = await query<DeliveryRow>(
        `SELECT ${DELIVERY} FROM webhook_deliveries AS delivery WHERE webhook_id = $1
         ORDER BY created_at DESC, event_id LIMIT $2`,
        [webhookId, limit],
      );
      return rows.map(toDelivery);
    },
    replay: async (account, id, since, now, most) => {
      const rows = await query(
        `WITH webhook AS (UPDATE webhooks SET disabled_at = NULL, disabled_for = NULL, told_at = NULL, failing_since = NULL
           WHERE account = $1 AND id = $2 RETURNING id)
         UPDATE webhook_deliveries AS delivery SET status = 'waiting', attempts = 0, due_at = $4::timestamptz, answer = NULL, error = NULL
         FROM webhook WHERE delivery.webhook_id = webhook.id AND delivery.event_id IN (SELECT event_id FROM webhook_deliveries
           WHERE webhook_id = $2 AND status = 'failed' AND created_at >= $3::timestamptz ORDER BY created_at, event_id LIMIT $5)
         RETURNING 1`,
        [account, id, toTime(since), toTime(now), most],
      );
      return rows.length;
    },
    claim: async (now, leaseUntil, { all, ofOne, without }) => {
      const rows = await query<HookRow & DeliveryRow>(
        `WITH due AS (SELECT one.webhook_id, one.event_id FROM webhooks AS webhook,
           LATERAL (SELECT webhook_id, event_id, due_at FROM webhook_deliveries
             WHERE webhook_id = webhook.id AND status = 'waiting' AND due_at <= $1::timestamptz
             ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED) AS one
           WHERE webhook.disabled_at IS NULL AND webhook.id <> ALL($5::text[]) ORDER BY one.due_at LIMIT $3)
         UPDATE webhook_deliveries AS delivery SET attempts = delivery.attempts + 1, due_at = $2::timestamptz
         FROM due JOIN webhooks AS webhook ON webhook.id = due.webhook_id
         WHERE delivery.webhook_id = due.webhook_id AND delivery.event_id = due.event_id RETURNING ${HOOK}, ${DELIVERY}`,
        [toTime(now), toTime(leaseUntil), all, ofOne, without],
      );
      return rows.map((row): Claimed => ({ webhook: toWebhook(row), delivery: toDelivery(row) }));
    },
    finish: (claimed, end, now, failingBefore) => finish(query, claimed, end, now, failingBefore),
  };
}

/** Takes the lowest free place of the account; false where none is free. */
async function insertHook(query: Query['query'], webhook: Webhook): Promise<boolean> {
  const { id, account, email, url, events, generation, createdAt } = webhook;
  for (;;) {
    const rows = await query<{ readonly taken: string | null }>(
      `WITH free AS (SELECT slot FROM generate_series(1, 10) AS slot
         WHERE NOT EXISTS (SELECT 1 FROM webhooks WHERE account = $2 AND webhooks.slot = slot.slot) ORDER BY slot LIMIT 1),
       made AS (INSERT INTO webhooks (id, account, slot, email, url, events, generation, created_at)
         SELECT $1, $2, slot, $3, $4, $5, $6, $7::timestamptz FROM free ON CONFLICT DO NOTHING RETURNING id)
       SELECT (SELECT id FROM made) AS taken FROM free`,
      [id, account, email, url, events.join(','), generation, toTime(createdAt)],
    );
    const [free] = rows;
    if (free === undefined) return false;
    // Another one of this account took the same place at that moment.
    if (free.taken !== null) return true;
  }
}

async function finish(
  query: Connection['query'],
  { webhookId, eventId, attempts }: Delivery,
  { kind, dueAt, answer, error }: TryEnd,
  now: number,
  failingBefore: number,
): Promise<void> {
  const status = kind === 'delivered' ? 'delivered' : kind === 'again' ? 'waiting' : 'failed';
  const written = await query(
    `UPDATE webhook_deliveries SET status = $4, due_at = $5::timestamptz, answer = $6, error = $7
     WHERE webhook_id = $1 AND event_id = $2 AND attempts = $3 AND status = 'waiting' RETURNING 1`,
    [webhookId, eventId, attempts, status, toTime(dueAt), answer, error],
  );
  if (written.length === 0) return;
  if (kind === 'delivered') {
    await query('UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL', [
      webhookId,
    ]);
    return;
  }
  await query(
    `WITH webhook AS (UPDATE webhooks SET failing_since = coalesce(failing_since, $2::timestamptz),
         disabled_at = CASE WHEN $3::boolean OR failing_since <= $4::timestamptz THEN $2::timestamptz END,
         disabled_for = CASE WHEN $3::boolean THEN 'gone' WHEN failing_since <= $4::timestamptz THEN 'failing' END
       WHERE id = $1 AND disabled_at IS NULL RETURNING id, disabled_at)
     UPDATE webhook_deliveries AS delivery SET status = 'failed', error = coalesce(error, 'the webhook was disabled') FROM webhook
     WHERE webhook.disabled_at IS NOT NULL AND delivery.webhook_id = webhook.id AND delivery.status = 'waiting' RETURNING 1`,
    [webhookId, toTime(now), kind === 'gone', toTime(failingBefore)],
  );
}

function toWebhook(row: HookRow): Webhook {
  const { id, account, email, url, generation, disabledFor } = row;
  const place = { table: 'webhooks', row: id } as const;
  return {
    id,
    account,
    email,
    url,
    generation,
    events: row.events
      .split(',')
      .map((event) => storedWord(WEBHOOK_EVENTS, event, { ...place, field: 'events' })),
    rotatedAt: fromTimeOrNull(row.rotatedAt),
    failingSince: fromTimeOrNull(row.failingSince),
    disabledAt: fromTimeOrNull(row.disabledAt),
    disabledFor:
      disabledFor === null
        ? null
        : storedWord(['failing', 'gone'], disabledFor, { ...place, field: 'disabled_for' }),
    createdAt: fromTime(row.createdAt),
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  const { webhookId, eventId, type, body, deliveryStatus, attempts, answer, error } = row;
  const place = { table: 'webhook_deliveries', row: eventId, field: 'status' } as const;
  return {
    webhookId,
    eventId,
    type,
    body,
    status: storedWord(['waiting', 'delivered', 'failed'], deliveryStatus, place),
    attempts,
    dueAt: fromTime(row.dueAt),
    answer,
    error,
    createdAt: fromTime(row.deliveredFrom),
  };
}

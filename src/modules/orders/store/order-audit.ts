import { address } from '../../../core/address/address.ts';
import { fromTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { ORDER_TERMS } from '../../../platform/db/json/order-json.ts';
import { type BookRule, findMismatches } from '../../../platform/db/mismatches.ts';
import type { EventFire, OrderBooks, SettledFire } from '../../../platform/ports/order-books.ts';

// SQL: rules over orders, fires and intents are one statement over one snapshot.

const RULES: readonly BookRule[] = [
  {
    rule: 'order-fires',
    sql: `SELECT o.id, 'says ' || o.fires || ' fires, has ' || count(f.n) || ', the last is ' || coalesce(max(f.n), 0)
      FROM orders o LEFT JOIN order_fires f ON f.order_id = o.id GROUP BY o.id
      HAVING o.fires <> count(f.n) OR o.fires <> coalesce(max(f.n), 0)`,
  },
  {
    rule: 'order-live',
    sql: `SELECT o.id, 'is ' || o.status || ' with ' || count(f.n) || ' live fires'
      FROM orders o LEFT JOIN order_fires f ON f.order_id = o.id AND f.ended_at IS NULL GROUP BY o.id
      HAVING (o.status = 'TRIGGERED') <> (count(f.n) = 1)`,
  },
  {
    rule: 'order-intent',
    sql: `SELECT f.order_id || '/' || f.n, CASE WHEN i.id IS NULL THEN 'has no intent'
        WHEN i.idem_key <> 'order:' || f.order_id || ':' || f.n THEN 'its intent answers to another key'
        ELSE 'its intent is of another wallet' END
      FROM order_fires f JOIN orders o ON o.id = f.order_id LEFT JOIN intents i ON i.id = f.intent_id
      WHERE i.id IS NULL OR i.idem_key <> 'order:' || f.order_id || ':' || f.n OR i.wallet_id <> o.wallet_id`,
  },
  {
    rule: 'order-unknown',
    sql: `SELECT i.id, 'was made for an order and belongs to no fire: ' || i.idem_key
      FROM intents i LEFT JOIN order_fires f ON f.intent_id = i.id WHERE i.idem_key LIKE 'order:%' AND f.intent_id IS NULL`,
  },
  {
    rule: 'order-end',
    sql: `SELECT f.order_id || '/' || f.n, 'is ' || coalesce(f.result, 'live') || ' and its intent ' || i.status
      FROM order_fires f JOIN intents i ON i.id = f.intent_id
      WHERE coalesce(f.result, 'live') <> CASE WHEN i.status = 'SUCCEEDED' THEN 'settled'
        WHEN i.status IN ('FAILED', 'REJECTED', 'EXPIRED', 'CANCELLED') THEN 'voided' ELSE 'live' END`,
  },
  {
    rule: 'order-filled',
    sql: `SELECT o.id, 'says ' || o.filled || ' given and ' || o.received || ' got, its fires ' || coalesce(sum(f.given), 0) || ' and '
        || coalesce(sum(f.got), 0)
      FROM orders o LEFT JOIN order_fires f ON f.order_id = o.id AND f.result = 'settled' GROUP BY o.id
      HAVING o.filled <> coalesce(sum(f.given), 0) OR o.received <> coalesce(sum(f.got), 0)`,
  },
  {
    rule: 'order-group',
    sql: `SELECT g.id, 'has ' || g.units || ' units, sold ' || g.sold || ', and live fires bind ' || coalesce(sum(f.units), 0)
      FROM order_groups g LEFT JOIN order_fires f ON f.group_id = g.id AND f.ended_at IS NULL WHERE g.units IS NOT NULL GROUP BY g.id
      HAVING g.sold + coalesce(sum(f.units), 0) > g.units`,
  },
];

const EVENT_FIRES = `SELECT f.intent_id, o.id, o.mint, o.terms, f.slot::text AS slot, f.event_seen::text AS seen, f.fired_at, o.expires_at,
    EXISTS (SELECT 1 FROM order_fires e WHERE e.order_id = f.order_id AND e.n < f.n AND e.result = 'settled') AS follows
  FROM order_fires f JOIN orders o ON o.id = f.order_id
  WHERE o.type IN ('DEV_SELLS', 'LIQUIDITY_FALLS') AND f.intent_id > $1 ORDER BY f.intent_id LIMIT $2::int`;

async function eventFires(query: Query, after: string, limit: number): Promise<readonly EventFire[]> {
  const rows = await query<{
    readonly intent_id: string;
    readonly id: string;
    readonly mint: string;
    readonly terms: unknown;
    readonly slot: string;
    readonly seen: string | null;
    readonly fired_at: Date;
    readonly expires_at: Date;
    readonly follows: boolean;
  }>(EVENT_FIRES, [after, limit]);
  return rows.map((row) => ({
    intentId: row.intent_id,
    mint: address(row.mint),
    terms: ORDER_TERMS.decode(row.id, row.terms),
    slot: BigInt(row.slot),
    seen: row.seen === null ? null : BigInt(row.seen),
    firedAt: fromTime(row.fired_at),
    expiresAt: fromTime(row.expires_at),
    follows: row.follows,
  }));
}

/** Orders as the database has them, against each other and against their intents. */
export function createOrderBooks(query: Query): OrderBooks {
  return {
    mismatches: () => findMismatches(query, RULES),
    counts: async () => {
      const [row] = await query<{ readonly orders: number; readonly fires: number }>(
        'SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM order_fires) AS fires',
        [],
      );
      return row ?? { orders: 0, fires: 0 };
    },
    eventFires: (after, limit) => eventFires(query, after, limit),
    settled: async (after, limit) => {
      const rows = await query<{
        readonly intent_id: string;
        readonly side: SettledFire['side'];
        readonly wallet: string;
        readonly mint: string;
        readonly given: string;
        readonly got: string;
        readonly signature: string | null;
      }>(
        `SELECT f.intent_id, o.side, w.address AS wallet, o.mint, f.given, f.got, a.signature
         FROM order_fires f JOIN orders o ON o.id = f.order_id JOIN wallets w ON w.id = o.wallet_id
         LEFT JOIN attempts a ON a.intent_id = f.intent_id AND a.status = 'FINALIZED'
         WHERE f.result = 'settled' AND f.intent_id > $1 ORDER BY f.intent_id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map((row) => ({
        intentId: row.intent_id,
        side: row.side,
        wallet: address(row.wallet),
        mint: address(row.mint),
        given: BigInt(row.given),
        got: BigInt(row.got),
        signature: row.signature,
      }));
    },
  };
}

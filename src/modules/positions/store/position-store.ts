import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import { pendingOf } from './pending-store.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  encodeEvent,
  encodePosition,
  POSITION_COLUMNS,
  type PositionRow,
  toEvent,
  toOdd,
  toPosition,
} from './position-rows.ts';
import type { PositionStore, RecordedEvent, WalletDay } from './position-store-port.ts';

// SQL: events go in as arrays and positions are folded under locks taken in one order.

export function createPrismaPositionStore({ query }: Pick<Connection, 'query'>): PositionStore {
  return {
    // One statement, for the commit of a trade. Rows travel as JSON, and only new events make their position stale.
    record: async (events) => {
      if (events.length === 0) return [];
      const rows = await query<EventKey>(RECORD, [JSON.stringify(events.map(encodeEvent))]);
      const fresh = new Set(rows.map(eventKey));
      return events.filter((event) => fresh.delete(eventKey(event)));
    },
    ...pendingOf(query),
    adjustments: async (walletIds, mints) =>
      (
        await query<EventRow>(
          `SELECT ${EVENT_COLUMNS} FROM position_events
           WHERE wallet_id = ANY($1::text[]) AND mint = ANY($2::text[]) AND kind = 'adjustment'`,
          [walletIds, mints],
        )
      ).map(toEvent),
    events: async (walletIds, mints) =>
      (
        await query<EventRow>(
          `SELECT ${EVENT_COLUMNS} FROM position_events
           WHERE wallet_id = ANY($1::text[]) AND ($2::text[] IS NULL OR mint = ANY($2::text[]))`,
          [walletIds, mints ?? null],
        )
      ).map(toEvent),
    knownSignatures: async (walletId, mint, signatures) => {
      const rows = await query<{ readonly signature: string }>(
        `SELECT DISTINCT signature FROM position_events
         WHERE wallet_id = $1 AND mint = $2 AND signature = ANY($3::text[])`,
        [walletId, mint, signatures],
      );
      return new Set(rows.map(({ signature }) => signature));
    },
    bookedMints: async (wallet) => {
      const rows = await query<{ readonly mint: string }>(
        `SELECT p.mint FROM wallets w JOIN positions p ON p.wallet_id = w.id WHERE w.address = $1 AND (p.units > 0 OR p.stale)
         UNION SELECT e.mint FROM wallets w JOIN position_pending e ON e.wallet_id = w.id WHERE w.address = $1`,
        [wallet],
      );
      return rows.map(({ mint }) => storedAddress(mint));
    },
    page: async (walletIds, { after, limit }) => page(query, walletIds, after, limit),
    list: async (walletIds) =>
      (
        await query<PositionRow>(
          `SELECT ${POSITION_COLUMNS} FROM positions WHERE wallet_id = ANY($1::text[])
           ORDER BY positions.cost DESC, mint COLLATE "C", wallet_id COLLATE "C"`,
          [walletIds],
        )
      ).map(toPosition),
    lockStale: async (walletIds) => {
      const rows = await query<{ readonly mint: string }>(
        `SELECT mint FROM positions WHERE wallet_id = ANY($1::text[])
           AND mint IN (SELECT mint FROM positions WHERE wallet_id = ANY($1::text[]) AND stale)
         ORDER BY mint COLLATE "C", wallet_id COLLATE "C" FOR UPDATE`,
        [walletIds],
      );
      return [...new Set(rows.map(({ mint }) => storedAddress(mint)))];
    },
    save: async (positions) => {
      if (positions.length === 0) return;
      await query(SAVE, [JSON.stringify(positions.map(encodePosition))]);
    },
    setHidden: async (walletId, mint, hidden) => {
      await query(
        `INSERT INTO positions (wallet_id, mint, stale, hidden_by_person) VALUES ($1, $2, false, $3::boolean)
         ON CONFLICT (wallet_id, mint) DO UPDATE SET hidden_by_person = excluded.hidden_by_person`,
        [walletId, mint, hidden],
      );
    },
    ...scansOf(query),
    ...checksOf(query),
    saveMidnight: async (walletId, worths) => {
      if (worths.size === 0) return;
      await query(
        `UPDATE positions SET midnight = m.day, midnight_units = m.units, midnight_value = m.value
         FROM jsonb_to_recordset($2::jsonb) AS m(mint text, day date, units numeric, value bigint)
         WHERE wallet_id = $1 AND positions.mint = m.mint AND midnight IS DISTINCT FROM m.day`,
        [
          walletId,
          JSON.stringify(
            [...worths].map(([mint, { day, units, lamports }]) => ({
              mint,
              day: toTime(day).slice(0, 10),
              units: units.toString(),
              value: lamports.toString(),
            })),
          ),
        ],
      );
    },
    saveDays: async (days) => {
      if (days.length === 0) return;
      await query(
        `INSERT INTO wallet_days (wallet_id, day, net_value)
         SELECT wallet_id, day, net_value FROM jsonb_to_recordset($1::jsonb) AS d(wallet_id text, day date, net_value bigint)
         ON CONFLICT DO NOTHING`,
        [
          JSON.stringify(
            days.map(({ walletId, day, netValue }) => ({
              wallet_id: walletId,
              day: toTime(day).slice(0, 10),
              net_value: netValue.toString(),
            })),
          ),
        ],
      );
    },
    days: async (walletIds, from) =>
      (
        await query<{ readonly walletId: string; readonly at: Date; readonly netValue: string }>(
          `SELECT wallet_id AS "walletId", day::timestamp AT TIME ZONE 'UTC' AS at, net_value::text AS "netValue"
           FROM wallet_days WHERE wallet_id = ANY($1::text[]) AND day >= $2::date
           ORDER BY day, wallet_id COLLATE "C"`,
          [walletIds, toTime(from).slice(0, 10)],
        )
      ).map(
        ({ walletId, at, netValue }): WalletDay => ({
          walletId,
          day: fromTime(at),
          netValue: BigInt(netValue),
        }),
      ),
  };
}

type EventKey = Pick<EventRow, 'walletId' | 'mint' | 'signature' | 'kind'>;

const eventKey = ({ walletId, mint, signature, kind }: EventKey): string =>
  [walletId, mint, signature, kind].join(' ');

type ScanRow = {
  readonly account: string;
  readonly walletId: string;
  readonly done: string | null;
  readonly newest: string | null;
  readonly before: string | null;
};

function scansOf(
  query: Connection['query'],
): Pick<PositionStore, 'scan' | 'saveScan' | 'saveOdd' | 'lockOdd' | 'intentOf'> {
  return {
    scan: async (account) => {
      const [row] = await query<ScanRow>(
        `SELECT account, wallet_id AS "walletId", done_signature AS done, newest_signature AS newest,
           before_signature AS before FROM position_scans WHERE account = $1`,
        [account],
      );
      if (row === undefined) return null;
      const { walletId, done, newest, before } = row;
      return {
        account,
        walletId,
        done,
        under: newest === null || before === null ? null : { newest, before },
      };
    },
    saveScan: async ({ account, walletId, done, under }) => {
      await query(
        `INSERT INTO position_scans (account, wallet_id, done_signature, newest_signature, before_signature)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account) DO UPDATE SET done_signature = excluded.done_signature,
           newest_signature = excluded.newest_signature, before_signature = excluded.before_signature`,
        [account, walletId, done, under?.newest ?? null, under?.before ?? null],
      );
    },
    saveOdd: async (walletId, mint, odd) => {
      await query(
        `INSERT INTO positions (wallet_id, mint, stale, odd_units, odd_since)
         VALUES ($1, $2, false, $3::numeric, $4::timestamptz)
         ON CONFLICT (wallet_id, mint) DO UPDATE SET odd_units = excluded.odd_units, odd_since = excluded.odd_since`,
        [walletId, mint, odd?.units.toString() ?? null, odd === null ? null : toTime(odd.since)],
      );
    },
    lockOdd: async (walletId, mint) => {
      const [row] = await query<{ readonly units: string | null; readonly since: Date | null }>(
        `SELECT odd_units::text AS units, odd_since AS since FROM positions
         WHERE wallet_id = $1 AND mint = $2 FOR UPDATE`,
        [walletId, mint],
      );
      return toOdd(row?.units ?? null, row?.since ?? null);
    },
    intentOf: async (signature) => {
      const [row] = await query<{ readonly intentId: string; readonly open: boolean }>(
        `SELECT i.id AS "intentId", i.status IN ('CREATED', 'ACTIVE') AS open
         FROM attempts a JOIN intents i ON i.id = a.intent_id WHERE a.signature = $1`,
        [signature],
      );
      return row ?? null;
    },
  };
}

function checksOf(
  query: Connection['query'],
): Pick<PositionStore, 'checkedAt' | 'markChecked' | 'toCheck' | 'withoutDay'> {
  const ids = async (text: string, values: Parameters<Connection['query']>[1]): Promise<readonly string[]> =>
    (await query<{ readonly id: string }>(text, values)).map(({ id }) => id);
  return {
    checkedAt: async (walletId) => {
      const [row] = await query<{ readonly at: Date }>(
        'SELECT checked_at AS at FROM wallet_checks WHERE wallet_id = $1',
        [walletId],
      );
      return row === undefined ? null : fromTime(row.at);
    },
    markChecked: async (walletId, at, asked) => {
      await query(
        `INSERT INTO wallet_checks (wallet_id, checked_at, asked_at) VALUES ($1, $2::timestamptz, $2::timestamptz)
         ON CONFLICT (wallet_id) DO UPDATE SET checked_at = excluded.checked_at,
           asked_at = CASE WHEN $3::boolean THEN excluded.asked_at ELSE wallet_checks.asked_at END`,
        [walletId, toTime(at), asked],
      );
    },
    toCheck: ({ askedSince, checkedBefore, limit }) =>
      ids(
        `SELECT wallet_id AS id FROM wallet_checks WHERE checked_at < $2::timestamptz AND asked_at >= $1::timestamptz
         ORDER BY checked_at, wallet_id COLLATE "C" LIMIT $3::int`,
        [toTime(askedSince), toTime(checkedBefore), limit],
      ),
    withoutDay: (day, { after, limit }) =>
      ids(
        `SELECT w.id FROM wallets w WHERE w.deleted_at IS NULL
           AND EXISTS (SELECT FROM positions p WHERE p.wallet_id = w.id AND (p.units > 0 OR p.stale))
           AND NOT EXISTS (SELECT FROM wallet_days d WHERE d.wallet_id = w.id AND d.day = $1::date)
           AND ($2::text IS NULL OR w.id COLLATE "C" > $2)
         ORDER BY w.id COLLATE "C" LIMIT $3::int`,
        [toTime(day).slice(0, 10), after, limit],
      ),
  };
}

async function page(
  query: Connection['query'],
  walletIds: readonly string[],
  after: RecordedEvent | null,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const rows = await query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM position_events
     WHERE wallet_id = ANY($1::text[]) AND ($2::bigint IS NULL
       OR (slot, signature COLLATE "C", mint COLLATE "C", kind COLLATE "C", wallet_id COLLATE "C") > ($2::bigint, $3, $4, $5, $6))
     ORDER BY position_events.slot, signature COLLATE "C", mint COLLATE "C", kind COLLATE "C", wallet_id COLLATE "C" LIMIT $7::int`,
    [
      walletIds,
      after?.slot.toString() ?? null,
      after?.signature ?? null,
      after?.mint ?? null,
      after?.kind ?? null,
      after?.walletId ?? null,
      limit,
    ],
  );
  return rows.map(toEvent);
}

const RECORD = `WITH asked AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS e(wallet_id text, mint text, signature text, kind text, slot bigint,
      at timestamptz, units numeric, lamports bigint, revision int, final boolean, intent_id text, fee_lamports bigint,
      platform_fee_lamports bigint, rent_lamports bigint)
  ), inserted AS (
    INSERT INTO position_events (wallet_id, mint, signature, kind, slot, at, units, lamports, revision, final, intent_id,
      fee_lamports, platform_fee_lamports, rent_lamports)
    SELECT * FROM asked ORDER BY mint COLLATE "C", wallet_id COLLATE "C" ON CONFLICT DO NOTHING
    RETURNING wallet_id, mint, signature, kind
  ), marked AS (
    INSERT INTO positions (wallet_id, mint, stale)
    SELECT wallet_id, mint, true FROM inserted GROUP BY wallet_id, mint ORDER BY mint COLLATE "C", wallet_id COLLATE "C"
    ON CONFLICT (wallet_id, mint) DO UPDATE SET stale = true
  )
  SELECT wallet_id AS "walletId", mint, signature, kind FROM inserted`;

const SAVE = `INSERT INTO positions (wallet_id, mint, stale, units, cost, realized, hidden, priced_at_receipt, remainder_units,
    withdrawn_units, withdrawn_cost, taken_units, adjusted_units, up_to_slot, up_to_signature)
  SELECT wallet_id, mint, false, units, cost, realized, hidden, priced_at_receipt, remainder_units, withdrawn_units,
    withdrawn_cost, taken_units, adjusted_units, up_to_slot, up_to_signature
  FROM jsonb_to_recordset($1::jsonb) AS p(wallet_id text, mint text, units numeric, cost bigint, realized bigint, hidden boolean,
    priced_at_receipt boolean, remainder_units numeric, withdrawn_units numeric, withdrawn_cost bigint, taken_units numeric,
    adjusted_units numeric, up_to_slot bigint, up_to_signature text)
  ON CONFLICT (wallet_id, mint) DO UPDATE SET stale = false, units = excluded.units, cost = excluded.cost,
    realized = excluded.realized, hidden = excluded.hidden, priced_at_receipt = excluded.priced_at_receipt,
    remainder_units = excluded.remainder_units, withdrawn_units = excluded.withdrawn_units,
    withdrawn_cost = excluded.withdrawn_cost, taken_units = excluded.taken_units, adjusted_units = excluded.adjusted_units,
    up_to_slot = excluded.up_to_slot, up_to_signature = excluded.up_to_signature`;

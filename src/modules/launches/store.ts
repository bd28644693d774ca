import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../platform/db/codec.ts';
import type { Connection, Query } from '../../platform/db/connection.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { LaunchAlert, LaunchList, LaunchNotice } from './rules/launch-alert.ts';
import type { SeenLaunch } from './rules/stage.ts';
import type { SeenLaunchStore } from './store-port.ts';

// SQL: a row changes only from the stage that was read, and a person is notified of a stage once.

const LAUNCH = `mint, pad, curve, config, creator, signature, created_slot::text AS "createdSlot", created_at AS "createdAt", stage,
  near_slot::text AS near, complete_slot::text AS complete, graduated_slot::text AS graduated, sold_bps AS "soldBps", pool,
  taken_back AS "takenBack", looked_at AS "lookedAt", moved_at AS "movedAt"`;
const ALERT = `user_id AS "userId", stages, filter, hour_at AS "hourAt", hour_told AS "hourTold", hour_held AS "hourHeld"`;
const NOTICE = `user_id AS "userId", mint, stage, at, message_id::text AS "messageId", taken_back AS "takenBack"`;

type LaunchRow = Pick<SeenLaunch, 'pad' | 'signature' | 'stage' | 'soldBps' | 'takenBack'> & {
  readonly [K in 'mint' | 'curve' | 'creator' | 'createdSlot']: string;
} & { readonly [K in 'config' | 'pool' | 'near' | 'complete' | 'graduated']: string | null } & {
  readonly [K in 'createdAt' | 'lookedAt' | 'movedAt']: Date;
};
type AlertRow = Omit<LaunchAlert, 'hourAt'> & { readonly hourAt: Date | null };
type NoticeRow = Pick<LaunchNotice, 'userId' | 'stage' | 'takenBack'> & {
  readonly mint: string;
  readonly at: Date;
  readonly messageId: string | null;
};

export function createSeenLaunchStore({ query }: Pick<Connection, 'query'>): SeenLaunchStore {
  return {
    ...ofNew(query),
    ...ofLaunches(query),
    ...ofLists(query),
    ...ofPlaces(query),
    ...ofAlerts(query),
    ...ofReaders(query),
    ...ofNotices(query),
  };
}

const slotText = (slot: bigint | null): string | null => slot?.toString() ?? null;

function ofNew(query: Query): Pick<SeenLaunchStore, 'insert'> {
  return {
    insert: async (launch) => {
      const { near, complete, graduated } = launch.slots;
      const rows = await query(
        `INSERT INTO launches_seen (mint, pad, curve, config, creator, signature, created_slot, created_at, stage, near_slot,
           complete_slot, graduated_slot, sold_bps, pool, taken_back, looked_at, moved_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7::bigint, $8::timestamptz, $9, $10::bigint, $11::bigint, $12::bigint, $13, $14, $15,
           $16::timestamptz, $17::timestamptz)
         ON CONFLICT (mint) DO NOTHING RETURNING 1`,
        [
          launch.mint,
          launch.pad,
          launch.curve,
          launch.config,
          launch.creator,
          launch.signature,
          launch.createdSlot,
          toTime(launch.createdAt),
          launch.stage,
          slotText(near),
          slotText(complete),
          slotText(graduated),
          launch.soldBps,
          launch.pool,
          launch.takenBack,
          toTime(launch.lookedAt),
          toTime(launch.movedAt),
        ],
      );
      return rows.length === 1;
    },
  };
}

function ofLaunches(query: Query): Pick<SeenLaunchStore, 'find' | 'ofCurves' | 'change'> {
  return {
    find: async (mint) => {
      const [row] = await query<LaunchRow>(`SELECT ${LAUNCH} FROM launches_seen WHERE mint = $1`, [mint]);
      return row === undefined ? null : toLaunch(row);
    },
    ofCurves: async (curves) => {
      const rows = await query<LaunchRow>(
        `SELECT ${LAUNCH} FROM launches_seen WHERE curve = ANY ($1::text[]) ORDER BY mint`,
        [curves],
      );
      return rows.map(toLaunch);
    },
    change: async (before, after) => {
      const { near, complete, graduated } = after.slots;
      const rows = await query(
        `UPDATE launches_seen SET stage = $4, near_slot = $5::bigint, complete_slot = $6::bigint, graduated_slot = $7::bigint,
           sold_bps = $8, pool = $9, taken_back = $10, looked_at = $11::timestamptz, moved_at = $12::timestamptz,
           created_slot = $13::bigint, created_at = $14::timestamptz, signature = $15
         WHERE mint = $1 AND stage = $2 AND taken_back = $3 RETURNING 1`,
        [
          after.mint,
          before.stage,
          before.takenBack,
          after.stage,
          slotText(near),
          slotText(complete),
          slotText(graduated),
          after.soldBps,
          after.pool,
          after.takenBack,
          toTime(after.lookedAt),
          toTime(after.movedAt),
          after.createdSlot,
          toTime(after.createdAt),
          after.signature,
        ],
      );
      return rows.length === 1;
    },
  };
}

/** Which rows a list shows, and their order. */
const LIST_SQL: Readonly<Record<LaunchList, string>> = {
  new: `stage IN ('new', 'near', 'complete') AND created_at >= $1::timestamptz ORDER BY created_at DESC, mint`,
  near: `stage IN ('near', 'complete') AND moved_at >= $1::timestamptz ORDER BY sold_bps DESC, created_at DESC, mint`,
  graduated: `stage = 'graduated' AND moved_at >= $1::timestamptz ORDER BY graduated_slot DESC, mint`,
};

function ofLists(query: Query): Pick<SeenLaunchStore, 'watched' | 'list'> {
  return {
    watched: async (since, finalSlot, limit) => {
      const rows = await query<LaunchRow>(
        `SELECT ${LAUNCH} FROM launches_seen
         WHERE moved_at >= $1::timestamptz AND (stage <> 'graduated' OR graduated_slot > $2::bigint OR created_slot > $2::bigint)
         ORDER BY moved_at DESC, mint LIMIT $3::int`,
        [toTime(since), finalSlot, limit],
      );
      return rows.map(toLaunch);
    },
    list: async (list, since, limit) => {
      const rows = await query<LaunchRow>(
        `SELECT ${LAUNCH} FROM launches_seen WHERE NOT taken_back AND ${LIST_SQL[list]} LIMIT $2::int`,
        [toTime(since), limit],
      );
      return rows.map(toLaunch);
    },
  };
}

function ofPlaces(query: Query): Pick<SeenLaunchStore, 'place' | 'moveTo'> {
  return {
    place: async (pad) => {
      const [row] = await query<{ readonly slot: string }>(
        'SELECT slot::text AS slot FROM launch_places WHERE pad = $1',
        [pad],
      );
      return row === undefined ? null : BigInt(row.slot);
    },
    moveTo: async (pad, slot) => {
      await query(
        `INSERT INTO launch_places (pad, slot) VALUES ($1, $2::bigint)
         ON CONFLICT (pad) DO UPDATE SET slot = excluded.slot WHERE launch_places.slot < excluded.slot`,
        [pad, slot],
      );
    },
  };
}

function ofAlerts(query: Query): Pick<SeenLaunchStore, 'alert' | 'saveAlert' | 'countAlert' | 'alertsFor'> {
  return {
    alert: async (userId) => {
      const [row] = await query<AlertRow>(`SELECT ${ALERT} FROM launch_alerts WHERE user_id = $1`, [userId]);
      return row === undefined ? null : toAlert(row);
    },
    saveAlert: async ({ userId, stages, filter, hourAt, hourTold, hourHeld }) => {
      await query(
        `INSERT INTO launch_alerts (user_id, stages, filter, hour_at, hour_told, hour_held)
         VALUES ($1, $2::text[], $3, $4::timestamptz, $5, $6)
         ON CONFLICT (user_id) DO UPDATE SET stages = excluded.stages, filter = excluded.filter`,
        [userId, stages, filter, toTimeOrNull(hourAt), hourTold, hourHeld],
      );
    },
    countAlert: async ({ userId, hourAt, hourTold, hourHeld }) => {
      await query(
        'UPDATE launch_alerts SET hour_at = $2::timestamptz, hour_told = $3, hour_held = $4 WHERE user_id = $1',
        [userId, toTimeOrNull(hourAt), hourTold, hourHeld],
      );
    },
    alertsFor: async (list) => {
      const rows = await query<AlertRow>(
        `SELECT ${ALERT} FROM launch_alerts WHERE $1 = ANY (stages) ORDER BY user_id FOR UPDATE`,
        [list],
      );
      return rows.map(toAlert);
    },
  };
}

function ofReaders(query: Query): Pick<SeenLaunchStore, 'filters' | 'dueDigests'> {
  return {
    filters: async () => {
      const rows = await query<{ readonly filter: string }>(
        'SELECT DISTINCT filter FROM launch_alerts WHERE cardinality(stages) > 0 ORDER BY filter',
        [],
      );
      return rows.map(({ filter }) => filter);
    },
    dueDigests: async (hourAtMost) => {
      const rows = await query<AlertRow>(
        `SELECT ${ALERT} FROM launch_alerts WHERE hour_held > 0 AND hour_at <= $1::timestamptz
         ORDER BY user_id FOR UPDATE SKIP LOCKED`,
        [toTime(hourAtMost)],
      );
      return rows.map(toAlert);
    },
  };
}

function ofNotices(query: Query): Pick<SeenLaunchStore, 'addNotice' | 'notice' | 'sent' | 'markNotices'> {
  return {
    addNotice: async ({ userId, mint, stage, at, messageId, takenBack }) => {
      const rows = await query(
        `INSERT INTO launch_notices (user_id, mint, stage, at, message_id, taken_back)
         VALUES ($1, $2, $3, $4::timestamptz, $5::bigint, $6) ON CONFLICT (user_id, mint, stage) DO NOTHING RETURNING 1`,
        [userId, mint, stage, toTime(at), messageId === null ? null : String(messageId), takenBack],
      );
      return rows.length === 1;
    },
    notice: async ({ userId, mint, stage }) => {
      const [row] = await query<NoticeRow>(
        `SELECT ${NOTICE} FROM launch_notices WHERE user_id = $1 AND mint = $2 AND stage = $3`,
        [userId, mint, stage],
      );
      return row === undefined ? null : toNotice(row);
    },
    sent: async ({ userId, mint, stage }, messageId) => {
      await query(
        'UPDATE launch_notices SET message_id = $4::bigint WHERE user_id = $1 AND mint = $2 AND stage = $3',
        [userId, mint, stage, String(messageId)],
      );
    },
    markNotices: async (mint, stage, takenBack) => {
      const rows = await query<NoticeRow>(
        `UPDATE launch_notices SET taken_back = $3 WHERE mint = $1 AND stage = $2 AND taken_back <> $3 RETURNING ${NOTICE}`,
        [mint, stage, takenBack],
      );
      return rows.map(toNotice);
    },
  };
}

const slotOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function toLaunch({ near, complete, graduated, ...row }: LaunchRow): SeenLaunch {
  return {
    ...row,
    mint: storedAddress(row.mint),
    curve: storedAddress(row.curve),
    config: row.config === null ? null : storedAddress(row.config),
    creator: storedAddress(row.creator),
    createdSlot: BigInt(row.createdSlot),
    createdAt: fromTime(row.createdAt),
    slots: { near: slotOf(near), complete: slotOf(complete), graduated: slotOf(graduated) },
    pool: row.pool === null ? null : storedAddress(row.pool),
    lookedAt: fromTime(row.lookedAt),
    movedAt: fromTime(row.movedAt),
  };
}

const toAlert = (row: AlertRow): LaunchAlert => ({ ...row, hourAt: fromTimeOrNull(row.hourAt) });

function toNotice(row: NoticeRow): LaunchNotice {
  return {
    ...row,
    mint: storedAddress(row.mint),
    at: fromTime(row.at),
    messageId: row.messageId === null ? null : Number(row.messageId),
  };
}

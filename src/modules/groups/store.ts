import { fromTime, toTime } from '../../platform/db/codec.ts';
import type { Connection, Query } from '../../platform/db/connection.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { Group } from './rules/group.ts';
import type { GroupCall } from './rules/group-call.ts';
import type { GroupStore } from './store-port.ts';

// SQL: the first scan of a mint wins, and a purchase is entered once.

const GROUP = `id::text AS id, owner_id AS "ownerId", owner_name AS "ownerName", carries_code AS "carriesCode", language,
  changed_at AS "changedAt"`;
const CALL = `group_id::text AS "groupId", mint, caller_id::text AS "callerId", caller_name AS "callerName", called_at AS "calledAt",
  called_slot::text AS "calledSlot", pico_usd::text AS "picoUsd", units::text AS units, lamports::text AS lamports,
  best_lamports::text AS "bestLamports", high_lamports::text AS "highLamports", high_slot::text AS "highSlot", due_at AS "dueAt"`;

type GroupRow = Omit<Group, 'id' | 'changedAt'> & {
  readonly id: string;
  readonly changedAt: Date;
};

type CallRow = Pick<GroupCall, 'callerName'> & {
  readonly [K in 'groupId' | 'mint' | 'calledSlot']: string;
} & {
  readonly [K in
    | 'callerId'
    | 'picoUsd'
    | 'units'
    | 'lamports'
    | 'bestLamports'
    | 'highLamports'
    | 'highSlot']: string | null;
} & { readonly [K in 'calledAt' | 'dueAt']: Date };

export function createGroupStore({ query }: Pick<Connection, 'query'>): GroupStore {
  return { ...ofGroups(query), ...ofCalls(query), ...ofResults(query) };
}

function ofGroups(query: Query): Pick<GroupStore, 'find' | 'save' | 'move'> {
  return {
    find: async (id) => {
      const [row] = await query<GroupRow>(`SELECT ${GROUP} FROM groups WHERE id = $1::bigint`, [id]);
      return row === undefined ? null : toGroup(row);
    },
    save: async ({ id, ownerId, ownerName, carriesCode, language, changedAt }) => {
      await query(
        `INSERT INTO groups (id, owner_id, owner_name, carries_code, language, changed_at)
         VALUES ($1::bigint, $2, $3, $4, $5, $6::timestamptz)
         ON CONFLICT (id) DO UPDATE SET owner_id = excluded.owner_id, owner_name = excluded.owner_name,
           carries_code = excluded.carries_code, language = excluded.language, changed_at = excluded.changed_at`,
        [id, ownerId, ownerName, carriesCode, language, toTime(changedAt)],
      );
    },
    move: async (from, to) => {
      await query(
        `UPDATE groups SET id = $2::bigint
         WHERE id = $1::bigint AND NOT EXISTS (SELECT 1 FROM groups WHERE id = $2::bigint)`,
        [from, to],
      );
      await query(
        `UPDATE group_calls AS call SET group_id = $2::bigint WHERE group_id = $1::bigint
           AND NOT EXISTS (SELECT 1 FROM group_calls AS other WHERE other.group_id = $2::bigint AND other.mint = call.mint)`,
        [from, to],
      );
    },
  };
}

function ofCalls(query: Query): Pick<GroupStore, 'call' | 'insertCall' | 'calls' | 'forget'> {
  return {
    call: async ({ groupId, mint }) => {
      const [row] = await query<CallRow>(
        `SELECT ${CALL} FROM group_calls WHERE group_id = $1::bigint AND mint = $2`,
        [groupId, mint],
      );
      return row === undefined ? null : toCall(row);
    },
    insertCall: async (call) => {
      const rows = await query(
        `INSERT INTO group_calls (group_id, mint, caller_id, caller_name, called_at, called_slot, pico_usd, units, lamports,
           best_lamports, high_lamports, high_slot, due_at)
         VALUES ($1::bigint, $2, $3::bigint, $4, $5::timestamptz, $6::bigint, $7::numeric, $8::numeric, $9::numeric,
           $10::numeric, $11::numeric, $12::bigint, $13::timestamptz)
         ON CONFLICT (group_id, mint) DO NOTHING RETURNING 1`,
        [
          call.groupId,
          call.mint,
          call.callerId,
          call.callerName,
          toTime(call.calledAt),
          call.calledSlot,
          call.picoUsd,
          call.units,
          call.lamports,
          call.bestLamports,
          call.high?.lamports ?? null,
          call.high?.slot ?? null,
          toTime(call.dueAt),
        ],
      );
      return rows.length === 1;
    },
    calls: async (groupId, since) => {
      const rows = await query<CallRow>(
        `SELECT ${CALL} FROM group_calls WHERE group_id = $1::bigint AND called_at >= $2::timestamptz ORDER BY called_at, mint`,
        [groupId, toTime(since)],
      );
      return rows.map(toCall);
    },
    forget: async (groupId, callerId) => {
      const rows = await query(
        `UPDATE group_calls SET caller_id = NULL, caller_name = NULL
         WHERE group_id = $1::bigint AND caller_id = $2::bigint RETURNING 1`,
        [groupId, callerId],
      );
      return rows.length;
    },
  };
}

function ofResults(query: Query): Pick<GroupStore, 'enter' | 'value' | 'due'> {
  return {
    enter: async ({ groupId, mint, units, dueAt }) => {
      await query(
        `UPDATE group_calls SET units = $3::numeric, due_at = $4::timestamptz
         WHERE group_id = $1::bigint AND mint = $2 AND units IS NULL`,
        [groupId, mint, units, toTime(dueAt)],
      );
    },
    value: async ({ groupId, mint, lamports, bestLamports, high, dueAt }) => {
      await query(
        `UPDATE group_calls SET lamports = $3::numeric, best_lamports = $4::numeric, high_lamports = $5::numeric,
           high_slot = $6::bigint, due_at = $7::timestamptz
         WHERE group_id = $1::bigint AND mint = $2`,
        [groupId, mint, lamports, bestLamports, high?.lamports ?? null, high?.slot ?? null, toTime(dueAt)],
      );
    },
    due: async (atMost, limit) => {
      const rows = await query<CallRow>(
        `SELECT ${CALL} FROM group_calls WHERE due_at <= $1::timestamptz ORDER BY due_at, group_id, mint LIMIT $2::int`,
        [toTime(atMost), limit],
      );
      return rows.map(toCall);
    },
  };
}

function toGroup({ id, changedAt, ...row }: GroupRow): Group {
  return { ...row, id: BigInt(id), changedAt: fromTime(changedAt) };
}

const amountOf = (value: string | null): bigint | null => (value === null ? null : BigInt(value));

function toCall({ highLamports, highSlot, ...row }: CallRow): GroupCall {
  return {
    groupId: BigInt(row.groupId),
    mint: storedAddress(row.mint),
    callerId: amountOf(row.callerId),
    callerName: row.callerName,
    calledAt: fromTime(row.calledAt),
    calledSlot: BigInt(row.calledSlot),
    picoUsd: amountOf(row.picoUsd),
    units: amountOf(row.units),
    lamports: amountOf(row.lamports),
    bestLamports: amountOf(row.bestLamports),
    high:
      highLamports === null || highSlot === null
        ? null
        : { lamports: BigInt(highLamports), slot: BigInt(highSlot) },
    dueAt: fromTime(row.dueAt),
  };
}

import { emptyGuard, type Guard } from '../../core/guard/guard.ts';
import type { Flag } from '../../core/ports/flag-store.ts';
import type { GuardStore } from '../../core/ports/guard-store.ts';
import { type BigintColumn, fromTimeOrNull, toTime, toTimeOrNull } from './codec.ts';
import type { Connection } from './connection.ts';
import { STANDS } from './flag-store.ts';

// SQL: locks a person's row and compares before it sets; limits are sums at the moment of the statement.

const COLUMNS = `user_id AS "userId", pin_hash AS "pinHash", pin_failures AS "pinFailures", pin_locks AS "pinLocks",
  pin_locked_until AS "pinLockedUntil", delay_from AS "delayFrom", frozen_at AS "frozenAt", unfreeze_at AS "unfreezeAt",
  cap_lamports AS "capLamports", next_cap_lamports AS "nextCapLamports", next_cap_at AS "nextCapAt",
  totp_box AS "totpBox", totp_step AS "totpStep", totp_ends_at AS "totpEndsAt", next_totp_box AS "nextTotpBox",
  recovery_codes AS "recoveryCodes", next_recovery_codes AS "nextRecoveryCodes",
  next_totp_link AS "nextTotpLink", next_totp_until AS "nextTotpUntil",
  spend_cap_lamports AS "spendCapLamports", next_spend_cap_lamports AS "nextSpendCapLamports",
  next_spend_cap_at AS "nextSpendCapAt", unlocked_until AS "unlockedUntil", unlocks_from AS "unlocksFrom",
  pin_trying AS "pinTrying"`;

type Times =
  | 'pinLockedUntil'
  | 'delayFrom'
  | 'frozenAt'
  | 'unfreezeAt'
  | 'nextCapAt'
  | 'totpEndsAt'
  | 'nextTotpUntil'
  | 'nextSpendCapAt'
  | 'unlockedUntil'
  | 'unlocksFrom';
type Amounts = 'capLamports' | 'nextCapLamports' | 'spendCapLamports' | 'nextSpendCapLamports';
type Row = Omit<Guard, Times | Amounts> &
  Readonly<Record<Times, Date | null>> &
  Readonly<Record<Amounts, BigintColumn | null>>;

/** An intent that ended without moving money gives its part of the cap back. */
const MOVED_NOTHING = `('REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED')`;

const SPENT = `SELECT coalesce(sum(use.lamports), 0)::text
  FROM spending_uses use JOIN intents intent ON intent.id = use.intent_id
  WHERE use.user_id = $1 AND use.counts_at >= $2::timestamptz AND intent.status NOT IN ${MOVED_NOTHING}`;

/** The person's row beside something else; without a row its columns are null. */
type Beside<T> = (Row | { readonly userId: null }) & T;

export function createPrismaGuardStore(connection: Connection): GuardStore {
  return { ...guardReads(connection), save: saveGuard(connection), ...spendingRows(connection) };
}

/** What guards one person. */
function guardReads({
  query,
}: Pick<Connection, 'query'>): Pick<
  GuardStore,
  'find' | 'findWithPauses' | 'findWithSpent' | 'lock' | 'findByTotpLink'
> {
  return {
    find: async (userId) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM guards WHERE user_id = $1`, [userId]);
      return row ? toGuard(row) : emptyGuard(userId);
    },
    findWithPauses: async (userId) => {
      const [row] = await query<Beside<{ readonly paused: readonly Flag[] }>>(
        `SELECT ${COLUMNS}, ARRAY(SELECT flag FROM system_flags WHERE ${STANDS} AND flag <> 'quarantined') AS paused
         FROM (SELECT $1::text AS asked) one LEFT JOIN guards ON user_id = asked`,
        [userId],
      );
      const { paused = [], ...guard } = row ?? { userId: null };
      return { guard: guardOr(guard, userId), paused: new Set(paused) };
    },
    findWithSpent: async (userId, since) => {
      const [row] = await query<Beside<{ readonly spent: string }>>(
        `SELECT ${COLUMNS}, (${SPENT}) AS spent FROM (SELECT $1::text AS asked) one LEFT JOIN guards ON user_id = asked`,
        [userId, toTime(since)],
      );
      const { spent = '0', ...guard } = row ?? { userId: null };
      return { guard: guardOr(guard, userId), spent: BigInt(spent) };
    },
    lock: async (userId) => {
      // A row that is not there cannot be locked, and two first tries would both see none.
      await query('INSERT INTO guards (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [userId]);
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM guards WHERE user_id = $1 FOR NO KEY UPDATE`, [
        userId,
      ]);
      return row ? toGuard(row) : emptyGuard(userId);
    },
    findByTotpLink: async (link) => {
      const [row] = await query<{ readonly userId: string }>(
        'SELECT user_id AS "userId" FROM guards WHERE next_totp_link = $1',
        [link],
      );
      return row?.userId ?? null;
    },
  };
}

/** Writes all of a guard: it is read whole, changed and written whole, under its lock. */
function saveGuard({ query }: Pick<Connection, 'query'>): GuardStore['save'] {
  return async (guard) => {
    await query(
      `INSERT INTO guards (user_id, pin_hash, pin_failures, pin_locks, pin_locked_until, delay_from, frozen_at,
         unfreeze_at, cap_lamports, next_cap_lamports, next_cap_at, totp_box, totp_step, totp_ends_at,
         next_totp_box, next_totp_link, next_totp_until, recovery_codes, next_recovery_codes,
         spend_cap_lamports, next_spend_cap_lamports, next_spend_cap_at, unlocked_until, unlocks_from, pin_trying)
       VALUES ($1, $2, $3::int, $4::int, $5::timestamptz, $6::timestamptz, $7::timestamptz, $8::timestamptz,
         $9::bigint, $10::bigint, $11::timestamptz, $12, $13::int, $14::timestamptz, $15, $16, $17::timestamptz,
         $18::text[], $19::text[], $20::bigint, $21::bigint, $22::timestamptz, $23::timestamptz, $24::timestamptz, $25)
       ON CONFLICT (user_id) DO UPDATE SET pin_hash = excluded.pin_hash, pin_failures = excluded.pin_failures,
         pin_locks = excluded.pin_locks, pin_locked_until = excluded.pin_locked_until,
         delay_from = excluded.delay_from, frozen_at = excluded.frozen_at, unfreeze_at = excluded.unfreeze_at,
         cap_lamports = excluded.cap_lamports, next_cap_lamports = excluded.next_cap_lamports,
         next_cap_at = excluded.next_cap_at, totp_box = excluded.totp_box, totp_step = excluded.totp_step,
         totp_ends_at = excluded.totp_ends_at, next_totp_box = excluded.next_totp_box,
         next_totp_link = excluded.next_totp_link, next_totp_until = excluded.next_totp_until,
         recovery_codes = excluded.recovery_codes, next_recovery_codes = excluded.next_recovery_codes,
         spend_cap_lamports = excluded.spend_cap_lamports,
         next_spend_cap_lamports = excluded.next_spend_cap_lamports,
         next_spend_cap_at = excluded.next_spend_cap_at, unlocked_until = excluded.unlocked_until,
         unlocks_from = excluded.unlocks_from, pin_trying = excluded.pin_trying`,
      [
        guard.userId,
        guard.pinHash,
        guard.pinFailures,
        guard.pinLocks,
        toTimeOrNull(guard.pinLockedUntil),
        toTimeOrNull(guard.delayFrom),
        toTimeOrNull(guard.frozenAt),
        toTimeOrNull(guard.unfreezeAt),
        guard.capLamports?.toString() ?? null,
        guard.nextCapLamports?.toString() ?? null,
        toTimeOrNull(guard.nextCapAt),
        guard.totpBox,
        guard.totpStep,
        toTimeOrNull(guard.totpEndsAt),
        guard.nextTotpBox,
        guard.nextTotpLink,
        toTimeOrNull(guard.nextTotpUntil),
        guard.recoveryCodes,
        guard.nextRecoveryCodes,
        guard.spendCapLamports?.toString() ?? null,
        guard.nextSpendCapLamports?.toString() ?? null,
        toTimeOrNull(guard.nextSpendCapAt),
        toTimeOrNull(guard.unlockedUntil),
        toTimeOrNull(guard.unlocksFrom),
        guard.pinTrying,
      ],
    );
  };
}

/** What was spent and which codes were used. */
function spendingRows({
  query,
}: Pick<Connection, 'query'>): Pick<GuardStore, 'addUse' | 'addSpending' | 'spentSince' | 'usedSince'> {
  return {
    addUse: async (use) => {
      await query(
        `INSERT INTO withdrawal_uses (intent_id, user_id, lamports, counts_at)
         VALUES ($1, $2, $3::bigint, $4::timestamptz)`,
        [use.intentId, use.userId, use.lamports?.toString() ?? null, toTime(use.countsAt)],
      );
    },
    addSpending: async (use) => {
      await query(
        `INSERT INTO spending_uses (intent_id, user_id, lamports, counts_at)
         VALUES ($1, $2, $3::bigint, $4::timestamptz)`,
        [use.intentId, use.userId, use.lamports.toString(), toTime(use.countsAt)],
      );
    },
    spentSince: async (userId, since) => {
      const [row] = await query<{ readonly spent: string }>(`SELECT (${SPENT}) AS spent`, [
        userId,
        toTime(since),
      ]);
      return BigInt(row?.spent ?? 0);
    },
    usedSince: async (userId, since) => {
      const [row] = await query<{ readonly lamports: string; readonly unpriced: number }>(
        `SELECT coalesce(sum(use.lamports), 0)::text AS lamports,
           (count(*) FILTER (WHERE use.lamports IS NULL))::int AS unpriced
         FROM withdrawal_uses use JOIN intents intent ON intent.id = use.intent_id
         WHERE use.user_id = $1 AND use.counts_at >= $2::timestamptz AND intent.status NOT IN ${MOVED_NOTHING}`,
        [userId, toTime(since)],
      );
      return { lamports: BigInt(row?.lamports ?? 0), unpriced: row?.unpriced ?? 0 };
    },
  };
}

function guardOr(row: Row | { readonly userId: null }, userId: string): Guard {
  return row.userId === null ? emptyGuard(userId) : toGuard(row);
}

function toGuard(row: Row): Guard {
  const amount = (value: BigintColumn | null): bigint | null => (value === null ? null : BigInt(value));
  return {
    ...row,
    pinLockedUntil: fromTimeOrNull(row.pinLockedUntil),
    delayFrom: fromTimeOrNull(row.delayFrom),
    frozenAt: fromTimeOrNull(row.frozenAt),
    unfreezeAt: fromTimeOrNull(row.unfreezeAt),
    capLamports: amount(row.capLamports),
    nextCapLamports: amount(row.nextCapLamports),
    nextCapAt: fromTimeOrNull(row.nextCapAt),
    totpEndsAt: fromTimeOrNull(row.totpEndsAt),
    nextTotpUntil: fromTimeOrNull(row.nextTotpUntil),
    spendCapLamports: amount(row.spendCapLamports),
    nextSpendCapLamports: amount(row.nextSpendCapLamports),
    nextSpendCapAt: fromTimeOrNull(row.nextSpendCapAt),
    unlockedUntil: fromTimeOrNull(row.unlockedUntil),
    unlocksFrom: fromTimeOrNull(row.unlocksFrom),
  };
}

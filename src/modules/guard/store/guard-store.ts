import { STANDS } from '../../../engine/switches/store.ts';
import type { Flag } from '../../../engine/switches/store-port.ts';
import {
  type BigintColumn,
  fromTime,
  fromTimeOrNull,
  toTime,
  toTimeOrNull,
} from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { CertificateCheck } from '../../../platform/ports/certificates.ts';
import { emptyGuard, type Guard } from '../rules/guard.ts';
import type { SpentSums } from '../rules/spent.ts';
import type { GuardStore } from './guard-store-port.ts';

// SQL: locks a person's row and compares before it sets; limits are sums at the moment of the statement.

export const GUARD_COLUMNS = `user_id AS "userId", pin_hash AS "pinHash", pin_failures AS "pinFailures", pin_locks AS "pinLocks",
  pin_locked_until AS "pinLockedUntil", delay_from AS "delayFrom", frozen_at AS "frozenAt", unfreeze_at AS "unfreezeAt",
  cap_lamports AS "capLamports", next_cap_lamports AS "nextCapLamports", next_cap_at AS "nextCapAt",
  totp_box AS "totpBox", totp_step AS "totpStep", totp_ends_at AS "totpEndsAt", next_totp_box AS "nextTotpBox",
  recovery_codes AS "recoveryCodes", next_recovery_codes AS "nextRecoveryCodes",
  next_totp_link AS "nextTotpLink", next_totp_until AS "nextTotpUntil",
  spend_cap_lamports AS "spendCapLamports", next_spend_cap_lamports AS "nextSpendCapLamports",
  next_spend_cap_at AS "nextSpendCapAt", unlocked_until AS "unlockedUntil", unlocks_from AS "unlocksFrom",
  pin_trying AS "pinTrying", pin_set_at AS "pinSetAt",
  pin_right_at AS "pinRightAt", lock_epoch AS "lockEpoch", pin_is_first AS "pinIsFirst",
  notice_mail AS "noticeMail", next_notice_mail AS "nextNoticeMail", next_notice_mail_at AS "nextNoticeMailAt",
  version, certificate, halted_at AS "haltedAt"`;

type Times =
  | 'pinSetAt'
  | 'pinRightAt'
  | 'pinLockedUntil'
  | 'delayFrom'
  | 'frozenAt'
  | 'unfreezeAt'
  | 'nextCapAt'
  | 'totpEndsAt'
  | 'nextTotpUntil'
  | 'nextSpendCapAt'
  | 'unlockedUntil'
  | 'unlocksFrom'
  | 'nextNoticeMailAt';
type Amounts = 'capLamports' | 'nextCapLamports' | 'spendCapLamports' | 'nextSpendCapLamports';
export type GuardRow = Omit<Guard, Times | Amounts | 'version'> & {
  readonly version: BigintColumn;
  readonly haltedAt: Date | null;
} & Readonly<Record<Times, Date | null>> &
  Readonly<Record<Amounts, BigintColumn | null>>;

/** An intent that ended without moving money gives its part of the cap back. */
const MOVED_NOTHING = `('REJECTED', 'EXPIRED', 'CANCELLED', 'FAILED')`;

/** Of an intent that moved nothing the network's fees count, where one of its transactions landed. */
const COUNTS = `(intent.status NOT IN ${MOVED_NOTHING}
    OR EXISTS (SELECT FROM attempts WHERE attempts.intent_id = intent.id AND attempts.status = 'LANDED_ERR'))`;
const counted = (lamports: string): string =>
  `CASE WHEN intent.status IN ${MOVED_NOTHING} THEN least(${lamports}, use.fee_lamports) ELSE ${lamports} END`;

const SUMS = `SELECT
    coalesce(sum(${counted('use.lamports')}) FILTER (WHERE use.counts_at >= $2::timestamptz), 0)::text AS s,
    coalesce(sum(${counted('coalesce(use.all_lamports, use.lamports)')}) FILTER (WHERE use.counts_at >= $2::timestamptz), 0)::text AS k,
    coalesce(sum(${counted('use.doubted_lamports')}) FILTER (WHERE use.counts_at >= $2::timestamptz), 0)::text AS d,
    coalesce(sum(use.floor_lamports) FILTER (WHERE use.counts_at >= $2::timestamptz), 0)::text AS floor,
    coalesce(sum(${counted('use.lamports')}) FILTER (WHERE use.counts_at >= since.at), 0)::text AS "sinceRight"
  FROM (SELECT coalesce((SELECT coalesce(pin_right_at, pin_set_at) FROM guards WHERE user_id = $1), '-infinity') AS at) since
  CROSS JOIN spending_uses use JOIN intents intent ON intent.id = use.intent_id
  WHERE use.user_id = $1 AND use.counts_at >= least(since.at, $2::timestamptz) AND ${COUNTS}`;

type SumsRow = Readonly<Record<keyof SpentSums, string>>;
const NOTHING_SPENT: SumsRow = { s: '0', k: '0', d: '0', floor: '0', sinceRight: '0' };

/** The person's row beside something else; without a row its columns are null. */
type Beside<T> = (GuardRow | { readonly userId: null }) & T;

/** The check that proves guards, and gives the certificate of a changed one. */
type GuardCheck = Pick<CertificateCheck, 'guard' | 'certifyGuard'>;

export function createPrismaGuardStore(connection: Connection, certificates: GuardCheck): GuardStore {
  return {
    ...guardReads(connection, certificates),
    save: saveGuard(connection, certificates),
    saveTries: saveTries(connection, certificates),
    ...spendingRows(connection),
    ...actRows(connection),
  };
}

/** The guard of one person. */
function guardReads(
  { query }: Pick<Connection, 'query'>,
  certificates: GuardCheck,
): Pick<GuardStore, 'find' | 'findWithPauses' | 'findWithSums' | 'lock' | 'findByTotpLink'> {
  /** A row that is gone is no empty guard: the check knows whether there was one. */
  const proved = async (
    row: GuardRow | { readonly userId: null } | undefined,
    userId: string,
  ): Promise<Guard> => {
    if (row === undefined || row.userId === null) {
      const none = emptyGuard(userId);
      await certificates.guard(none);
      return none;
    }
    const guard = toGuard(row);
    await certificates.guard(guard);
    return row.haltedAt === null ? guard : { ...guard, frozenAt: fromTime(row.haltedAt), unfreezeAt: null };
  };
  return {
    find: async (userId) => {
      const [row] = await query<GuardRow>(`SELECT ${GUARD_COLUMNS} FROM guards WHERE user_id = $1`, [userId]);
      return proved(row, userId);
    },
    findWithPauses: async (userId) => {
      const [row] = await query<Beside<{ readonly paused: readonly Flag[] }>>(
        `SELECT ${GUARD_COLUMNS}, ARRAY(SELECT flag FROM system_flags WHERE ${STANDS} AND flag <> 'quarantined') AS paused
         FROM (SELECT $1::text AS asked) one LEFT JOIN guards ON user_id = asked`,
        [userId],
      );
      const { paused = [], ...guard } = row ?? { userId: null };
      return { guard: await proved(guard, userId), paused: new Set(paused) };
    },
    findWithSums: async (userId, since) => {
      const [row] = await query<Beside<SumsRow>>(
        `SELECT ${GUARD_COLUMNS}, sums.* FROM (SELECT $1::text AS asked) one LEFT JOIN guards ON user_id = asked
         CROSS JOIN LATERAL (${SUMS}) sums`,
        [userId, toTime(since)],
      );
      const { s, k, d, floor, sinceRight, ...guard } = row ?? { ...NOTHING_SPENT, userId: null };
      return { guard: await proved(guard, userId), spent: toSums({ s, k, d, floor, sinceRight }) };
    },
    lock: async (userId) => {
      // A row that is not there cannot be locked, and two first tries would both see none.
      await query('INSERT INTO guards (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [userId]);
      const [row] = await query<GuardRow>(
        `SELECT ${GUARD_COLUMNS} FROM guards WHERE user_id = $1 FOR NO KEY UPDATE`,
        [userId],
      );
      return proved(row, userId);
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

/** The transaction that the statement is part of; the signer asks whether it was committed. */
const ownTransaction = (query: Connection['query']) => async (): Promise<string> => {
  const [row] = await query<{ readonly id: string }>('SELECT pg_current_xact_id()::text AS id', []);
  if (row === undefined) throw new Error('a transaction has a name');
  return row.id;
};

/** Writes the columns that a proof changes, of a row that `lock` has made. */
function saveTries({ query }: Pick<Connection, 'query'>, certificates: GuardCheck): GuardStore['saveTries'] {
  return async (given) => {
    // A used recovery code, or an end of the authenticator that is called off, is the signer's own to certify.
    const by = { act: null, transactionId: ownTransaction(query) };
    const guard = (await certificates.certifyGuard(given, by)) ?? given;
    if (guard !== given) return writeGuard(query, guard);
    await query(
      `UPDATE guards SET pin_failures = $2::int, pin_locks = $3::int, pin_locked_until = $4::timestamptz, pin_trying = $5,
         pin_right_at = $6::timestamptz, totp_step = $7::int, totp_ends_at = $8::timestamptz, recovery_codes = $9::text[],
         next_recovery_codes = $10::text[], next_totp_link = $11
       WHERE user_id = $1`,
      [
        guard.userId,
        guard.pinFailures,
        guard.pinLocks,
        toTimeOrNull(guard.pinLockedUntil),
        guard.pinTrying,
        toTimeOrNull(guard.pinRightAt),
        guard.totpStep,
        toTimeOrNull(guard.totpEndsAt),
        guard.recoveryCodes,
        guard.nextRecoveryCodes,
        guard.nextTotpLink,
      ],
    );
  };
}

/** Writes all of a guard: it is read whole, changed and written whole, under its lock. */
function saveGuard({ query }: Pick<Connection, 'query'>, certificates: GuardCheck): GuardStore['save'] {
  return async (given, { act }) => {
    const guard = await certificates.certifyGuard(given, { act, transactionId: ownTransaction(query) });
    if (guard !== null) return writeGuard(query, guard);
    await query('UPDATE guards SET halted_at = $2::timestamptz WHERE user_id = $1', [
      given.userId,
      toTimeOrNull(given.frozenAt),
    ]);
  };
}

async function writeGuard(query: Connection['query'], guard: Guard): Promise<void> {
  await query(
    `INSERT INTO guards (user_id, pin_hash, pin_failures, pin_locks, pin_locked_until, delay_from, frozen_at,
         unfreeze_at, cap_lamports, next_cap_lamports, next_cap_at, totp_box, totp_step, totp_ends_at,
         next_totp_box, next_totp_link, next_totp_until, recovery_codes, next_recovery_codes,
         spend_cap_lamports, next_spend_cap_lamports, next_spend_cap_at, unlocked_until, unlocks_from, pin_trying,
         pin_set_at, pin_right_at, lock_epoch, pin_is_first, notice_mail, next_notice_mail, next_notice_mail_at,
         version, certificate)
       VALUES ($1, $2, $3::int, $4::int, $5::timestamptz, $6::timestamptz, $7::timestamptz, $8::timestamptz,
         $9::bigint, $10::bigint, $11::timestamptz, $12, $13::int, $14::timestamptz, $15, $16, $17::timestamptz,
         $18::text[], $19::text[], $20::bigint, $21::bigint, $22::timestamptz, $23::timestamptz, $24::timestamptz, $25,
         $26::timestamptz, $27::timestamptz, $28::int, $29::boolean, $30, $31, $32::timestamptz, $33::bigint, $34)
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
         unlocks_from = excluded.unlocks_from, pin_trying = excluded.pin_trying,
         pin_set_at = excluded.pin_set_at, pin_right_at = excluded.pin_right_at,
         lock_epoch = excluded.lock_epoch,
         pin_is_first = excluded.pin_is_first, notice_mail = excluded.notice_mail,
         next_notice_mail = excluded.next_notice_mail, next_notice_mail_at = excluded.next_notice_mail_at,
         version = excluded.version, certificate = excluded.certificate, halted_at = NULL`,
    valuesOf(guard),
  );
}

/** A guard in the order of the columns that `saveGuard` writes. */
function valuesOf(guard: Guard): Parameters<Connection['query']>[1] {
  return [
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
    toTimeOrNull(guard.pinSetAt),
    toTimeOrNull(guard.pinRightAt),
    guard.lockEpoch,
    guard.pinIsFirst,
    guard.noticeMail,
    guard.nextNoticeMail,
    toTimeOrNull(guard.nextNoticeMailAt),
    guard.version,
    guard.certificate,
  ];
}

/** Spending and used codes. */
function spendingRows({
  query,
}: Pick<Connection, 'query'>): Pick<GuardStore, 'addUse' | 'addSpending' | 'sumsSince' | 'usedSince'> {
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
        `INSERT INTO spending_uses (intent_id, user_id, lamports, counts_at, all_lamports, doubted_lamports,
           fee_lamports, floor_lamports)
         VALUES ($1, $2, $3::bigint, $4::timestamptz, $5::bigint, $6::bigint, $7::bigint, $8::bigint)`,
        [
          use.intentId,
          use.userId,
          use.lamports.toString(),
          toTime(use.countsAt),
          (use.all ?? use.lamports).toString(),
          (use.doubted ?? 0n).toString(),
          (use.fees ?? 0n).toString(),
          (use.floor ?? 0n).toString(),
        ],
      );
    },
    sumsSince: async (userId, since) => {
      const [row] = await query<SumsRow>(SUMS, [userId, toTime(since)]);
      return toSums(row ?? NOTHING_SPENT);
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

/** Which limited acts were done. */
function actRows({
  query,
}: Pick<Connection, 'query'>): Pick<GuardStore, 'addAct' | 'lockAccount' | 'actsSince'> {
  return {
    addAct: async (use) => {
      await query(
        'INSERT INTO act_uses (id, user_id, account, rate, at) VALUES ($1, $2, $3, $4, $5::timestamptz)',
        [use.id, use.by.userId ?? null, use.by.account ?? null, use.rate, toTime(use.at)],
      );
    },
    lockAccount: async (account) => {
      await query("SELECT pg_advisory_xact_lock(hashtextextended('act_uses:' || $1, 0))::text", [account]);
    },
    actsSince: async ({ userId, account }, rate, since) => {
      const owner = userId === undefined ? 'account' : 'user_id';
      const rows = await query<{ readonly at: Date }>(
        `SELECT at FROM act_uses WHERE ${owner} = $1 AND rate = $2 AND at >= $3::timestamptz ORDER BY at`,
        [userId ?? account, rate, toTime(since)],
      );
      return rows.map(({ at }) => at.getTime());
    },
  };
}

function toSums({ s, k, d, floor, sinceRight }: SumsRow): SpentSums {
  return { s: BigInt(s), k: BigInt(k), d: BigInt(d), floor: BigInt(floor), sinceRight: BigInt(sinceRight) };
}

/** The guard of a row, proved by nothing. */
export function toGuard({ haltedAt: _haltedAt, ...row }: GuardRow): Guard {
  const amount = (value: BigintColumn | null): bigint | null => (value === null ? null : BigInt(value));
  return {
    ...row,
    version: Number(row.version),
    pinSetAt: fromTimeOrNull(row.pinSetAt),
    pinRightAt: fromTimeOrNull(row.pinRightAt),
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
    nextNoticeMailAt: fromTimeOrNull(row.nextNoticeMailAt),
  };
}

import { toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Connection, Parameter, Query } from '../../../platform/db/connection.ts';
import { OUTCOME, PARAMS } from '../../../platform/db/json/intent-json.ts';
import type { Columns } from '../../../platform/db/prefixed-columns.ts';
import type { CertificateCheck } from '../../../platform/ports/certificates.ts';
import type { Intent } from '../rules/intent.ts';
import { createAttemptStore } from './attempt-store.ts';
import { INTENT_COLUMNS, type IntentRow, toIntent } from './intent-row.ts';
import type { IntentStore } from './intent-store-port.ts';
import { LEASED_COLUMNS, toWhole, WHOLE_COLUMNS, WHOLE_TABLES } from './whole-intent.ts';

// SQL: the money path: leases and statuses change by compare-and-set, and an intent comes with its attempts in one round
// trip.

/** Spelled as in the partial indexes, so that Postgres uses them. */
const OPEN = `status IN ('CREATED', 'ACTIVE')`;
/** One that ends further ahead than a lease lasts was taken before the clock was set back. As in `lease_intent`. */
const FREE =
  "(lease_until IS NULL OR lease_until <= $2::timestamptz OR lease_until > $2::timestamptz + interval '70 seconds')";

/** $1 = how many at most, $2 = now, $3 = `watchedSince` or null. */
export const DUE = `SELECT id FROM intents
  WHERE ${OPEN} AND ${FREE} AND (not_before IS NULL OR not_before <= $2::timestamptz)
    AND ($3::timestamptz IS NULL
      OR NOT EXISTS (SELECT 1 FROM watchers WHERE until > $2::timestamptz)
      OR NOT EXISTS (SELECT 1 FROM attempts attempt WHERE attempt.intent_id = intents.id
        AND attempt.status IN ('SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN') AND attempt.send_count > 0
        AND attempt.signed_at > $3::timestamptz))
  ORDER BY id LIMIT $1::int`;

/** Every compare-and-set is one UPDATE that names the state that it expects: Postgres judges it, not a read before it. */
export function createPrismaIntentStore(connection: Connection, certificates: CertificateCheck): IntentStore {
  return {
    ...createAttemptStore(connection),
    ...intentReads(connection, certificates),
    insert: insertIntent(connection),
    ...leases(connection, certificates),
    update: updateIntent(connection),
    ...intentLists(connection),
  };
}

/** One intent, and one with its attempts. */
function intentReads(
  { query }: Pick<Connection, 'query'>,
  certificates: CertificateCheck,
): Pick<IntentStore, 'find' | 'findByKey' | 'whole'> {
  return {
    find: (id) => intentWhere(query, 'id = $1', id),
    findByKey: (idemKey) => intentWhere(query, 'idem_key = $1', idemKey),
    whole: async (id) =>
      toWhole(
        await query<Columns>(
          `SELECT ${WHOLE_COLUMNS} FROM ${WHOLE_TABLES} WHERE intent.id = $1 ORDER BY attempt.n`,
          [id],
        ),
        certificates,
      ),
  };
}

/** A new intent, or the one that has its key already. */
function insertIntent({ query }: Pick<Connection, 'query'>): IntentStore['insert'] {
  return async (intent) => {
    const [row] = await query<IntentRow>(
      `INSERT INTO intents (id, receipt, kind, user_id, wallet_id, idem_key, params, status, not_before, lease_owner,
         lease_until, lease_epoch, outcome, created_at, updated_at, confirmation)
       VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9::timestamptz, $10, $11::timestamptz, $12::int, $13::jsonb,
         $14::timestamptz, $15::timestamptz, $16)
       ON CONFLICT (idem_key) DO NOTHING RETURNING ${INTENT_COLUMNS}`,
      [
        intent.id,
        intent.receipt,
        intent.kind,
        intent.userId,
        intent.walletId,
        intent.idemKey,
        PARAMS.encode(intent.id, intent.params),
        intent.status,
        toTimeOrNull(intent.notBefore),
        intent.leaseOwner,
        toTimeOrNull(intent.leaseUntil),
        intent.leaseEpoch,
        intent.outcome && OUTCOME.encode(intent.id, intent.outcome),
        toTime(intent.createdAt),
        toTime(intent.updatedAt),
        intent.confirmation,
      ],
    );
    if (row) return { intent: toIntent(row), created: true };
    const known = await intentWhere(query, 'idem_key = $1', intent.idemKey);
    if (!known) throw new Error(`intents: ${intent.idemKey} is neither new nor known`);
    return { intent: known, created: false };
  };
}

/** The leases of intents. */
function leases(
  { query }: Pick<Connection, 'query'>,
  certificates: CertificateCheck,
): Pick<IntentStore, 'lease' | 'claim' | 'release'> {
  return {
    lease: async (id, { owner, now, until }) =>
      toWhole(
        await query<Columns>(
          `SELECT ${LEASED_COLUMNS} FROM lease_intent($1, $2, $3::timestamptz, $4::timestamptz) leased
           ORDER BY (leased.attempt).n`,
          [id, owner, toTime(now), toTime(until)],
        ),
        certificates,
      ),
    claim: async (id, epoch, now) => {
      // The conditions of `lease_intent`, and the epoch.
      const rows = await query(
        `UPDATE intents SET lease_owner = NULL, lease_until = NULL, lease_epoch = lease_epoch + 1
         WHERE id = $1 AND ${OPEN} AND ${FREE} AND lease_epoch = $3::int
           AND NOT EXISTS (SELECT 1 FROM system_flags WHERE flag = 'quarantined' AND is_on)
         RETURNING id`,
        [id, toTime(now), epoch],
      );
      return rows.length > 0;
    },
    release: async (id, epoch) => {
      const rows = await query(
        'UPDATE intents SET lease_owner = NULL, lease_until = NULL WHERE id = $1 AND lease_epoch = $2::int RETURNING id',
        [id, epoch],
      );
      return rows.length > 0;
    },
  };
}

/** Updates an intent that is as expected; false when it is not. */
function updateIntent({ query }: Pick<Connection, 'query'>): IntentStore['update'] {
  return async (id, expect, patch) => {
    const values: Parameter[] = [id, expect.statuses];
    const conditions = ['id = $1', 'status = ANY($2::text[])'];
    if (expect.epoch !== undefined) conditions.push(`lease_epoch = $${values.push(expect.epoch)}::int`);
    const changes: string[] = [];
    if (patch.status !== undefined) changes.push(`status = $${values.push(patch.status)}`);
    if (patch.outcome !== undefined) {
      changes.push(`outcome = $${values.push(patch.outcome && OUTCOME.encode(id, patch.outcome))}::jsonb`);
    }
    if (patch.notBefore !== undefined) {
      changes.push(`not_before = $${values.push(toTimeOrNull(patch.notBefore))}::timestamptz`);
    }
    if (patch.updatedAt !== undefined) {
      changes.push(`updated_at = $${values.push(toTime(patch.updatedAt))}::timestamptz`);
    }
    // Without a change it still answers whether the row is as expected, and locks it as a change would.
    if (changes.length === 0) changes.push('status = status');
    const sql = `UPDATE intents SET ${changes.join(', ')} WHERE ${conditions.join(' AND ')} RETURNING id`;
    return (await query(sql, values)).length > 0;
  };
}

/** Intents that are due, open or of one person. */
function intentLists({
  query,
}: Pick<Connection, 'query'>): Pick<IntentStore, 'due' | 'countOpenByWallet' | 'listOpen' | 'listByUser'> {
  return {
    due: async (now, limit, options) => {
      const rows = await query<{ readonly id: string }>(DUE, [
        limit,
        toTime(now),
        toTimeOrNull(options?.watchedSince ?? null),
      ]);
      return rows.map((row) => row.id);
    },
    countOpenByWallet: async (walletId) => {
      const [row] = await query<{ readonly count: number }>(
        `SELECT count(*)::int AS count FROM intents WHERE wallet_id = $1 AND ${OPEN}`,
        [walletId],
      );
      return row?.count ?? 0;
    },
    listOpen: async (userId) => {
      const rows = await query<IntentRow>(
        `SELECT ${INTENT_COLUMNS} FROM intents WHERE user_id = $1 AND ${OPEN} ORDER BY id DESC`,
        [userId],
      );
      return rows.map(toIntent);
    },
    listByUser: async (userId, { limit, before, kinds, walletId }) => {
      const rows = await query<IntentRow>(
        `SELECT ${INTENT_COLUMNS} FROM intents
         WHERE user_id = $1 AND ($2::text IS NULL OR id < $2::text) AND ($3::text[] IS NULL OR kind = ANY($3::text[]))
           AND ($5::text IS NULL OR wallet_id = $5::text)
         ORDER BY id DESC LIMIT $4::int`,
        [userId, before ?? null, kinds ?? null, limit, walletId ?? null],
      );
      return rows.map(toIntent);
    },
  };
}

async function intentWhere(query: Query, condition: string, value: string): Promise<Intent | null> {
  const [row] = await query<IntentRow>(`SELECT ${INTENT_COLUMNS} FROM intents WHERE ${condition}`, [value]);
  return row ? toIntent(row) : null;
}

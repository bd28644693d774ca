import { API_SCOPES, type ApiKey, type ApiKeyStore } from '../../core/ports/api-key-store.ts';
import { toTime } from './codec.ts';
import type { Connection } from './connection.ts';

type Row = {
  readonly id: string;
  readonly account: string;
  readonly hash: Uint8Array;
  readonly scopes: string;
  readonly rate: number;
  readonly burst: number;
  readonly fee: number;
  readonly created: Date;
  readonly expires: Date | null;
  readonly revoked: Date | null;
  readonly quota: number | null;
  readonly email: string | null;
  readonly replaced: string | null;
};

const COLUMNS = `id, account, hash, scopes, rate_per_second AS rate, burst, max_referrer_fee_bps AS fee,
  created_at AS created, expires_at AS expires, revoked_at AS revoked,
  day_quota AS quota, email, replaced_by AS replaced`;

/** Keys of the pro host. */
export function createApiKeyStore({ query }: Pick<Connection, 'query'>): ApiKeyStore {
  return {
    find: async (id) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM api_keys WHERE id = $1`, [id]);
      return row === undefined ? null : keyOf(row);
    },
    insert: async (key) => {
      const rows = await query(
        `INSERT INTO api_keys (id, account, hash, scopes, rate_per_second, burst, max_referrer_fee_bps, created_at,
           expires_at, revoked_at, day_quota, email, replaced_by)
         VALUES ($1, $2, $3::bytea, $4, $5::integer, $6::integer, $7::integer, $8::timestamptz, $9::timestamptz,
           $10::timestamptz, $11::integer, $12, $13)
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [
          key.id,
          key.account,
          Uint8Array.from(key.hash),
          key.scopes.join(','),
          key.ratePerSecond,
          key.burst,
          key.maxReferrerFeeBps,
          toTime(key.createdAt),
          key.expiresAt === null ? null : toTime(key.expiresAt),
          key.revokedAt === null ? null : toTime(key.revokedAt),
          key.dayQuota,
          key.email,
          key.replacedBy,
        ],
      );
      return rows.length > 0;
    },
    list: async () =>
      (await query<Row>(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at DESC, id`, [])).map((row) =>
        keyOf(row),
      ),
    listByEmail: async (email) =>
      (
        await query<Row>(`SELECT ${COLUMNS} FROM api_keys WHERE email = $1 ORDER BY created_at DESC, id`, [
          email,
        ])
      ).map((row) => keyOf(row)),
    replace: async (id, { id: successor, expiresAt, now }) =>
      (
        await query(
          `UPDATE api_keys SET replaced_by = $2, expires_at = LEAST(expires_at, $3::timestamptz)
           WHERE id = $1 AND replaced_by IS NULL AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $4::timestamptz) RETURNING id`,
          [id, successor, toTime(expiresAt), toTime(now)],
        )
      ).length > 0,
    revoke: async (id, at) =>
      (
        await query(
          `UPDATE api_keys SET revoked_at = $2::timestamptz
           WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2::timestamptz) RETURNING id`,
          [id, toTime(at)],
        )
      ).length > 0,
  };
}

function keyOf(row: Row): ApiKey {
  return {
    id: row.id,
    account: row.account,
    hash: Uint8Array.from(row.hash),
    scopes: API_SCOPES.filter((scope) => row.scopes.split(',').includes(scope)),
    ratePerSecond: row.rate,
    burst: row.burst,
    maxReferrerFeeBps: row.fee,
    dayQuota: row.quota,
    email: row.email,
    replacedBy: row.replaced,
    createdAt: row.created.getTime(),
    expiresAt: row.expires?.getTime() ?? null,
    revokedAt: row.revoked?.getTime() ?? null,
  };
}

import { fromTime, fromTimeOrNull, toDateOrNull, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { ApiKeyModel } from '../../../platform/db/generated/models.ts';
import { API_SCOPES, type ApiKey, type ApiKeyStore } from './api-key-store-port.ts';

/** Keys of the pro host. */
export function createApiKeyStore({ prisma, query }: Pick<Connection, 'prisma' | 'query'>): ApiKeyStore {
  return {
    find: async (id) => {
      // SQL: it runs for every request with a key, and a model's call costs twice the processor time.
      const [row] = await query<ApiKeyModel>(
        `SELECT id, account, hash, scopes, rate_per_second AS "ratePerSecond", burst,
           max_referrer_fee_bps AS "maxReferrerFeeBps", created_at AS "createdAt", expires_at AS "expiresAt",
           revoked_at AS "revokedAt", day_quota AS "dayQuota", email, replaced_by AS "replacedBy"
         FROM api_keys WHERE id = $1`,
        [id],
      );
      return row === undefined ? null : keyOf(row);
    },
    insert: async (_passed, key) => {
      const { count } = await prisma().apiKey.createMany({
        data: [
          {
            ...key,
            hash: Uint8Array.from(key.hash),
            scopes: key.scopes.join(','),
            createdAt: new Date(key.createdAt),
            expiresAt: toDateOrNull(key.expiresAt),
            revokedAt: toDateOrNull(key.revokedAt),
          },
        ],
        skipDuplicates: true,
      });
      return count > 0;
    },
    list: async () =>
      (await prisma().apiKey.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] })).map(keyOf),
    listByEmail: async (email) =>
      (
        await prisma().apiKey.findMany({
          where: { email },
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
        })
      ).map(keyOf),
    replace: async (_passed, id, { id: successor, expiresAt, now }) => {
      // SQL: the end moves to the earlier of two moments, one of which is in the row.
      const rows = await query(
        `UPDATE api_keys SET replaced_by = $2, expires_at = LEAST(expires_at, $3::timestamptz)
         WHERE id = $1 AND replaced_by IS NULL AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > $4::timestamptz) RETURNING id`,
        [id, successor, toTime(expiresAt), toTime(now)],
      );
      return rows.length > 0;
    },
    revoke: async (_passed, id, at) => {
      const { count } = await prisma().apiKey.updateMany({
        where: { id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(at) } }] },
        data: { revokedAt: new Date(at) },
      });
      return count > 0;
    },
  };
}

function keyOf(row: ApiKeyModel): ApiKey {
  return {
    ...row,
    hash: Uint8Array.from(row.hash),
    scopes: API_SCOPES.filter((scope) => row.scopes.split(',').includes(scope)),
    createdAt: fromTime(row.createdAt),
    expiresAt: fromTimeOrNull(row.expiresAt),
    revokedAt: fromTimeOrNull(row.revokedAt),
  };
}

import { fromTime, fromTimeOrNull, jsonInput, toDateOrNull, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { Prisma } from '../../../platform/db/generated/client.ts';
import type { ApiKeyRequestModel } from '../../../platform/db/generated/models.ts';
import { GRANTED } from '../../../platform/db/json/key-json.ts';
import type { KeyRequest } from '../rules/key-request.ts';
import { API_SCOPES } from './api-key-store-port.ts';
import type { KeyRequestStore } from './key-request-store-port.ts';

export function createKeyRequestStore(connection: Pick<Connection, 'prisma' | 'query'>): KeyRequestStore {
  return { ...oneRequest(connection), ...manyRequests(connection) };
}

/** One request for a key at a time. */
function oneRequest({
  prisma,
  query,
}: Pick<Connection, 'prisma' | 'query'>): Pick<KeyRequestStore, 'insert' | 'find' | 'change'> {
  return {
    insert: async (request) => {
      // SQL: a second open request of one address is refused by a partial index, which no model knows.
      const rows = await query(
        `INSERT INTO api_key_requests (id, email, project, intended_use, per_day, peak, scopes, status, created_at)
         VALUES ($1, $2, $3, $4, $5::integer, $6::integer, $7, $8::key_request_status, $9::timestamptz)
         ON CONFLICT (email) WHERE status IN ('unconfirmed', 'confirmed') DO NOTHING RETURNING id`,
        [
          request.id,
          request.email,
          request.project,
          request.use,
          request.perDay,
          request.peakPerSecond,
          request.scopes.join(','),
          request.status,
          toTime(request.createdAt),
        ],
      );
      return rows.length > 0;
    },
    find: async (id) => {
      const row = await prisma().apiKeyRequest.findUnique({ where: { id } });
      return row && requestOf(row);
    },
    change: async (id, from, { granted, confirmedAt, decidedAt, claimedAt, ...patch }, asked) => {
      const [row] = await prisma().apiKeyRequest.updateManyAndReturn({
        where: {
          id,
          status: { in: [...from] },
          ...(asked === undefined ? {} : { question: asked.question, answer: null }),
        },
        data: {
          ...patch,
          ...(confirmedAt === undefined ? {} : { confirmedAt: toDateOrNull(confirmedAt) }),
          ...(decidedAt === undefined ? {} : { decidedAt: toDateOrNull(decidedAt) }),
          ...(claimedAt === undefined ? {} : { claimedAt: toDateOrNull(claimedAt) }),
          ...(granted === undefined
            ? {}
            : { granted: granted === null ? Prisma.DbNull : jsonInput(GRANTED.encode(id, granted)) }),
        },
      });
      return row ? requestOf(row) : null;
    },
  };
}

/** Lists of requests, and their end. */
function manyRequests({
  prisma,
}: Pick<Connection, 'prisma'>): Pick<
  KeyRequestStore,
  'list' | 'listByEmail' | 'dropUnconfirmed' | 'deleteOld'
> {
  return {
    list: async (status, limit) =>
      (
        await prisma().apiKeyRequest.findMany({
          where: { status },
          orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
          take: limit,
        })
      ).map(requestOf),
    listByEmail: async (email, limit) =>
      (
        await prisma().apiKeyRequest.findMany({
          where: { email },
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
          take: limit,
        })
      ).map(requestOf),
    dropUnconfirmed: async (email, before) => {
      await prisma().apiKeyRequest.deleteMany({
        where: { email, status: 'unconfirmed', createdAt: { lt: new Date(before) } },
      });
    },
    deleteOld: async ({ unconfirmed, refused }) => {
      const { count } = await prisma().apiKeyRequest.deleteMany({
        where: {
          OR: [
            {
              status: { in: ['unconfirmed', 'bounced'] },
              decidedAt: null,
              createdAt: { lt: new Date(unconfirmed) },
            },
            { status: { in: ['refused', 'bounced'] }, decidedAt: { lt: new Date(refused) } },
          ],
        },
      });
      return count;
    },
  };
}

function requestOf({ intendedUse, peak, ...row }: ApiKeyRequestModel): KeyRequest {
  return {
    ...row,
    use: intendedUse,
    peakPerSecond: peak,
    scopes: API_SCOPES.filter((scope) => row.scopes.split(',').includes(scope)),
    createdAt: fromTime(row.createdAt),
    confirmedAt: fromTimeOrNull(row.confirmedAt),
    decidedAt: fromTimeOrNull(row.decidedAt),
    granted: row.granted === null ? null : GRANTED.decode(row.id, row.granted),
    claimedAt: fromTimeOrNull(row.claimedAt),
  };
}

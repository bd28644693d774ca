import { fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { CreatedTokenModel } from '../../../platform/db/generated/models.ts';
import { REVOCATION, REVOCATIONS, SPEC } from '../../../platform/db/json/token-json.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { CreatedToken } from '../rules/created-token.ts';
import type { CreatedTokenStore } from './created-token-store-port.ts';

export function createPrismaCreatedTokenStore({ prisma, query }: Connection): CreatedTokenStore {
  const newest = async (where: { readonly userId: string } | { readonly creator: string }, take: number) =>
    (
      await prisma().createdToken.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { mint: 'asc' }],
        take,
      })
    ).map(toToken);
  return {
    insert: async (token) => {
      // SQL: in the statement that remembers the token, so that no sweep comes between: its document stays for good.
      const rows = await query(
        `WITH kept AS (
           UPDATE metadata_files SET unused_since = NULL WHERE sha256 = $10 AND type = 'json'
         )
         INSERT INTO created_tokens (mint, user_id, wallet_id, creator, intent_id, signature, spec, way, uri, metadata_hash,
           created_at, revocations)
         VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::creation_way, $9, $10, $11::timestamptz, $12::jsonb)
         ON CONFLICT DO NOTHING RETURNING mint`,
        [
          token.mint,
          token.userId,
          token.walletId,
          token.creator,
          token.intentId,
          token.signature,
          SPEC.encode(token.mint, token.spec),
          token.way,
          token.uri,
          token.metadataHash,
          toTime(token.createdAt),
          REVOCATIONS.encode(token.mint, token.revocations),
        ],
      );
      return rows.length > 0;
    },
    find: async (mint) => {
      const row = await prisma().createdToken.findUnique({ where: { mint } });
      return row && toToken(row);
    },
    findAll: async (mints) =>
      (await prisma().createdToken.findMany({ where: { mint: { in: [...mints] } } })).map(toToken),
    findByIntent: async (intentId) => {
      const row = await prisma().createdToken.findUnique({ where: { intentId } });
      return row && toToken(row);
    },
    listByUser: (userId, limit) => newest({ userId }, limit),
    listByCreator: (creator, limit) => newest({ creator }, limit),
    markRevoked: async (mint, authority, revocation) => {
      // SQL: adds one key to the JSON unless it is there, so that of two revocations the first stays.
      const rows = await query(
        `UPDATE created_tokens SET revocations = revocations || jsonb_build_object($2::text, $3::jsonb)
         WHERE mint = $1 AND NOT jsonb_exists(revocations, $2::text) RETURNING mint`,
        [mint, authority, REVOCATION.encode(mint, revocation)],
      );
      return rows.length > 0;
    },
  };
}

function toToken(row: CreatedTokenModel): CreatedToken {
  return {
    ...row,
    // Written by this store from checked values.
    mint: storedAddress(row.mint),
    creator: storedAddress(row.creator),
    spec: SPEC.decode(row.mint, row.spec),
    revocations: REVOCATIONS.decode(row.mint, row.revocations),
    createdAt: fromTime(row.createdAt),
  };
}

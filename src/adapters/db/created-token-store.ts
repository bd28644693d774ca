import type { CreatedToken } from '../../core/mint/created-token.ts';
import type { CreatedTokenStore } from '../../core/ports/created-token-store.ts';
import { fromTime, toTime } from './codec.ts';
import type { Connection, Parameter } from './connection.ts';
import { REVOCATION, REVOCATIONS, SPEC } from './json/token-json.ts';
import { storedAddress } from './stored-address.ts';

const COLUMNS = `mint, user_id AS "userId", wallet_id AS "walletId", creator, intent_id AS "intentId", signature, spec, way, uri,
  metadata_hash AS "metadataHash", created_at AS "createdAt", revocations`;

type Row = Omit<CreatedToken, 'mint' | 'creator' | 'spec' | 'revocations' | 'createdAt'> & {
  readonly mint: string;
  readonly creator: string;
  readonly spec: unknown;
  readonly revocations: unknown;
  readonly createdAt: Date;
};

export function createPrismaCreatedTokenStore({ query }: Connection): CreatedTokenStore {
  const many = async (condition: string, values: readonly Parameter[]): Promise<readonly CreatedToken[]> =>
    (await query<Row>(`SELECT ${COLUMNS} FROM created_tokens WHERE ${condition}`, values)).map(toToken);
  const one = async (condition: string, value: string): Promise<CreatedToken | null> =>
    (await many(condition, [value]))[0] ?? null;
  const newest = (column: 'user_id' | 'creator', value: string, limit: number) =>
    many(`${column} = $1 ORDER BY created_at DESC, mint LIMIT $2::int`, [value, limit]);
  return {
    insert: async (token) => {
      const rows = await query(
        // In the commit that remembers the token, so that no sweep comes between: its document stays for good.
        `WITH kept AS (
           UPDATE metadata_files SET unused_since = NULL WHERE sha256 = $10 AND type = 'json'
         )
         INSERT INTO created_tokens (mint, user_id, wallet_id, creator, intent_id, signature, spec, way, uri, metadata_hash,
           created_at, revocations)
         VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11::timestamptz, $12::jsonb)
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
    find: (mint) => one('mint = $1', mint),
    findByIntent: (intentId) => one('intent_id = $1', intentId),
    listByUser: (userId, limit) => newest('user_id', userId, limit),
    listByCreator: (creator, limit) => newest('creator', creator, limit),
    markRevoked: async (mint, authority, revocation) => {
      const rows = await query(
        `UPDATE created_tokens SET revocations = revocations || jsonb_build_object($2::text, $3::jsonb)
         WHERE mint = $1 AND NOT jsonb_exists(revocations, $2::text) RETURNING mint`,
        [mint, authority, REVOCATION.encode(mint, revocation)],
      );
      return rows.length > 0;
    },
  };
}

function toToken(row: Row): CreatedToken {
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

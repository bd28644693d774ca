import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../platform/db/codec.ts';
import type { Connection, Query } from '../../platform/db/connection.ts';
import { KEY_TERMS } from '../../platform/db/json/personal-key-json.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { KeyUse } from './rules/key-use.ts';
import type { PersonalKey } from './rules/personal-key.ts';
import type { PersonalKeyStore } from './store-port.ts';

// SQL: a partial unique index, inserts that lose to a nonce that is there, and rows that another process has locked.

const KEY = `id, user_id AS "userId", wallet_id AS "walletId", public_key AS "publicKey", host, terms, lock_epoch AS "lockEpoch",
  until, certificate, created_at AS "createdAt", ended_at AS "endedAt"`;
const USE = `key_id AS "keyId", nonce, user_id AS "userId", what, subject, side, mint, lamports::text AS lamports, at, told_at AS "toldAt"`;

type KeyRow = Omit<PersonalKey, 'publicKey' | 'terms' | 'until' | 'createdAt' | 'endedAt'> & {
  readonly publicKey: string;
  readonly terms: unknown;
  readonly until: Date;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

type UseRow = Omit<KeyUse, 'mint' | 'lamports' | 'at' | 'toldAt'> & {
  readonly mint: string;
  readonly lamports: string;
  readonly at: Date;
  readonly toldAt: Date | null;
};

export function createPersonalKeyStore({ query }: Pick<Connection, 'query'>): PersonalKeyStore {
  return { ...ofKeys(query), ...ofNonces(query), ...ofUses(query) };
}

function ofKeys(
  query: Query,
): Pick<PersonalKeyStore, 'insert' | 'find' | 'listByUser' | 'end' | 'endedSince' | 'endAll'> {
  return {
    insert: async (_passed, key) => {
      const rows = await query(
        `INSERT INTO personal_keys (id, user_id, wallet_id, public_key, host, terms, lock_epoch, until, certificate, created_at, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8::timestamptz, $9, $10::timestamptz, $11::timestamptz)
         ON CONFLICT (user_id, public_key) WHERE ended_at IS NULL DO NOTHING RETURNING 1`,
        [
          key.id,
          key.userId,
          key.walletId,
          key.publicKey,
          key.host,
          KEY_TERMS.encode(key.id, key.terms),
          key.lockEpoch,
          toTime(key.until),
          key.certificate,
          toTime(key.createdAt),
          toTimeOrNull(key.endedAt),
        ],
      );
      return rows.length === 1;
    },
    find: async (id) => {
      const [row] = await query<KeyRow>(`SELECT ${KEY} FROM personal_keys WHERE id = $1`, [id]);
      return row === undefined ? null : toKey(row);
    },
    listByUser: async (userId) => {
      const rows = await query<KeyRow>(
        `SELECT ${KEY} FROM personal_keys WHERE user_id = $1 AND ended_at IS NULL ORDER BY id`,
        [userId],
      );
      return rows.map(toKey);
    },
    end: async (_passed, { id, userId }, at) => {
      const rows = await query(
        `UPDATE personal_keys SET ended_at = $3::timestamptz WHERE id = $1 AND user_id = $2 AND ended_at IS NULL RETURNING 1`,
        [id, userId, toTime(at)],
      );
      return rows.length === 1;
    },
    endedSince: async (since) => {
      const rows = await query<{ readonly id: string }>(
        'SELECT id FROM personal_keys WHERE ended_at >= $1::timestamptz ORDER BY ended_at, id',
        [toTime(since)],
      );
      return rows.map(({ id }) => id);
    },
    endAll: async (_passed, userId, at) => {
      const rows = await query(
        `UPDATE personal_keys SET ended_at = $2::timestamptz WHERE user_id = $1 AND ended_at IS NULL RETURNING 1`,
        [userId, toTime(at)],
      );
      return rows.length;
    },
  };
}

function ofNonces(query: Query): Pick<PersonalKeyStore, 'takeNonce'> {
  return {
    takeNonce: async ({ keyId, nonce, until }) => {
      const rows = await query(
        `INSERT INTO personal_key_nonces (key_id, nonce, until) VALUES ($1, $2, $3::timestamptz)
         ON CONFLICT (key_id, nonce) DO NOTHING RETURNING 1`,
        [keyId, nonce, toTime(until)],
      );
      return rows.length === 1;
    },
  };
}

function ofUses(
  query: Query,
): Pick<PersonalKeyStore, 'addUse' | 'findUse' | 'uses' | 'lockUntold' | 'saveTold'> {
  return {
    addUse: async (use) => {
      const rows = await query(
        `INSERT INTO personal_key_uses (key_id, nonce, user_id, what, subject, side, mint, lamports, at, told_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8::numeric, $9::timestamptz, $10::timestamptz)
         ON CONFLICT (key_id, nonce) DO NOTHING RETURNING 1`,
        [
          use.keyId,
          use.nonce,
          use.userId,
          use.what,
          use.subject,
          use.side,
          use.mint,
          use.lamports.toString(),
          toTime(use.at),
          toTimeOrNull(use.toldAt),
        ],
      );
      return rows.length === 1;
    },
    findUse: async (keyId, nonce) => {
      const [row] = await query<UseRow>(
        `SELECT ${USE} FROM personal_key_uses WHERE key_id = $1 AND nonce = $2`,
        [keyId, nonce],
      );
      return row === undefined ? null : toUse(row);
    },
    uses: async (keyId, since) => {
      const rows = await query<UseRow>(
        `SELECT ${USE} FROM personal_key_uses WHERE key_id = $1 AND at > $2::timestamptz ORDER BY at, nonce`,
        [keyId, toTime(since)],
      );
      return rows.map(toUse);
    },
    lockUntold: async (limit) => {
      const rows = await query<UseRow>(
        `SELECT ${USE} FROM personal_key_uses WHERE told_at IS NULL ORDER BY at, nonce LIMIT $1::int FOR UPDATE SKIP LOCKED`,
        [limit],
      );
      return rows.map(toUse);
    },
    saveTold: async (uses, at) => {
      await query(
        `UPDATE personal_key_uses AS used SET told_at = $3::timestamptz
         FROM unnest($1::text[], $2::text[]) AS named (key_id, nonce)
         WHERE used.key_id = named.key_id AND used.nonce = named.nonce`,
        [uses.map(({ keyId }) => keyId), uses.map(({ nonce }) => nonce), toTime(at)],
      );
    },
  };
}

function toKey({ publicKey, terms, until, createdAt, endedAt, ...row }: KeyRow): PersonalKey {
  return {
    ...row,
    publicKey: storedAddress(publicKey),
    terms: KEY_TERMS.decode(row.id, terms),
    until: fromTime(until),
    createdAt: fromTime(createdAt),
    endedAt: fromTimeOrNull(endedAt),
  };
}

function toUse({ mint, lamports, at, toldAt, ...row }: UseRow): KeyUse {
  return {
    ...row,
    mint: storedAddress(mint),
    lamports: BigInt(lamports),
    at: fromTime(at),
    toldAt: fromTimeOrNull(toldAt),
  };
}

import { type BigintColumn, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { AttemptStatus } from '../../intents/rules/intent.ts';
import type { SignatureBooks } from './signature-books-port.ts';

// SQL: reads of an operator and of a start, by arrays and joins over tables of several domains.

export function createSignatureBooks(query: Query): SignatureBooks {
  return {
    wallets: readWallets(query),
    known: async (signatures) => {
      const rows = await query<{ readonly signature: string; readonly status: AttemptStatus | 'ACCEPTED' }>(
        `SELECT subject AS signature, 'ACCEPTED' AS status FROM quarantines,
           jsonb_to_recordset(report->'mismatches') AS told (subject text)
         WHERE lifted_at IS NOT NULL AND subject = ANY($1::text[])
         UNION ALL SELECT signature, status FROM attempts WHERE signature = ANY($1::text[])`,
        [signatures],
      );
      return new Map(rows.map(({ signature, status }) => [signature, status]));
    },
    // An attempt adopted from the chain has no blockhash: it was signed by another moment of this database.
    signedSince: async (since, after, limit) =>
      query<{ readonly id: string; readonly signature: string; readonly intentId: string }>(
        `SELECT id, signature, intent_id AS "intentId" FROM attempts
         WHERE signed_at >= $1::timestamptz AND id > $2 AND blockhash <> '' ORDER BY id LIMIT $3::int`,
        [toTime(since), after, limit],
      ),
    sharedKeys: async (walletIds) => {
      const rows = await query<{ readonly id: string }>(
        `SELECT DISTINCT details->>'walletId' AS id FROM audit_log
         WHERE act IN ('wallet-imported', 'wallet-exported') AND outcome = 'done' AND details->>'walletId' = ANY($1::text[])`,
        [walletIds],
      );
      return new Set(rows.map(({ id }) => id));
    },
    keep: async (walletId, { signature, lamports, auditedAt }) => {
      await query(
        `INSERT INTO audit_cursors (wallet_id, signature, lamports, audited_at)
         VALUES ($1, $2, $3::numeric, $4::timestamptz)
         ON CONFLICT (wallet_id) DO UPDATE
         SET signature = excluded.signature, lamports = excluded.lamports, audited_at = excluded.audited_at`,
        [walletId, signature, String(lamports), toTime(auditedAt)],
      );
    },
    knownSince: async () => {
      const [row] = await query<{ readonly at: Date | null }>(
        `SELECT CASE WHEN bool_and(audited_at IS NOT NULL) THEN min(audited_at) END AS at
         FROM wallets LEFT JOIN audit_cursors ON wallet_id = id`,
        [],
      );
      return row?.at === null || row === undefined ? null : fromTime(row.at);
    },
  };
}

/** A page of wallets with the place up to which each is compared. */
function readWallets(query: Query): SignatureBooks['wallets'] {
  return async (after, limit) => {
    const rows = await query<{
      readonly id: string;
      readonly address: string;
      readonly isTreasury: boolean;
      readonly signature: string | null;
      readonly lamports: BigintColumn | null;
      readonly auditedAt: Date | null;
    }>(
      `SELECT id, address, user_id IS NULL AS "isTreasury", signature, lamports::text, audited_at AS "auditedAt"
       FROM wallets LEFT JOIN audit_cursors ON wallet_id = id WHERE id > $1 ORDER BY id LIMIT $2::int`,
      [after, limit],
    );
    return rows.map(({ id, address, isTreasury, signature, lamports, auditedAt }) => ({
      id,
      address: storedAddress(address),
      isTreasury,
      cursor:
        lamports === null || auditedAt === null
          ? null
          : { signature, lamports: BigInt(lamports), auditedAt: fromTime(auditedAt) },
    }));
  };
}

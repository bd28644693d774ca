import { ORDER_COLUMNS, type OrderRow, toOrder } from '../../../modules/orders/store/order-row.ts';
import { toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { TransactionState } from '../rules/guard-notes.ts';
import type { SigningBooks } from './signing-books-port.ts';

// SQL: the data that the journal is compared with must be of one moment, and with it the settings of the server that answers.

/** The signer's questions; no unit of work takes part in them. */
export function createSigningBooks(query: Query): SigningBooks {
  return {
    known: knownRows(query),
    ...heads(query),
    ...origin(query),
    ...lifted(query),
    ...orders(query),
    ...guards(query),
  };
}

function knownRows(query: Query): SigningBooks['known'] {
  return async ({ intentIds }) => {
    const rows = await query<{
      readonly id: string | null;
      readonly signatures: readonly string[] | null;
      readonly inRecovery: boolean;
      readonly fsync: string;
      readonly synchronousCommit: string;
    }>(
      `SELECT found.id, found.signatures, pg_is_in_recovery() AS "inRecovery", current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS "synchronousCommit"
       FROM (SELECT 1) AS one LEFT JOIN LATERAL (
         SELECT intent.id, (SELECT array_agg(attempt.signature) FROM attempts AS attempt WHERE attempt.intent_id = intent.id)
           AS signatures
         FROM intents AS intent WHERE intent.id = ANY($1::text[])
       ) AS found ON true`,
      [intentIds],
    );
    const [first] = rows;
    return {
      intents: new Set(rows.flatMap(({ id }) => (id === null ? [] : [id]))),
      signatures: new Set(rows.flatMap(({ signatures }) => signatures ?? [])),
      server: {
        inRecovery: first?.inRecovery ?? true,
        fsync: first?.fsync === 'on',
        synchronousCommit: first?.synchronousCommit ?? 'off',
      },
    };
  };
}

function heads(query: Query): Pick<SigningBooks, 'heads' | 'saveHead'> {
  return {
    heads: async () => {
      const rows = await query<{ readonly journalId: string; readonly seq: string; readonly hash: string }>(
        'SELECT journal_id AS "journalId", seq, hash FROM signer_heads',
        [],
      );
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
    },
    saveHead: async ({ journalId, seq, hash }) => {
      await query(
        `INSERT INTO signer_heads (journal_id, seq, hash, at) VALUES ($1, $2::bigint, $3, now())
         ON CONFLICT (journal_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, at = excluded.at
         WHERE signer_heads.seq < excluded.seq`,
        [journalId, seq, hash],
      );
    },
  };
}

function origin(query: Query): Pick<SigningBooks, 'hasAttempts' | 'identity'> {
  return {
    hasAttempts: async () => {
      const [row] = await query<{ readonly some: boolean }>(
        'SELECT EXISTS (SELECT 1 FROM attempts) AS some',
        [],
      );
      return row?.some ?? false;
    },
    identity: async () => {
      const [row] = await query<{ readonly systemIdentifier: string; readonly timeline: number }>(
        `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS "systemIdentifier",
           (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`,
        [],
      );
      return row ?? { systemIdentifier: '', timeline: 0 };
    },
  };
}

function orders(query: Query): Pick<SigningBooks, 'ordersSince'> {
  return {
    ordersSince: async ({ seq, expiresAfter, limit }) => {
      const rows = await query<OrderRow>(
        `SELECT ${ORDER_COLUMNS} FROM orders WHERE seq > $1::bigint AND expires_at > $3::timestamptz
         ORDER BY orders.seq FETCH FIRST ($2::int) ROWS WITH TIES`,
        [seq.toString(), limit, toTime(expiresAfter)],
      );
      return rows.map((row) => ({ seq: BigInt(row.seq), order: toOrder(row) }));
    },
  };
}

function lifted(query: Query): Pick<SigningBooks, 'reportsSince'> {
  return {
    reportsSince: async (since) => {
      const rows = await query<{ readonly report: unknown }>(
        'SELECT report FROM quarantines WHERE lifted_at >= $1::timestamptz AND report IS NOT NULL',
        [toTime(since)],
      );
      return rows.map(({ report }) => report);
    },
  };
}

/** A name that is not of this server's past: it was restored, or another one took its place. */
const UNKNOWN_TRANSACTION = '22023';

function guards(query: Query): Pick<SigningBooks, 'transactionState' | 'guardVersions'> {
  return {
    transactionState: async (transactionId) => {
      try {
        const [row] = await query<{ readonly state: TransactionState }>(
          'SELECT pg_catalog.pg_xact_status($1::text::xid8) AS state',
          [transactionId],
        );
        return row?.state ?? null;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === UNKNOWN_TRANSACTION) return null;
        throw error;
      }
    },
    guardVersions: async (userIds) => {
      const rows = await query<{ readonly userId: string; readonly version: string }>(
        'SELECT user_id AS "userId", version FROM guards WHERE user_id = ANY($1::text[])',
        [userIds],
      );
      return new Map(rows.map(({ userId, version }) => [userId, Number(version)]));
    },
  };
}

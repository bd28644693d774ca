import type { BigintColumn } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { findMismatches } from '../../../platform/db/mismatches.ts';
import type { AuditStore, Booking } from '../../../platform/ports/operations.ts';
import { AUDIT_RULES } from './audit-rules.ts';

// SQL: rules of the books are one statement over one snapshot.

export function createAuditStore(query: Query): AuditStore {
  return {
    mismatches: () => findMismatches(query, AUDIT_RULES),
    booked: async (after, limit) => {
      // By transfer, along the index of its key: the next page costs the same as the first, however long the books are.
      const rows = await query<{
        readonly key: string;
        readonly signature: string | null;
        readonly reason: Booking['reason'];
        readonly lamports: BigintColumn;
      }>(
        `SELECT transfer.key, transfer.reason,
           CASE transfer.reason WHEN 'trade-fee' THEN split_part(transfer.key, '/', 2) ELSE attempt.signature END AS signature,
           (SELECT coalesce(-sum(amount), 0) FROM ledger_entries
             WHERE transfer_id = transfer.id AND account_key = 'house/treasury')::text AS lamports
         FROM (SELECT id, key, reason, ref FROM ledger_transfers
           WHERE key > $1 AND reason IN ('trade-fee', 'payout-capture', 'payout-void') ORDER BY key LIMIT $2::int
         ) AS transfer
         LEFT JOIN attempts AS attempt ON transfer.reason <> 'trade-fee' AND attempt.intent_id = transfer.ref
           AND attempt.status = CASE transfer.reason WHEN 'payout-void' THEN 'LANDED_ERR' ELSE 'FINALIZED' END
         ORDER BY transfer.key, attempt.n`,
        [after, limit],
      );
      return {
        bookings: rows.flatMap(({ signature, reason, lamports }) =>
          signature === null ? [] : [{ signature, reason, treasuryLamports: BigInt(lamports) }],
        ),
        next: rows.at(-1)?.key ?? null,
      };
    },
    counts: async () => {
      const [row] = await query<{ accounts: number; transfers: number; intents: number }>(
        `SELECT (SELECT count(*)::int FROM ledger_accounts) AS accounts,
           (SELECT count(*)::int FROM ledger_transfers) AS transfers, (SELECT count(*)::int FROM intents) AS intents`,
        [],
      );
      return row ?? { accounts: 0, transfers: 0, intents: 0 };
    },
  };
}

import type { AuditStore, Mismatch } from '../../core/ports/operations.ts';
import { AUDIT_RULES } from './audit-rules.ts';
import type { BigintColumn } from './codec.ts';
import type { Query } from './connection.ts';

export function createAuditStore(query: Query): AuditStore {
  return {
    mismatches: async () => {
      // One statement, one snapshot: a posting that commits between two reads would look like a fault.
      const rules = AUDIT_RULES.map(
        ({ rule, sql }) =>
          `SELECT '${rule}' AS rule, found.subject, found.detail FROM (${sql}) AS found (subject, detail)`,
      );
      return query<Mismatch>(`${rules.join('\nUNION ALL\n')}\nORDER BY rule, subject`, []);
    },
    booked: async (after, limit) => {
      const rows = await query<{
        readonly signature: string;
        readonly reason: 'trade-fee' | 'payout-capture' | 'payout-void';
        readonly lamports: BigintColumn;
      }>(
        `SELECT signature, reason, lamports::text AS lamports FROM (
           SELECT CASE transfer.reason WHEN 'trade-fee' THEN split_part(transfer.key, '/', 2) ELSE attempt.signature END AS signature, transfer.reason,
             -(SELECT coalesce(sum(amount), 0) FROM ledger_entries
               WHERE transfer_id = transfer.id AND account_key = 'house/treasury') AS lamports
           FROM ledger_transfers AS transfer
           LEFT JOIN attempts AS attempt ON attempt.intent_id = transfer.ref AND attempt.status =
             CASE transfer.reason WHEN 'payout-void' THEN 'LANDED_ERR' ELSE 'FINALIZED' END
             AND transfer.reason <> 'trade-fee'
           WHERE transfer.reason = 'trade-fee'
             OR (transfer.reason IN ('payout-capture', 'payout-void') AND attempt.signature IS NOT NULL)
         ) AS booked WHERE signature > $1 ORDER BY signature LIMIT $2::int`,
        [after, limit],
      );
      return rows.map(({ signature, reason, lamports }) => ({
        signature,
        reason,
        treasuryLamports: BigInt(lamports),
      }));
    },
    knownSignatures: async (signatures) => {
      const rows = await query<{ readonly signature: string }>(
        'SELECT signature FROM attempts WHERE signature = ANY($1::text[])',
        [signatures],
      );
      return new Set(rows.map((row) => row.signature));
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

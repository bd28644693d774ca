import type { Query } from '../db/connection.ts';
import type { TapeFault, TapeStore } from '../ports/tape-store.ts';

// SQL: rows that go in and out as arrays.

/** Faults are in Postgres for every store of trades. */
export function faultsOf(query: Query): Pick<TapeStore, 'faults' | 'recordFaults' | 'clearFaults'> {
  const columns = (faults: readonly Pick<TapeFault, 'signature' | 'marketId'>[]) => [
    faults.map(({ signature }) => signature),
    faults.map(({ marketId }) => marketId.toString()),
  ];
  return {
    faults: async (marketId) =>
      (
        await query<{
          readonly signature: string;
          readonly market_id: number;
          readonly slot: string;
          readonly why: string;
        }>(
          'SELECT * FROM tape_faults WHERE $1::int IS NULL OR market_id = $1::int ORDER BY slot, signature, market_id',
          [marketId ?? null],
        )
      ).map((row) => ({
        signature: row.signature,
        marketId: row.market_id,
        slot: BigInt(row.slot),
        why: row.why,
      })),
    recordFaults: async (faults) => {
      if (faults.length === 0) return;
      await query(
        `INSERT INTO tape_faults (signature, market_id, slot, why)
         SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[])
         ON CONFLICT (market_id, signature) DO UPDATE SET slot = excluded.slot, why = excluded.why RETURNING slot`,
        [...columns(faults), faults.map(({ slot }) => slot.toString()), faults.map(({ why }) => why)],
      );
    },
    clearFaults: async (faults) => {
      await query(
        `DELETE FROM tape_faults f USING unnest($1::text[], $2::int[]) AS g(signature, market_id)
         WHERE (f.signature, f.market_id) = (g.signature, g.market_id) RETURNING slot`,
        columns(faults),
      );
    },
  };
}

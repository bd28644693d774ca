import type { Query } from '../../../platform/db/connection.ts';
import type { SignerLeases } from './signer-lease-port.ts';

// SQL: who may take the lease is judged and written in one statement, by the database's clock.

/** None is longer than five seconds: one that ends much later was written before the server's clock was set back. */
const OVER = "lease.until <= clock_timestamp() OR lease.until > clock_timestamp() + interval '1 minute'";

/** The lease's row; no unit of work takes part. */
export function createSignerLeases(query: Query): SignerLeases {
  return {
    read: async () => {
      const [row] = await query<{
        readonly holder: string;
        readonly epoch: string;
        readonly leftMs: number;
        readonly level: readonly string[];
        readonly witnesses: readonly string[];
        readonly behind: readonly string[];
      }>(
        `SELECT holder, epoch::text AS epoch, level, witnesses, behind,
           (CASE WHEN ${OVER} THEN 0 ELSE extract(epoch FROM lease.until - clock_timestamp()) * 1000 END)::float8 AS "leftMs"
         FROM signer_lease AS lease WHERE id = 1`,
        [],
      );
      return row === undefined ? null : { ...row, epoch: BigInt(row.epoch) };
    },
    take: async (name, mostMs) => {
      const [row] = await query<{ readonly epoch: string }>(
        `INSERT INTO signer_lease AS lease (id, holder, epoch, until, level)
         VALUES (1, $1, 1, clock_timestamp() + $2::int * interval '1 millisecond', '{}')
         ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, epoch = lease.epoch + 1, until = excluded.until,
           level = '{}', witnesses = '{}', behind = '{}'
         WHERE lease.holder = $1 OR ((${OVER}) AND $1 = ANY(lease.level))
         RETURNING epoch::text AS epoch`,
        [name, mostMs],
      );
      return row === undefined ? null : BigInt(row.epoch);
    },
    ...holding(query),
    giveTo: async (name) => {
      await query(
        `UPDATE signer_lease SET holder = '', until = clock_timestamp(), epoch = epoch + 1,
           level = ARRAY[$1::text], witnesses = '{}', behind = '{}' WHERE id = 1`,
        [name],
      );
    },
  };
}

function holding(query: Query): Pick<SignerLeases, 'renew' | 'saveCopies' | 'release' | 'putBack'> {
  const changed = (rows: readonly unknown[]): boolean => rows.length > 0;
  return {
    renew: async (name, epoch, mostMs) =>
      changed(
        await query(
          `UPDATE signer_lease SET until = clock_timestamp() + $3::int * interval '1 millisecond'
           WHERE id = 1 AND holder = $1 AND epoch = $2::bigint RETURNING id`,
          [name, epoch.toString(), mostMs],
        ),
      ),
    saveCopies: async (name, epoch, { level, witnesses, behind }) =>
      changed(
        await query(
          `UPDATE signer_lease SET level = $3::text[], witnesses = $4::text[], behind = $5::text[]
           WHERE id = 1 AND holder = $1 AND epoch = $2::bigint RETURNING id`,
          [name, epoch.toString(), level, witnesses, behind],
        ),
      ),
    release: async (name, epoch) => {
      await query(
        'UPDATE signer_lease SET until = clock_timestamp() WHERE id = 1 AND holder = $1 AND epoch = $2::bigint',
        [name, epoch.toString()],
      );
    },
    putBack: async (name, epoch, { holder, level, witnesses, behind }) => {
      await query(
        `UPDATE signer_lease SET holder = $3, level = $4::text[], witnesses = $5::text[], behind = $6::text[], until = clock_timestamp()
         WHERE id = 1 AND holder = $1 AND epoch = $2::bigint`,
        [name, epoch.toString(), holder, level, witnesses, behind],
      );
    },
  };
}

import { toTime } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { KeyRegistry, SealingKey } from './key-registry-port.ts';

// SQL: insert-or-renew, and a retirement that looks at two other tables, each in one statement.

type Row = {
  readonly kekId: string;
  readonly firstSeen: Date;
  readonly retiredAt: Date | null;
  readonly probe: Uint8Array | null;
};

const COLUMNS = 'kek_id AS "kekId", first_seen AS "firstSeen", retired_at AS "retiredAt", probe';

export function createKeyRegistry(query: Query): KeyRegistry {
  return {
    find: async (kekId) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM key_registry WHERE kek_id = $1`, [kekId]);
      return row === undefined ? null : keyOf(row);
    },
    list: async () =>
      (await query<Row>(`SELECT ${COLUMNS} FROM key_registry ORDER BY first_seen, kek_id`, [])).map(keyOf),
    introduce: async ({ kekId, at, probe }) => {
      await query(
        `INSERT INTO key_registry (kek_id, first_seen, probe) VALUES ($1, $2::timestamptz, $3::bytea)
         ON CONFLICT (kek_id) DO UPDATE SET retired_at = NULL, probe = excluded.probe`,
        [kekId, toTime(at), Uint8Array.from(probe)],
      );
    },
    retireUnused: async (current, at) => {
      const rows = await query<{ readonly kekId: string }>(
        `UPDATE key_registry AS key SET retired_at = $2::timestamptz
         WHERE kek_id <> $1 AND retired_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM wallet_secrets AS wallet WHERE wallet.kek_id = key.kek_id)
           AND NOT EXISTS (SELECT 1 FROM sealed_secrets AS secret WHERE secret.kek_id = key.kek_id)
         RETURNING kek_id AS "kekId"`,
        [current, toTime(at)],
      );
      return rows.map(({ kekId }) => kekId);
    },
  };
}

function keyOf({ kekId, firstSeen, retiredAt, probe }: Row): SealingKey {
  return {
    kekId,
    firstSeen: firstSeen.getTime(),
    retiredAt: retiredAt?.getTime() ?? null,
    probe: probe === null ? null : Uint8Array.from(probe),
  };
}

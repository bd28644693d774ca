import type { SealedSecret, SealedSecretStore } from '../../core/ports/sealed-secret-store.ts';
import type { Connection } from './connection.ts';

export function createPrismaSealedSecretStore({ query }: Connection): SealedSecretStore {
  return {
    find: async (name) => {
      const [row] = await query<SealedSecret>(
        'SELECT name, kek_id AS "kekId", wrapped FROM sealed_secrets WHERE name = $1',
        [name],
      );
      return row ? { ...row, wrapped: Uint8Array.from(row.wrapped) } : null;
    },
    insert: async ({ name, kekId, wrapped }) =>
      (
        await query(
          `INSERT INTO sealed_secrets (name, kek_id, wrapped) VALUES ($1, $2, $3::bytea)
           ON CONFLICT DO NOTHING RETURNING name`,
          [name, kekId, Uint8Array.from(wrapped)],
        )
      ).length > 0,
    rewrap: async ({ name, kekId, wrapped }, expected) =>
      (
        await query(
          `UPDATE sealed_secrets SET kek_id = $2, wrapped = $3::bytea WHERE name = $1 AND kek_id = $4 RETURNING name`,
          [name, kekId, Uint8Array.from(wrapped), expected],
        )
      ).length > 0,
  };
}

import { ORDER_COLUMNS, type OrderRow, toOrder } from '../../../modules/orders/store/order-row.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { PersonFacts, WalletFacts } from '../../../platform/ports/certificates.ts';
import type { CertificateRows } from './certificate-rows-port.ts';

// SQL: rows that no store believes yet, page by page, and one statement over three tables.

type PersonRow = Omit<PersonFacts, 'telegramId'> & {
  readonly telegramId: string;
  readonly certificate: string | null;
};

const NOT_OVER = `status NOT IN ('FILLED', 'CANCELLED', 'EXPIRED')`;

export function createCertificateRows(query: Query): CertificateRows {
  return {
    unadopted: async () => {
      const [row] = await query<{ readonly keys: boolean; readonly orders: boolean }>(
        `SELECT (EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM wallets))
           AND NOT EXISTS (SELECT 1 FROM users WHERE certificate IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM wallets WHERE certificate IS NOT NULL) AS keys,
           EXISTS (SELECT 1 FROM orders WHERE ${NOT_OVER})
           AND NOT EXISTS (SELECT 1 FROM orders WHERE certificate IS NOT NULL) AS orders`,
        [],
      );
      return row ?? { keys: false, orders: false };
    },
    people: async (after, limit) => {
      const rows = await query<PersonRow>(
        `SELECT id, telegram_id::text AS "telegramId", inviter_id AS "inviterId", certificate FROM users
         WHERE id > $1 ORDER BY id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map((row) => ({ ...row, telegramId: BigInt(row.telegramId) }));
    },
    wallets: (after, limit) =>
      query<WalletFacts & { readonly certificate: string | null }>(
        `SELECT id, user_id AS "userId", address, origin, certificate FROM wallets
         WHERE id > $1 ORDER BY id LIMIT $2::int`,
        [after, limit],
      ),
    orders: async (after, limit) =>
      (
        await query<OrderRow>(
          `SELECT ${ORDER_COLUMNS} FROM orders WHERE id > $1 AND ${NOT_OVER} ORDER BY id LIMIT $2::int`,
          [after, limit],
        )
      ).map(toOrder),
    write: async ({ people, wallets, orders }) => {
      await query(
        `WITH person AS (
           UPDATE users SET certificate = given.certificate
           FROM jsonb_to_recordset($1::jsonb) AS given (id text, certificate text)
           WHERE users.id = given.id AND users.certificate IS NULL
         ), placed AS (
           UPDATE orders SET certificate = given.certificate
           FROM jsonb_to_recordset($3::jsonb) AS given (id text, certificate text)
           WHERE orders.id = given.id AND orders.certificate IS NULL
         )
         UPDATE wallets SET certificate = given.certificate
         FROM jsonb_to_recordset($2::jsonb) AS given (id text, certificate text)
         WHERE wallets.id = given.id AND wallets.certificate IS NULL`,
        [JSON.stringify(people), JSON.stringify(wallets), JSON.stringify(orders)],
      );
    },
  };
}

import { ORDER_COLUMNS, type OrderRow, toOrder } from '../../../modules/orders/store/order-row.ts';
import { fromTimeOrNull } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type { PersonFacts, ReceivingFacts, WalletFacts } from '../../../platform/ports/certificates.ts';
import type { CertificateRows, ReceivingRow } from './certificate-rows-port.ts';

// SQL: rows that no store believes yet, page by page, and one statement over three tables.

type PersonRow = Omit<PersonFacts, 'telegramId'> & {
  readonly telegramId: string;
  readonly certificate: string | null;
};

type MomentsRow = {
  readonly id: string;
  readonly userId: string | null;
  readonly confirmedAt: Date | null;
  readonly payoutFrom: Date | null;
  readonly confirmedCertificate: string | null;
  readonly payoutCertificate: string | null;
};

const NOT_OVER = `status NOT IN ('FILLED', 'CANCELLED', 'EXPIRED')`;

export function createCertificateRows(query: Query): CertificateRows {
  return {
    unadopted: async () => {
      const [row] = await query<{
        readonly keys: boolean;
        readonly orders: boolean;
        readonly receivings: boolean;
      }>(
        `SELECT (EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM wallets))
           AND NOT EXISTS (SELECT 1 FROM users WHERE certificate IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM wallets WHERE certificate IS NOT NULL) AS keys,
           EXISTS (SELECT 1 FROM orders WHERE ${NOT_OVER})
           AND NOT EXISTS (SELECT 1 FROM orders WHERE certificate IS NOT NULL) AS orders,
           EXISTS (SELECT 1 FROM wallets WHERE confirmed_at IS NOT NULL OR payout_from IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM wallets WHERE coalesce(confirmed_certificate, payout_certificate) IS NOT NULL) AS receivings`,
        [],
      );
      return row ?? { keys: false, orders: false, receivings: false };
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
    ...receivingRows(query),
    ...certificateWrites(query),
  };
}

function receivingRows(query: Query): Pick<CertificateRows, 'receivings'> {
  return {
    receivings: async (after, limit) => {
      const rows = await query<MomentsRow>(
        `SELECT id, user_id AS "userId", confirmed_at AS "confirmedAt", payout_from AS "payoutFrom",
           confirmed_certificate AS "confirmedCertificate", payout_certificate AS "payoutCertificate" FROM wallets
         WHERE id > $1 AND (confirmed_at IS NOT NULL OR payout_from IS NOT NULL) ORDER BY id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map(momentsOf);
    },
  };
}

function certificateWrites(query: Query): Pick<CertificateRows, 'write'> {
  return {
    write: async ({ people, wallets, orders, receivings }) => {
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
         UPDATE wallets SET certificate = coalesce(wallets.certificate, given.certificate),
           confirmed_certificate = coalesce(confirmed_certificate, given.confirmed),
           payout_certificate = coalesce(payout_certificate, given.payout)
         FROM (SELECT id, max(certificate) FILTER (WHERE act = 'wallet') AS certificate,
             max(certificate) FILTER (WHERE act = 'wallet-confirm') AS confirmed,
             max(certificate) FILTER (WHERE act = 'payout-wallet') AS payout
           FROM jsonb_to_recordset($2::jsonb) AS one (id text, act text, certificate text) GROUP BY id) AS given
         WHERE wallets.id = given.id`,
        [
          JSON.stringify(people),
          JSON.stringify([...wallets.map((one) => ({ ...one, act: 'wallet' })), ...receivings]),
          JSON.stringify(orders),
        ],
      );
    },
  };
}

function momentsOf(row: MomentsRow): ReceivingRow {
  const whose = { walletId: row.id, userId: row.userId };
  const of = (act: ReceivingFacts['act'], time: Date | null, certificate: string | null) => {
    const at = fromTimeOrNull(time);
    return at === null ? [] : [{ facts: { ...whose, act, at }, certificate }];
  };
  return {
    id: row.id,
    moments: [
      ...of('wallet-confirm', row.confirmedAt, row.confirmedCertificate),
      ...of('payout-wallet', row.payoutFrom, row.payoutCertificate),
    ],
  };
}

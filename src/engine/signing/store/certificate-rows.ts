import { PERIOD_COLUMNS, type PeriodRow, toPeriod } from '../../../modules/convert/store.ts';
import { COPY_COLUMNS, type CopyRow, toCopy } from '../../../modules/copying/store.ts';
import { GUARD_COLUMNS, type GuardRow, toGuard } from '../../../modules/guard/store/guard-store.ts';
import { ORDER_COLUMNS, type OrderRow, toOrder } from '../../../modules/orders/store/order-row.ts';
import { fromTime, fromTimeOrNull } from '../../../platform/db/codec.ts';
import type { Query } from '../../../platform/db/connection.ts';
import type {
  AddressFacts,
  PersonFacts,
  ReceivingFacts,
  WalletFacts,
} from '../../../platform/ports/certificates.ts';
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

/** Each column that a certificate of a guard covers, against its default. */
const TOUCHED = `num_nonnulls(pin_hash, pin_set_at, delay_from, frozen_at, unfreeze_at, cap_lamports, next_cap_lamports, next_cap_at,
  totp_box, totp_ends_at, next_totp_box, spend_cap_lamports, next_spend_cap_lamports, next_spend_cap_at, unlocked_until,
  unlocks_from, notice_mail, next_notice_mail, next_notice_mail_at) > 0
  OR pin_is_first OR lock_epoch <> 0 OR cardinality(recovery_codes) > 0`;

/** Of `period`: its people may still be paid, or it is sealed as taken back. */
const OWES = `(period.status IN ('ANNOUNCED', 'SETTLING') OR period.status = 'CANCELLED' AND period.certificate IS NOT NULL
  OR EXISTS (SELECT 1 FROM rewards WHERE source = 'conversion' AND rewards.status <> 'PAID'
    AND split_part(signature, '.', 1) = period.number::text))`;

const NOT_OVER = `status NOT IN ('FILLED', 'CANCELLED', 'EXPIRED')`;

export function createCertificateRows(query: Query): CertificateRows {
  return {
    unadopted: async () => {
      const [row] = await query<Awaited<ReturnType<CertificateRows['unadopted']>>>(
        `SELECT (EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM wallets))
           AND NOT EXISTS (SELECT 1 FROM users WHERE certificate IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM wallets WHERE certificate IS NOT NULL) AS keys,
           EXISTS (SELECT 1 FROM orders WHERE ${NOT_OVER})
           AND NOT EXISTS (SELECT 1 FROM orders WHERE certificate IS NOT NULL) AS orders,
           EXISTS (SELECT 1 FROM wallets WHERE confirmed_at IS NOT NULL OR payout_from IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM wallets WHERE coalesce(confirmed_certificate, payout_certificate) IS NOT NULL) AS receivings,
           EXISTS (SELECT 1 FROM guards WHERE ${TOUCHED})
           AND NOT EXISTS (SELECT 1 FROM guards WHERE certificate IS NOT NULL) AS guards,
           EXISTS (SELECT 1 FROM address_book)
           AND NOT EXISTS (SELECT 1 FROM address_book WHERE certificate IS NOT NULL) AS addresses,
           EXISTS (SELECT 1 FROM convert_periods AS period WHERE ${OWES})
           AND NOT EXISTS (SELECT 1 FROM convert_periods WHERE certificate IS NOT NULL) AS periods`,
        [],
      );
      const none = { keys: false, orders: false, receivings: false, guards: false, addresses: false };
      return row ?? { ...none, periods: false };
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
    copies: async (after, limit) =>
      (
        await query<CopyRow>(
          `SELECT ${COPY_COLUMNS} FROM copies WHERE id > $1 AND status <> 'ENDED' ORDER BY id LIMIT $2::int`,
          [after, limit],
        )
      ).map(toCopy),
    ...guardRows(query),
    ...periodRows(query),
    ...receivingRows(query),
    ...certificateWrites(query),
  };
}

function guardRows(query: Query): Pick<CertificateRows, 'guards' | 'addresses'> {
  return {
    addresses: async (after, limit) => {
      const rows = await query<
        Omit<AddressFacts, 'addedAt'> & { readonly addedAt: Date; readonly certificate: string | null }
      >(
        `SELECT id, user_id AS "userId", wallet_id AS "walletId", address, added_at AS "addedAt", certificate
         FROM address_book WHERE id > $1 ORDER BY id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map((row) => ({ ...row, addedAt: fromTime(row.addedAt) }));
    },
    guards: async (after, limit) => {
      const rows = await query<GuardRow>(
        `SELECT ${GUARD_COLUMNS} FROM guards WHERE user_id > $1 ORDER BY user_id LIMIT $2::int`,
        [after, limit],
      );
      return rows.map((row) => ({ id: row.userId, guard: toGuard(row) }));
    },
  };
}

function periodRows(query: Query): Pick<CertificateRows, 'periods'> {
  return {
    periods: async (after, limit) => {
      const rows = await query<PeriodRow & { readonly paid: string }>(
        `SELECT ${PERIOD_COLUMNS}, coalesce((SELECT sum(lamports) FROM rewards
             WHERE source = 'conversion' AND status = 'PAID' AND split_part(signature, '.', 1) = number::text), 0)::text AS paid
         FROM convert_periods AS period WHERE number > $1::int AND ${OWES} ORDER BY number LIMIT $2::int`,
        [after === '' ? 0 : Number(after), limit],
      );
      return rows.map(({ paid, ...row }) => ({
        id: `${row.number}`,
        period: toPeriod(row),
        paidLamports: BigInt(paid),
      }));
    },
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
    write: async ({ people, wallets, orders, receivings, guards, addresses, copies, periods }) => {
      await query(
        `WITH person AS (
           UPDATE users SET certificate = given.certificate
           FROM jsonb_to_recordset($1::jsonb) AS given (id text, certificate text)
           WHERE users.id = given.id AND users.certificate IS NULL
         ), placed AS (
           UPDATE orders SET certificate = given.certificate
           FROM jsonb_to_recordset($3::jsonb) AS given (id text, certificate text)
           WHERE orders.id = given.id AND orders.certificate IS NULL
         ), guarded AS (
           UPDATE guards SET version = given.version, certificate = given.certificate
           FROM jsonb_to_recordset($4::jsonb) AS given (id text, version bigint, certificate text)
           WHERE guards.user_id = given.id
         ), booked AS (
           UPDATE address_book SET certificate = given.certificate
           FROM jsonb_to_recordset($5::jsonb) AS given (id text, certificate text)
           WHERE address_book.id = given.id AND address_book.certificate IS NULL
         ), copying AS (
           UPDATE copies SET certificate = given.certificate
           FROM jsonb_to_recordset($6::jsonb) AS given (id text, certificate text)
           WHERE copies.id = given.id AND copies.certificate IS NULL
         ), converting AS (
           UPDATE convert_periods SET certificate = given.certificate, uncounted_lamports = given.uncounted,
             certified_at = to_timestamp(given.at / 1000.0)
           FROM jsonb_to_recordset($7::jsonb) AS given (id int, certificate text, at bigint, uncounted bigint)
           WHERE convert_periods.number = given.id
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
          JSON.stringify(guards),
          JSON.stringify(addresses),
          JSON.stringify(copies),
          JSON.stringify(
            periods.map(({ uncountedLamports, ...one }) => ({
              ...one,
              uncounted: uncountedLamports.toString(),
            })),
          ),
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

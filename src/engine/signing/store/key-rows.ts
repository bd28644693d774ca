import type { WalletSecret } from '../../../modules/wallets/rules/wallet.ts';
import type { Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { KeyRow, KeyRows } from './key-rows-port.ts';

// SQL: sealed keys and their people, page by page.

type Row = Omit<WalletSecret, 'publicKey' | 'version'> & {
  readonly publicKey: string;
  readonly telegramId: string | null;
};

const ROWS = `SELECT secret.wallet_id AS "walletId", secret.user_id AS "userId", secret.public_key AS "publicKey",
    secret.kek_id AS "kekId", secret.wrapped_dek AS "wrappedDek", secret.sealed_seed AS "sealedSeed",
    person.telegram_id::text AS "telegramId"
  FROM wallet_secrets AS secret LEFT JOIN users AS person ON person.id = secret.user_id`;

export function createKeyRows(query: Query): KeyRows {
  return {
    page: async (after, limit) => {
      const where = 'WHERE secret.wallet_id > $1 ORDER BY secret.wallet_id LIMIT $2::int';
      return (await query<Row>(`${ROWS} ${where}`, [after, limit])).map(toKeyRow);
    },
    of: async (walletIds) => {
      if (walletIds.length === 0) return [];
      const where = 'WHERE secret.wallet_id = ANY($1::text[]) ORDER BY secret.wallet_id';
      return (await query<Row>(`${ROWS} ${where}`, [walletIds])).map(toKeyRow);
    },
  };
}

/** Written by the wallet store from a checked address, always as version 1. */
function toKeyRow({ telegramId, ...row }: Row): KeyRow {
  const [wrappedDek, sealedSeed] = [Uint8Array.from(row.wrappedDek), Uint8Array.from(row.sealedSeed)];
  const publicKey = storedAddress(row.publicKey);
  return { telegramId, secret: { ...row, wrappedDek, sealedSeed, publicKey, version: 1 } };
}

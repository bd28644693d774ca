import type { WalletSecret } from '../../modules/wallets/rules/wallet.ts';
import type { SecretRotation } from '../ports/operations.ts';
import type { Query } from './connection.ts';
import { storedAddress } from './stored-address.ts';

// SQL: every table that holds something wrapped, by its name; compare-and-set of many rows.

type Row = Omit<WalletSecret, 'publicKey' | 'version'> & {
  readonly publicKey: string;
  readonly version: number;
};

export function createSecretRotation(query: Query): SecretRotation {
  return {
    countByKek: async () => {
      const rows = await query<{ readonly kekId: string; readonly wallets: number }>(
        'SELECT kek_id AS "kekId", count(*)::int AS wallets FROM wallet_secrets GROUP BY kek_id ORDER BY wallets DESC, kek_id',
        [],
      );
      return rows;
    },
    notUnder: async (kekId, afterWalletId, limit) => {
      const rows = await query<Row>(
        `SELECT wallet_id AS "walletId", user_id AS "userId", public_key AS "publicKey", version, kek_id AS "kekId",
           wrapped_dek AS "wrappedDek", sealed_seed AS "sealedSeed"
         FROM wallet_secrets WHERE kek_id <> $1 AND wallet_id > $2 ORDER BY wallet_id LIMIT $3::int`,
        [kekId, afterWalletId, limit],
      );
      // Written by the wallet store from a checked address, always as version 1.
      return rows.map((row) => ({ ...row, publicKey: storedAddress(row.publicKey), version: 1 }));
    },
    rewrap: async (changes) => {
      const rows = await query(
        `UPDATE wallet_secrets AS secret SET kek_id = change.kek_id, wrapped_dek = decode(change.box, 'hex')
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS change (wallet_id, old_box, kek_id, box)
         WHERE secret.wallet_id = change.wallet_id AND secret.wrapped_dek = decode(change.old_box, 'hex')
         RETURNING secret.wallet_id`,
        [
          changes.map(({ from }) => from.walletId),
          changes.map(({ from }) => hex(from.wrappedDek)),
          changes.map(({ to }) => to.kekId),
          changes.map(({ to }) => hex(to.wrappedDek)),
        ],
      );
      return rows.length;
    },
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

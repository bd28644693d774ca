import { AppError } from '../../../core/errors/app-error.ts';
import { fromTime, fromTimeOrNull, toTime, toTimeOrNull } from '../../../platform/db/codec.ts';
import type { Connection, Parameter } from '../../../platform/db/connection.ts';
import { violates } from '../../../platform/db/failure.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { CertificateCheck } from '../../../platform/ports/certificates.ts';
import type { Wallet, WalletSecret } from '../rules/wallet.ts';
import type { WalletStore } from './wallet-store-port.ts';

// SQL: read at every update, in transactions; a wallet and its secret go in with one statement.

export const WALLET_COLUMNS =
  'id, user_id AS "userId", name, address, created_at AS "createdAt", deleted_at AS "deletedAt", origin, confirmed_at AS "confirmedAt", payout_from AS "payoutFrom", certificate, confirmed_certificate AS "confirmedCertificate", payout_certificate AS "payoutCertificate"';

export type WalletRow = Omit<Wallet, 'address' | 'createdAt' | 'deletedAt' | 'confirmedAt' | 'payoutFrom'> & {
  readonly address: string;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly payoutFrom: Date | null;
  readonly certificate: string | null;
  readonly confirmedCertificate: string | null;
  readonly payoutCertificate: string | null;
};

export function createPrismaWalletStore(connection: Connection, certificates: CertificateCheck): WalletStore {
  const { query } = connection;
  const where: Where = async (condition, values) => {
    const rows = await query<WalletRow>(`SELECT ${WALLET_COLUMNS} FROM wallets WHERE ${condition}`, values);
    return rows.map((row) => toWallet(row, certificates));
  };
  return {
    ...walletReads(connection, where),
    ...walletWrites(connection, where),
    ...receivingWrites(connection),
  };
}

/** The wallets of which it is true, each with a right certificate. Throws ROW_FORGED. */
type Where = (condition: string, values: readonly Parameter[]) => Promise<readonly Wallet[]>;

/** Wallets and their secrets, as they are. */
function walletReads(
  { query }: Pick<Connection, 'query'>,
  where: Where,
): Pick<
  WalletStore,
  'find' | 'findByAddress' | 'peopleOf' | 'listByUser' | 'treasury' | 'treasuryLocked' | 'secret'
> {
  return {
    find: (id) => first(where('id = $1', [id])),
    findByAddress: (address) => first(where('address = $1', [address])),
    peopleOf: async (addresses) => {
      if (addresses.length === 0) return new Map();
      const theirs = await where('user_id IS NOT NULL AND address = ANY ($1::text[])', [[...addresses]]);
      return new Map(
        theirs.flatMap(({ address, userId }) => (userId === null ? [] : [[address, userId] as const])),
      );
    },
    listByUser: (userId, options) =>
      where(`user_id = $1 AND (deleted_at IS NULL OR $2::boolean) ORDER BY id`, [
        userId,
        options?.deleted === true,
      ]),
    treasury: () => first(where('user_id IS NULL', [])),
    treasuryLocked: async () => {
      await query(`SELECT pg_advisory_xact_lock(hashtextextended('treasury', 0))::text`, []);
      return first(where('user_id IS NULL', []));
    },
    secret: async (walletId) => {
      const [row] = await query<Omit<WalletSecret, 'version'> & { readonly version: number }>(
        `SELECT wallet_id AS "walletId", user_id AS "userId", public_key AS "publicKey", version, kek_id AS "kekId",
           wrapped_dek AS "wrappedDek", sealed_seed AS "sealedSeed" FROM wallet_secrets WHERE wallet_id = $1`,
        [walletId],
      );
      if (!row) return null;
      if (row.version !== 1)
        throw new Error(`wallet_secrets: version ${row.version} of ${walletId} is unknown`);
      return {
        ...row,
        wrappedDek: Uint8Array.from(row.wrappedDek),
        sealedSeed: Uint8Array.from(row.sealedSeed),
        version: 1,
      };
    },
  };
}

/** A new wallet, its name and its end. */
function walletWrites(
  { query }: Pick<Connection, 'query'>,
  where: Where,
): Pick<WalletStore, 'insert' | 'rename' | 'setDeletedAt'> {
  return {
    insert: (_passed, wallet, secret) =>
      naming(wallet.name, async () => {
        await query(
          `WITH wallet AS (
             INSERT INTO wallets (id, user_id, name, address, created_at, deleted_at, origin, confirmed_at, payout_from,
               certificate)
             VALUES ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $14, $15::timestamptz, $16::timestamptz, $17)
           )
           INSERT INTO wallet_secrets (wallet_id, user_id, public_key, version, kek_id, wrapped_dek, sealed_seed)
           VALUES ($7, $8, $9, $10::int, $11, $12::bytea, $13::bytea)`,
          [
            wallet.id,
            wallet.userId,
            wallet.name,
            wallet.address,
            toTime(wallet.createdAt),
            toTimeOrNull(wallet.deletedAt),
            secret.walletId,
            secret.userId,
            secret.publicKey,
            secret.version,
            secret.kekId,
            Uint8Array.from(secret.wrappedDek),
            Uint8Array.from(secret.sealedSeed),
            wallet.origin,
            toTimeOrNull(wallet.confirmedAt),
            toTimeOrNull(wallet.payoutFrom),
            secret.certificate ?? null,
          ],
        );
      }),
    rename: (_passed, id, name) =>
      naming(name, async () => {
        await query('UPDATE wallets SET name = $2 WHERE id = $1', [id, name]);
      }),
    setDeletedAt: async (_passed, id, deletedAt) => {
      const name = deletedAt === null ? ((await first(where('id = $1', [id])))?.name ?? '') : '';
      await naming(name, async () => {
        await query('UPDATE wallets SET deleted_at = $2::timestamptz WHERE id = $1', [
          id,
          toTimeOrNull(deletedAt),
        ]);
      });
    },
  };
}

/** From when on money may go there. */
function receivingWrites({
  query,
}: Pick<Connection, 'query'>): Pick<WalletStore, 'letReceive' | 'stopReceiving'> {
  return {
    letReceive: async (_passed, id, change) => {
      const [column, seal, at] =
        'confirmedAt' in change
          ? ['confirmed_at', 'confirmed_certificate', change.confirmedAt]
          : ['payout_from', 'payout_certificate', change.payoutFrom];
      await query(`UPDATE wallets SET ${column} = $2::timestamptz, ${seal} = $3 WHERE id = $1`, [
        id,
        toTime(at),
        change.certificate,
      ]);
    },
    stopReceiving: async (_passed, userId, now) => {
      await query(
        `UPDATE wallets
         SET confirmed_at = CASE WHEN confirmed_at <= $2::timestamptz THEN confirmed_at END,
           confirmed_certificate = CASE WHEN confirmed_at <= $2::timestamptz THEN confirmed_certificate END,
           payout_from = CASE WHEN payout_from <= $2::timestamptz THEN payout_from END,
           payout_certificate = CASE WHEN payout_from <= $2::timestamptz THEN payout_certificate END
         WHERE user_id = $1 AND (confirmed_at > $2::timestamptz OR payout_from > $2::timestamptz)`,
        [userId, toTime(now)],
      );
    },
  };
}

async function first(found: Promise<readonly Wallet[]>): Promise<Wallet | null> {
  return (await found)[0] ?? null;
}

async function naming(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violates(error, 'wallets_active_name_key')) {
      throw new AppError('WALLET_NAME_TAKEN', { name }, { cause: error });
    }
    throw error;
  }
}

/** Throws ROW_FORGED for a row that the signer did not certify, and for a moment of receiving that it did not. */
export function toWallet(
  { certificate, confirmedCertificate, payoutCertificate, ...row }: WalletRow,
  certificates: CertificateCheck,
): Wallet {
  certificates.wallet(row, certificate);
  const [confirmedAt, payoutFrom] = [fromTimeOrNull(row.confirmedAt), fromTimeOrNull(row.payoutFrom)];
  const whose = { walletId: row.id, userId: row.userId };
  if (confirmedAt !== null)
    certificates.receiving({ ...whose, act: 'wallet-confirm', at: confirmedAt }, confirmedCertificate);
  if (payoutFrom !== null)
    certificates.receiving({ ...whose, act: 'payout-wallet', at: payoutFrom }, payoutCertificate);
  return {
    ...row,
    // Written by this store from a checked address.
    address: storedAddress(row.address),
    createdAt: fromTime(row.createdAt),
    deletedAt: fromTimeOrNull(row.deletedAt),
    confirmedAt,
    payoutFrom,
  };
}

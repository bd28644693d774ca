import { hasCode } from '../../core/errors/app-error.ts';
import { BUTTON_COLUMNS, type ButtonRow, toButton } from '../../platform/db/button-store.ts';
import {
  type BigintColumn,
  fromTime,
  fromTimeOrNull,
  toTime,
  toTimeOrNull,
} from '../../platform/db/codec.ts';
import type { Connection, Parameter, Query } from '../../platform/db/connection.ts';
import { SETTINGS } from '../../platform/db/json/settings-json.ts';
import { type Columns, part, prefixed } from '../../platform/db/prefixed-columns.ts';
import type { SealedButton } from '../../platform/ports/button-store.ts';
import type { CertificateCheck } from '../../platform/ports/certificates.ts';
import { believedButton, type SealCheck } from '../../platform/sealed-buttons.ts';
import { toWallet, WALLET_COLUMNS, type WalletRow } from '../wallets/store/wallet-store.ts';
import type { User } from './rules/user.ts';
import type { Comer, UserStore } from './store-port.ts';

// SQL: read and locked at every update; a person comes with wallet and button in one round trip.

export const USER_COLUMNS = `id, telegram_id AS "telegramId", first_name AS "firstName", telegram_language AS "telegramLanguage",
  settings, active_wallet_id AS "activeWalletId", inviter_id AS "inviterId", screen_message_id AS "screenMessageId",
  blocked_at AS "blockedAt", created_at AS "createdAt", certificate`;

export type UserRow = Omit<User, 'telegramId' | 'settings' | 'blockedAt' | 'createdAt'> & {
  readonly telegramId: BigintColumn;
  readonly settings: unknown;
  readonly blockedAt: Date | null;
  readonly createdAt: Date;
  readonly certificate: string | null;
};

const COMER_COLUMNS = [
  prefixed('person', USER_COLUMNS),
  prefixed('wallet', WALLET_COLUMNS),
  prefixed('button', BUTTON_COLUMNS),
].join(', ');

export type UserChecks = { readonly chat: SealCheck; readonly certificates: CertificateCheck };

export function createPrismaUserStore(connection: Connection, checks: UserChecks): UserStore {
  const where: Where = async (condition, value) => {
    const text = `SELECT ${USER_COLUMNS} FROM users WHERE ${condition}`;
    const [row] = await connection.query<UserRow>(text, [value]);
    return row ? toUser(row, checks.certificates) : null;
  };
  return { ...userReads(connection, checks, where), ...userWrites(connection, checks, where) };
}

/** The person for whom the condition is true, with a right certificate. Throws ROW_FORGED. */
type Where = (condition: string, value: Parameter) => Promise<User | null>;

/** People as they are, locked or with the facts of their updates. */
function userReads(
  { query }: { readonly query: Query },
  checks: UserChecks,
  where: Where,
): Pick<UserStore, 'find' | 'findByTelegramId' | 'arrive' | 'lock'> {
  return {
    find: (id) => where('id = $1', id),
    findByTelegramId: (telegramId) => where('telegram_id = $1::bigint', telegramId.toString()),
    arrive: async (telegramId, buttonId, now) => {
      const [row] = await query<Columns>(
        `SELECT ${COMER_COLUMNS} FROM users person
         LEFT JOIN wallets wallet ON wallet.id = person.active_wallet_id
         LEFT JOIN buttons button ON button.id = $2 AND button.user_id = person.id AND button.used_at IS NULL
           AND button.expires_at > $3::timestamptz
         WHERE person.telegram_id = $1::bigint`,
        [telegramId.toString(), buttonId, toTime(now)],
      );
      return row === undefined ? null : toComer(row, checks);
    },
    // Not FOR UPDATE: that would wait for every row which merely refers to this person.
    lock: (id) => where('id = $1 FOR NO KEY UPDATE', id),
  };
}

/** A new person, and changes of one. */
function userWrites(
  { query }: Pick<Connection, 'query'>,
  { certificates }: UserChecks,
  where: Where,
): Pick<UserStore, 'insert' | 'update' | 'activate'> {
  return {
    insert: async (user, certificate) => {
      const [row] = await query<UserRow>(
        `INSERT INTO users (id, telegram_id, first_name, telegram_language, settings, active_wallet_id, inviter_id,
           screen_message_id, blocked_at, created_at, certificate)
         VALUES ($1, $2::bigint, $3, $4, $5::jsonb, $6, $7, $8::int, $9::timestamptz, $10::timestamptz, $11)
         ON CONFLICT (telegram_id) DO NOTHING RETURNING ${USER_COLUMNS}`,
        [
          user.id,
          user.telegramId.toString(),
          user.firstName,
          user.telegramLanguage,
          SETTINGS.encode(user.id, user.settings),
          user.activeWalletId,
          user.inviterId,
          user.screenMessageId,
          toTimeOrNull(user.blockedAt),
          toTime(user.createdAt),
          certificate ?? null,
        ],
      );
      if (row) return { user: toUser(row, certificates), created: true };
      const known = await where('telegram_id = $1::bigint', user.telegramId.toString());
      if (!known) throw new Error(`users: ${user.telegramId} is neither new nor known`);
      return { user: known, created: false };
    },
    update: async (id, patch) => {
      const values: Parameter[] = [id];
      const changes: string[] = [];
      const set = (column: string, type: string, value: Parameter) => {
        changes.push(`${column} = $${values.push(value)}::${type}`);
      };
      if (patch.firstName !== undefined) set('first_name', 'text', patch.firstName);
      if (patch.telegramLanguage !== undefined) set('telegram_language', 'text', patch.telegramLanguage);
      if (patch.settings !== undefined) set('settings', 'jsonb', SETTINGS.encode(id, patch.settings));
      if (patch.screenMessageId !== undefined) set('screen_message_id', 'int', patch.screenMessageId);
      if (patch.blockedAt !== undefined) set('blocked_at', 'timestamptz', toTimeOrNull(patch.blockedAt));
      if (changes.length > 0) await query(`UPDATE users SET ${changes.join(', ')} WHERE id = $1`, values);
    },
    activate: async (_passed, id, walletId) => {
      await query('UPDATE users SET active_wallet_id = $2::text WHERE id = $1', [id, walletId]);
    },
  };
}

function toComer(row: Columns, { chat, certificates }: UserChecks): Comer {
  return {
    user: toUser(part<UserRow>(row, 'person'), certificates),
    wallet: row['wallet.id'] === null ? null : toWallet(part<WalletRow>(row, 'wallet'), certificates),
    button: row['button.id'] === null ? null : believedButton(readable(part<ButtonRow>(row, 'button')), chat),
  };
}

/** A button that cannot be read must not shut out its owner: code that needs it reads it again and gets the error. */
function readable(row: ButtonRow): SealedButton | null {
  try {
    return toButton(row);
  } catch (error) {
    if (hasCode(error, 'ROW_INVALID')) return null;
    throw error;
  }
}

/** Throws ROW_FORGED for a row that the signer did not certify. */
export function toUser({ certificate, ...row }: UserRow, certificates: CertificateCheck): User {
  const telegramId = BigInt(row.telegramId);
  certificates.person({ id: row.id, telegramId, inviterId: row.inviterId }, certificate);
  return {
    ...row,
    telegramId,
    settings: SETTINGS.decode(row.id, row.settings),
    blockedAt: fromTimeOrNull(row.blockedAt),
    createdAt: fromTime(row.createdAt),
  };
}

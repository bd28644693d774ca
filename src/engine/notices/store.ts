import { AppError } from '../../core/errors/app-error.ts';
import { isKeyOf } from '../../core/records.ts';
import { toUser, USER_COLUMNS, type UserRow } from '../../modules/settings/store.ts';
import {
  type BigintColumn,
  encodePlain,
  fromTime,
  fromTimeOrNull,
  toTime,
  toTimeOrNull,
} from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import { PAYLOADS } from '../../platform/db/json/notice-json.ts';
import { type Columns, part, prefixed } from '../../platform/db/prefixed-columns.ts';
import type { CertificateCheck } from '../../platform/ports/certificates.ts';
import { toWhole, WHOLE_COLUMNS, WHOLE_TABLES } from '../intents/store/whole-intent.ts';
import type { Notice, NoticeStore, ProgressMessage } from './store-port.ts';

// SQL: a notice comes with its person, intent and message in one round trip, and overtakes older ones as it goes in.

const COLUMNS = `id, user_id AS "userId", intent_id AS "intentId", kind, payload, created_at AS "createdAt",
  delivered_at AS "deliveredAt", attempts`;

type Row = Omit<Notice, 'createdAt' | 'deliveredAt'> & {
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
};

const MESSAGE_COLUMNS = 'intent_id AS "intentId", chat_id AS "chatId", message_id AS "messageId"';

type MessageRow = Omit<ProgressMessage, 'chatId'> & { readonly chatId: BigintColumn };

const BEGIN = `WITH begun AS (
    UPDATE notices SET attempts = attempts + 1 WHERE id = $1 AND delivered_at IS NULL RETURNING *
  )
  SELECT ${prefixed('notice', COLUMNS, 'begun')}, ${prefixed('person', USER_COLUMNS)},
    ${prefixed('message', MESSAGE_COLUMNS)}, ${WHOLE_COLUMNS}
  FROM begun JOIN users person ON person.id = begun.user_id
  LEFT JOIN progress_messages message ON message.intent_id = begun.intent_id
  LEFT JOIN (${WHOLE_TABLES}) ON intent.id = begun.intent_id
  ORDER BY attempt.n`;

/** $1 = how many at most. */
export const undeliveredBefore = (
  moment: string,
): string => `SELECT notice.id FROM notices notice JOIN users person ON person.id = notice.user_id
  WHERE notice.delivered_at IS NULL AND notice.created_at < ${moment}::timestamptz AND person.blocked_at IS NULL
  ORDER BY notice.id LIMIT $1::int`;

export function createPrismaNoticeStore(connection: Connection, certificates: CertificateCheck): NoticeStore {
  return {
    ...noticeRows(connection, certificates),
    ...noticeReads(connection),
    ...progressMessages(connection),
  };
}

/** Notices, until they are delivered. */
function noticeRows(
  { query }: Pick<Connection, 'query'>,
  certificates: CertificateCheck,
): Pick<NoticeStore, 'add' | 'begin' | 'markDelivered'> {
  return {
    add: async (notices) => {
      if (notices.length === 0) return;
      const records = notices.map((notice) => ({
        id: notice.id,
        user_id: notice.userId,
        intent_id: notice.intentId,
        kind: notice.kind,
        payload: PAYLOADS[notice.kind].encode(notice.id, notice.payload),
        created_at: toTime(notice.createdAt),
        delivered_at: toTimeOrNull(notice.deliveredAt),
        attempts: notice.attempts,
      }));
      await query(
        `WITH overtaken AS (
           UPDATE notices SET delivered_at = later.created_at
           FROM jsonb_to_recordset($1::jsonb) AS later (intent_id text, kind text, created_at timestamptz)
           WHERE notices.intent_id = later.intent_id AND later.kind IN ('confirmed', 'final')
             AND notices.kind = 'progress' AND notices.delivered_at IS NULL
         )
         INSERT INTO notices (id, user_id, intent_id, kind, payload, created_at, delivered_at, attempts)
         SELECT id, user_id, intent_id, kind, payload::jsonb, created_at, delivered_at, attempts
         FROM jsonb_to_recordset($1::jsonb) AS r (id text, user_id text, intent_id text, kind text, payload text,
           created_at timestamptz, delivered_at timestamptz, attempts int)`,
        [encodePlain(records)],
      );
    },
    begin: async (id) => {
      const rows = await query<Columns>(BEGIN, [id]);
      const [row] = rows;
      if (row === undefined) return null;
      const about = row['intent.id'] === null ? null : toWhole(rows, certificates);
      const message = part<MessageRow>(row, 'message');
      return {
        notice: toNotice(part<Row>(row, 'notice')),
        user: toUser(part<UserRow>(row, 'person'), certificates),
        about,
        progress: row['message.intentId'] === null ? null : toMessage(message),
      };
    },
    markDelivered: async (id, at) => {
      await query(
        'UPDATE notices SET delivered_at = $2::timestamptz WHERE id = $1 AND delivered_at IS NULL',
        [id, toTime(at)],
      );
    },
  };
}

function noticeReads({
  query,
}: Pick<Connection, 'query'>): Pick<NoticeStore, 'find' | 'confirmedOf' | 'undelivered'> {
  return {
    find: async (id) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM notices WHERE id = $1`, [id]);
      return row ? toNotice(row) : null;
    },
    confirmedOf: async (intentId) => {
      const [row] = await query<Row>(
        `SELECT ${COLUMNS} FROM notices WHERE intent_id = $1 AND kind = 'confirmed' ORDER BY id DESC LIMIT 1`,
        [intentId],
      );
      return row ? toNotice(row) : null;
    },
    undelivered: async (before, limit) => {
      const rows = await query<{ readonly id: string }>(undeliveredBefore('$2'), [limit, toTime(before)]);
      return rows.map((row) => row.id);
    },
  };
}

/** The chat message that follows an intent. */
function progressMessages({
  query,
}: Pick<Connection, 'query'>): Pick<NoticeStore, 'setProgressMessage' | 'progressMessage'> {
  return {
    setProgressMessage: async ({ intentId, chatId, messageId }) => {
      await query(
        `INSERT INTO progress_messages (intent_id, chat_id, message_id) VALUES ($1, $2::bigint, $3::int)
         ON CONFLICT (intent_id) DO UPDATE SET chat_id = excluded.chat_id, message_id = excluded.message_id`,
        [intentId, chatId.toString(), messageId],
      );
    },
    progressMessage: async (intentId) => {
      const [row] = await query<MessageRow>(
        `SELECT ${MESSAGE_COLUMNS} FROM progress_messages WHERE intent_id = $1`,
        [intentId],
      );
      return row ? toMessage(row) : null;
    },
  };
}

function toMessage(row: MessageRow): ProgressMessage {
  return { ...row, chatId: BigInt(row.chatId) };
}

function kindOf({ id, kind }: { readonly id: string; readonly kind: string }): Notice['kind'] {
  if (isKeyOf(PAYLOADS, kind)) return kind;
  throw new AppError('ROW_INVALID', {
    table: 'notices',
    row: id,
    field: 'kind',
    expected: `one of ${Object.keys(PAYLOADS).join(', ')}`,
  });
}

function toNotice(row: Row): Notice {
  const kind = kindOf(row);
  return {
    ...row,
    kind,
    payload: PAYLOADS[kind].decode(row.id, row.payload),
    createdAt: fromTime(row.createdAt),
    deliveredAt: fromTimeOrNull(row.deliveredAt),
  };
}

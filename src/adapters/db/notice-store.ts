import { AppError } from '../../core/errors/app-error.ts';
import type { Notice, NoticeStore } from '../../core/ports/notice-store.ts';
import { encodePlain, fromTime, fromTimeOrNull, toTime, toTimeOrNull } from './codec.ts';
import type { Connection } from './connection.ts';
import { PAYLOADS } from './json/notice-json.ts';

export function createPrismaNoticeStore({ prisma, query }: Connection): NoticeStore {
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
        `INSERT INTO notices (id, user_id, intent_id, kind, payload, created_at, delivered_at, attempts)
         SELECT id, user_id, intent_id, kind, payload::jsonb, created_at, delivered_at, attempts
         FROM jsonb_to_recordset($1::jsonb) AS r (id text, user_id text, intent_id text, kind text, payload text,
           created_at timestamptz, delivered_at timestamptz, attempts int)`,
        [encodePlain(records)],
      );
    },
    find: async (id) => {
      const row = await prisma.notice.findUnique({ where: { id } });
      if (row === null) return null;
      const kind = kindOf(row);
      return {
        ...row,
        kind,
        payload: PAYLOADS[kind].decode(id, row.payload),
        createdAt: fromTime(row.createdAt),
        deliveredAt: fromTimeOrNull(row.deliveredAt),
      };
    },
    markDelivered: async (id, at) => {
      await prisma.notice.updateMany({
        where: { id, deliveredAt: null },
        data: { deliveredAt: new Date(at) },
      });
    },
    countAttempt: async (id) => {
      await prisma.notice.updateMany({ where: { id }, data: { attempts: { increment: 1 } } });
    },
    undelivered: async (before, limit) => {
      const rows = await query<{ readonly id: string }>(
        `SELECT notice.id FROM notices notice JOIN users person ON person.id = notice.user_id
         WHERE notice.delivered_at IS NULL AND notice.created_at < $1::timestamptz AND person.blocked_at IS NULL
         ORDER BY notice.id LIMIT $2::int`,
        [toTime(before), limit],
      );
      return rows.map((row) => row.id);
    },
    setProgressMessage: async ({ intentId, chatId, messageId }) => {
      await query(
        `INSERT INTO progress_messages (intent_id, chat_id, message_id) VALUES ($1, $2::bigint, $3::int)
         ON CONFLICT (intent_id) DO UPDATE SET chat_id = excluded.chat_id, message_id = excluded.message_id`,
        [intentId, chatId.toString(), messageId],
      );
    },
    progressMessage: async (intentId) => await prisma.progressMessage.findUnique({ where: { intentId } }),
  };
}

function kindOf({ id, kind }: { readonly id: string; readonly kind: string }): Notice['kind'] {
  if (Object.hasOwn(PAYLOADS, kind)) return kind as Notice['kind'];
  throw new AppError('ROW_INVALID', {
    table: 'notices',
    row: id,
    field: 'kind',
    expected: `one of ${Object.keys(PAYLOADS).join(', ')}`,
  });
}

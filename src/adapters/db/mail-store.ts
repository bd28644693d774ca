import { AppError } from '../../core/errors/app-error.ts';
import type { Mail, MailStore } from '../../core/ports/mail-store.ts';
import { fromTime, toTime } from './codec.ts';
import type { Connection } from './connection.ts';
import type { JsonColumn } from './json/json-column.ts';
import { MAIL_ARGS } from './json/key-json.ts';

type Row = Omit<Mail, 'args' | 'createdAt' | 'dueAt'> & {
  readonly args: unknown;
  readonly created: Date;
  readonly due: Date;
};

const COLUMNS = `id, to_address AS "to", template, subject, args, status, attempts, last_error AS "lastError",
  created_at AS created, due_at AS due`;

export function createMailStore({ query }: Pick<Connection, 'query'>): MailStore {
  return {
    insert: async (mail) => {
      await query(
        `INSERT INTO mails (id, to_address, template, subject, args, status, attempts, last_error, created_at, due_at)
         VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7::integer, $8, $9::timestamptz, $10::timestamptz)`,
        [
          mail.id,
          mail.to,
          mail.template,
          mail.subject,
          argsOf(mail).encode(mail.id, mail.args),
          mail.status,
          mail.attempts,
          mail.lastError,
          toTime(mail.createdAt),
          toTime(mail.dueAt),
        ],
      );
    },
    find: async (id) => {
      const [row] = await query<Row>(`SELECT ${COLUMNS} FROM mails WHERE id = $1`, [id]);
      return row === undefined ? null : mailOf(row);
    },
    claim: async (id, now, leaseUntil) => {
      const [row] = await query<Row>(
        `UPDATE mails SET attempts = attempts + 1, due_at = $3::timestamptz
         WHERE id = $1 AND status = 'waiting' AND due_at <= $2::timestamptz RETURNING ${COLUMNS}`,
        [id, toTime(now), toTime(leaseUntil)],
      );
      return row === undefined ? null : mailOf(row);
    },
    finish: async (id, { status, lastError, dueAt }) => {
      await query(
        `UPDATE mails SET status = $2, last_error = $3, due_at = $4::timestamptz WHERE id = $1 AND status = 'waiting'`,
        [id, status, lastError, toTime(dueAt)],
      );
    },
    markBounced: async (id, reason) => {
      const [row] = await query<Row>(
        `UPDATE mails SET status = 'bounced', last_error = $2 WHERE id = $1 AND status = 'sent' RETURNING ${COLUMNS}`,
        [id, reason],
      );
      return row === undefined ? null : mailOf(row);
    },
    due: async (now, limit) =>
      (
        await query<{ readonly id: string }>(
          `SELECT id FROM mails WHERE status = 'waiting' AND due_at <= $1::timestamptz ORDER BY due_at LIMIT $2::int`,
          [toTime(now), limit],
        )
      ).map(({ id }) => id),
    countSince: async (to, template, since) => {
      const [row] = await query<{ readonly count: number }>(
        'SELECT count(*)::int AS count FROM mails WHERE to_address = $1 AND template = $2 AND created_at >= $3::timestamptz',
        [to, template, toTime(since)],
      );
      return row?.count ?? 0;
    },
    list: async (limit) =>
      (
        await query<Row>(`SELECT ${COLUMNS} FROM mails ORDER BY created_at DESC, id LIMIT $1::int`, [limit])
      ).map(mailOf),
    deleteOld: async (before) =>
      (
        await query(
          "DELETE FROM mails WHERE status <> 'waiting' AND created_at < $1::timestamptz RETURNING id",
          [toTime(before)],
        )
      ).length,
  };
}

function mailOf({ created, due, ...row }: Row): Mail {
  const args = argsOf(row).decode(row.id, row.args);
  return { ...row, args, createdAt: fromTime(created), dueAt: fromTime(due) };
}

function argsOf({ id, template }: Pick<Mail, 'id' | 'template'>): JsonColumn<Mail['args']> {
  if (Object.hasOwn(MAIL_ARGS, template)) return MAIL_ARGS[template];
  const expected = `one of ${Object.keys(MAIL_ARGS).join(', ')}`;
  throw new AppError('ROW_INVALID', { table: 'mails', row: id, field: 'template', expected });
}

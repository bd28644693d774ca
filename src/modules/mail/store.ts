import { keysOf } from '../../core/records.ts';
import { fromTime, jsonInput } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import type { MailCreateInput, MailModel } from '../../platform/db/generated/models.ts';
import type { JsonColumn } from '../../platform/db/json/json-column.ts';
import { MAIL_ARGS } from '../../platform/db/json/key-json.ts';
import { storedWord } from '../../platform/db/stored-word.ts';
import type { Mail, MailStore } from './store-port.ts';

export function createMailStore({ prisma }: Pick<Connection, 'prisma'>): MailStore {
  return {
    insert: async (mail) => {
      const { count } = await prisma().mail.createMany({ data: [rowOf(mail)], skipDuplicates: true });
      return count > 0;
    },
    find: async (id) => {
      const row = await prisma().mail.findUnique({ where: { id } });
      return row && mailOf(row);
    },
    claim: async (id, now, leaseUntil) => {
      const [row] = await prisma().mail.updateManyAndReturn({
        where: { id, status: 'waiting', dueAt: { lte: new Date(now) } },
        data: { attempts: { increment: 1 }, dueAt: new Date(leaseUntil) },
      });
      return row ? mailOf(row) : null;
    },
    finish: async (id, { status, lastError, dueAt }) => {
      await prisma().mail.updateMany({
        where: { id, status: 'waiting' },
        data: { status, lastError, dueAt: new Date(dueAt) },
      });
    },
    markBounced: async (id, reason) => {
      const [row] = await prisma().mail.updateManyAndReturn({
        where: { id, status: 'sent' },
        data: { status: 'bounced', lastError: reason },
      });
      return row ? mailOf(row) : null;
    },
    due: async (now, limit) => {
      const rows = await prisma().mail.findMany({
        select: { id: true },
        where: { status: 'waiting', dueAt: { lte: new Date(now) } },
        orderBy: { dueAt: 'asc' },
        take: limit,
      });
      return rows.map(({ id }) => id);
    },
    countSince: (to, template, since) =>
      prisma().mail.count({ where: { toAddress: to, template, createdAt: { gte: new Date(since) } } }),
    newestTo: async (to, template) => {
      const row = await prisma().mail.findFirst({
        where: { toAddress: to, template, status: { not: 'waiting' } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      });
      return row && mailOf(row);
    },
    list: async (limit) =>
      (await prisma().mail.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: limit })).map(
        mailOf,
      ),
    deleteOld: async (before) => {
      const { count } = await prisma().mail.deleteMany({
        where: { status: { not: 'waiting' }, createdAt: { lt: new Date(before) } },
      });
      return count;
    },
  };
}

function rowOf({ to, args, createdAt, dueAt, ...rest }: Mail): MailCreateInput {
  return {
    ...rest,
    toAddress: to,
    args: jsonInput(argsOf(rest.template).encode(rest.id, args)),
    createdAt: new Date(createdAt),
    dueAt: new Date(dueAt),
  };
}

function mailOf({ toAddress, ...row }: MailModel): Mail {
  const template = storedWord(keysOf(MAIL_ARGS), row.template, {
    table: 'mails',
    row: row.id,
    field: 'template',
  });
  const args = argsOf(template).decode(row.id, row.args);
  return {
    ...row,
    to: toAddress,
    template,
    args,
    createdAt: fromTime(row.createdAt),
    dueAt: fromTime(row.dueAt),
  };
}

/** One codec for every template: which of them it is, its name says. */
const argsOf = (template: Mail['template']): JsonColumn<Mail['args']> => MAIL_ARGS[template];

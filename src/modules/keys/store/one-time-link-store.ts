import { fromTime, fromTimeOrNull, toDateOrNull } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { storedWord } from '../../../platform/db/stored-word.ts';
import { LINK_PURPOSES, type OneTimeLinkStore } from './one-time-link-store-port.ts';

export function createOneTimeLinkStore({ prisma }: Pick<Connection, 'prisma'>): OneTimeLinkStore {
  return {
    insert: async ({ hash, purpose, subject, expiresAt, usedAt }) => {
      await prisma().oneTimeLink.create({
        data: {
          hash: Uint8Array.from(hash),
          purpose,
          subject,
          expiresAt: new Date(expiresAt),
          usedAt: toDateOrNull(usedAt),
        },
      });
    },
    find: async (hash) => {
      const row = await prisma().oneTimeLink.findUnique({ where: { hash: Uint8Array.from(hash) } });
      if (row === null) return null;
      return {
        ...row,
        purpose: storedWord(LINK_PURPOSES, row.purpose, {
          table: 'one_time_links',
          row: Buffer.from(hash).toString('hex'),
          field: 'purpose',
        }),
        expiresAt: fromTime(row.expiresAt),
        usedAt: fromTimeOrNull(row.usedAt),
      };
    },
    use: async (hash, at) => {
      const { count } = await prisma().oneTimeLink.updateMany({
        where: { hash: Uint8Array.from(hash), usedAt: null, expiresAt: { gt: new Date(at) } },
        data: { usedAt: new Date(at) },
      });
      return count > 0;
    },
    end: async (purpose, subject, at) => {
      await prisma().oneTimeLink.updateMany({
        where: { purpose, subject, usedAt: null, expiresAt: { gt: new Date(at) } },
        data: { expiresAt: new Date(at) },
      });
    },
    deleteExpired: async (before) =>
      (await prisma().oneTimeLink.deleteMany({ where: { expiresAt: { lt: new Date(before) } } })).count,
  };
}

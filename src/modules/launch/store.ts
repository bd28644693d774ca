import { fromTime, fromTimeOrNull, toDateOrNull } from '../../platform/db/codec.ts';
import type { Connection } from '../../platform/db/connection.ts';
import type { LaunchModel } from '../../platform/db/generated/models.ts';
import { storedAddress } from '../../platform/db/stored-address.ts';
import type { Launch } from './rules/launch.ts';
import type { LaunchStore } from './store-port.ts';

export function createPrismaLaunchStore({ prisma }: Pick<Connection, 'prisma'>): LaunchStore {
  return {
    insert: async (launch) => {
      const { count } = await prisma().launch.createMany({
        data: [
          {
            ...launch,
            checkedAt: new Date(launch.checkedAt),
            graduatedAt: toDateOrNull(launch.graduatedAt),
            createdAt: new Date(launch.createdAt),
          },
        ],
        skipDuplicates: true,
      });
      return count > 0;
    },
    find: async (mint) => {
      const row = await prisma().launch.findUnique({ where: { mint } });
      return row && toLaunch(row);
    },
    onCurve: async (limit) =>
      (
        await prisma().launch.findMany({
          where: { graduatedAt: null },
          orderBy: [{ checkedAt: 'asc' }, { mint: 'asc' }],
          take: limit,
        })
      ).map(toLaunch),
    listByUser: async (userId, limit) =>
      (
        await prisma().launch.findMany({
          where: { userId },
          orderBy: [{ createdAt: 'desc' }, { mint: 'asc' }],
          take: limit,
        })
      ).map(toLaunch),
    saveProgress: async (mint, { soldBps, at }) => {
      await prisma().launch.updateMany({ where: { mint }, data: { soldBps, checkedAt: new Date(at) } });
    },
    graduate: async (mint, at) => {
      const { count } = await prisma().launch.updateMany({
        where: { mint, graduatedAt: null },
        data: { graduatedAt: new Date(at), checkedAt: new Date(at), soldBps: 10_000 },
      });
      return count > 0;
    },
  };
}

function toLaunch(row: LaunchModel): Launch {
  return {
    ...row,
    // Written by this store from checked values.
    mint: storedAddress(row.mint),
    config: row.config === null ? null : storedAddress(row.config),
    firstBuyLamports: BigInt(row.firstBuyLamports),
    checkedAt: fromTime(row.checkedAt),
    graduatedAt: fromTimeOrNull(row.graduatedAt),
    createdAt: fromTime(row.createdAt),
  };
}

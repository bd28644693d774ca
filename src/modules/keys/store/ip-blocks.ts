import { fromTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { IpBlocks } from './ip-blocks-port.ts';

export function createIpBlocks({ prisma }: Pick<Connection, 'prisma'>): IpBlocks {
  return {
    list: async () =>
      (await prisma().ipBlock.findMany({ orderBy: [{ since: 'asc' }, { client: 'asc' }] })).map((row) => ({
        ...row,
        since: fromTime(row.since),
      })),
    add: async ({ client, since, reason }) => {
      await prisma().ipBlock.createMany({
        data: [{ client, since: new Date(since), reason }],
        skipDuplicates: true,
      });
    },
    lift: async (client) => (await prisma().ipBlock.deleteMany({ where: { client } })).count > 0,
  };
}

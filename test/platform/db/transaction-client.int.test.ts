import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/platform/db/client.ts';
import { pooled } from '../../../src/platform/db/connection.ts';
import { migrateDatabase } from '../../../src/platform/db/migrate.ts';
import { createTestDatabase } from '../../support/database.ts';

let opened: ReturnType<typeof createClient>;
let connection: ReturnType<typeof pooled>;
beforeAll(async () => {
  const url = await createTestDatabase();
  await migrateDatabase({ url });
  opened = createClient({ url, poolSize: 2 });
  connection = pooled(opened.prisma, opened.pool);
});
afterAll(async () => {
  await opened.prisma.$disconnect();
  await opened.pool.end();
});

const block = (client: string) => ({ client, since: new Date(0), reason: 'x' });
const found = async (client: string) =>
  (await opened.prisma.ipBlock.findUnique({ where: { client } })) !== null;

describe('a model call in a transaction', () => {
  it('is part of it: its own statements see the row, others do not until the commit', async () => {
    await connection.atomic(async ({ prisma, query }) => {
      await prisma().ipBlock.create({ data: block('kept') });
      expect(await query('SELECT 1 FROM ip_blocks WHERE client = $1', ['kept'])).toHaveLength(1);
      expect(await found('kept')).toBe(false);
    });
    expect(await found('kept')).toBe(true);
  });

  it('goes away with it', async () => {
    const fails = connection.atomic(async ({ prisma }) => {
      await prisma().ipBlock.create({ data: block('dropped') });
      throw new Error('after the row');
    });
    await expect(fails).rejects.toThrow('after the row');
    expect(await found('dropped')).toBe(false);
  });

  it('of two transactions at once goes to its own, again and again on the same connections', async () => {
    for (let round = 0; round < 5; round += 1) {
      const insert = (name: string, keep: boolean) =>
        connection.atomic(async ({ prisma }) => {
          await prisma().ipBlock.create({ data: block(name) });
          await Promise.all([prisma().ipBlock.count(), prisma().ipBlock.count()]);
          if (!keep) throw new Error('no');
        });
      await Promise.allSettled([insert(`a${round}`, true), insert(`b${round}`, false)]);
      expect([await found(`a${round}`), await found(`b${round}`)]).toEqual([true, false]);
    }
    expect(opened.pool.listenerCount('error')).toBeLessThan(5);
  });

  it('that Prisma would put into a transaction of its own is refused, and ends nothing', async () => {
    await connection.atomic(async ({ prisma }) => {
      const nested = prisma().convertPeriod.create({
        data: {
          number: 1,
          budgetLamports: 1n,
          opensAt: new Date(0),
          closesAt: new Date(1),
          announcedAt: new Date(0),
          status: 'ANNOUNCED',
          convertEntries: {
            create: { id: 'e', userId: 'nobody', idemKey: 'k', points: 1n, createdAt: new Date(0) },
          },
        },
      });
      await expect(nested).rejects.toThrow('must be one statement');
      await prisma().ipBlock.create({ data: block('after') });
    });
    expect(await found('after')).toBe(true);
  });
});

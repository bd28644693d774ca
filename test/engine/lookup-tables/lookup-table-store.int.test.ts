import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLookupTableStore } from '../../../src/engine/lookup-tables/store.ts';
import { hotMints } from '../../../src/modules/orders/store/hot-mints.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { describeLookupTableStore } from '../../conformance/lookup-table-store.ts';
import { NOW, storedIntent, storedPerson } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { addressOf, PARAMS } from '../intents/build.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

describe('lookup tables in Postgres', () => {
  describeLookupTableStore(async () => db.open(createLookupTableStore));

  it('lets nobody change what an index means, nor open again what was closing', async () => {
    const store = db.open(createLookupTableStore);
    const table = {
      address: addressOf(1),
      authority: addressOf(2),
      entries: [addressOf(3), addressOf(4)],
      createdAt: NOW,
      closingAt: null,
    };
    await store.insert(table);
    const change = (set: string) =>
      db.query(`UPDATE lookup_tables SET ${set} WHERE address = $1`, [table.address]);
    await expect(change(`entries[1] = '${addressOf(66)}'`)).rejects.toThrow();
    await expect(change(`entries = ARRAY['${addressOf(3)}']`)).rejects.toThrow();
    await expect(change(`authority = '${addressOf(66)}'`)).rejects.toThrow();
    await store.markClosing(table.address, NOW);
    await expect(change('closing_at = NULL')).rejects.toThrow();
    expect((await store.list()).find(({ address }) => address === table.address)).toEqual({
      ...table,
      closingAt: NOW,
    });
  });
});

it('knows the tokens that were traded lately, most traded first', async () => {
  const { user, wallet } = await storedPerson(db);
  const traded = async (mint: ReturnType<typeof addressOf>, times: number, createdAt = NOW) => {
    for (let n = 0; n < times; n += 1) {
      await storedIntent(db, {
        userId: user.id,
        walletId: wallet.id,
        kind: 'buy',
        params: { ...PARAMS.buy, mint },
        createdAt,
      });
    }
  };
  await traded(addressOf(11), 1);
  await traded(addressOf(12), 3);
  await traded(addressOf(13), 5, NOW - 10_000);
  await storedIntent(db, { userId: user.id, walletId: wallet.id });
  expect(await hotMints(db, NOW - 1_000, 5)).toEqual([addressOf(12), addressOf(11)]);
  expect(await hotMints(db, NOW - 20_000, 1)).toEqual([addressOf(13)]);
});

import { afterAll, describe } from 'vitest';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import type { Database, Stores } from '../../../src/platform/ports/stores.ts';
import { describeStores } from '../../conformance/stores.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

const opened: PrismaDatabase[] = [];
afterAll(async () => {
  for (const db of opened) await db.close();
});

async function open(url: string): Promise<PrismaDatabase> {
  const db = await createPrismaDatabase({ url });
  opened.push(db);
  return db;
}

describe('the database on Postgres', () => {
  describeStores(async () => open(await createTestDatabase()));
});

describe('the stores of a transaction on Postgres, on a server that keeps another time zone', () => {
  describeStores(async () => {
    const url = await createTestDatabase();
    await administer(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
    return inTransactions(await open(url));
  });
});

type AnyStore = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** The same database, every single call of which runs in a transaction: those go another way to the driver. */
function inTransactions(db: Database): Database {
  const wrap = (name: string): AnyStore =>
    new Proxy<AnyStore>(
      {},
      {
        get:
          (_target, method: string) =>
          (...args: unknown[]) =>
            db.transact(async (stores) => {
              const store = (stores as unknown as Record<string, AnyStore>)[name];
              return await store?.[method]?.(...args);
            }),
      },
    );
  const names = Object.keys(db).filter(
    (key) => typeof (db as unknown as Record<string, unknown>)[key] === 'object',
  );
  const stores = Object.fromEntries(names.map((name) => [name, wrap(name)])) as unknown as Stores;
  return { ...stores, transact: (work) => db.transact(work) };
}

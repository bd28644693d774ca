import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHeartbeat } from '../../../src/platform/db/heartbeat.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { userRow } from '../../conformance/store-rows.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

let url: string;
let db: PrismaDatabase;
beforeEach(async () => {
  url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
});
afterEach(() => db.close());

const heartbeat = (id = 'a') =>
  createHeartbeat(db.query, { id, roles: 'bot,worker', version: '1.2.3', host: 'here' });

/** The server says this at every write into `table`. */
const refusing = (table: string, state: string) =>
  administer(
    url,
    `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$;
     CREATE OR REPLACE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );

describe('a heartbeat', () => {
  it('writes one row per process and returns the database’s clock', async () => {
    const before = Date.now();
    const first = await heartbeat().beat();
    const second = await heartbeat().beat();
    expect(first).toBeGreaterThanOrEqual(before - 5_000);
    expect(second).toBeGreaterThanOrEqual(first);
    await heartbeat('b').beat();
    const rows = () => administer(url, 'SELECT id, roles, version, host FROM processes ORDER BY id');
    expect(await rows()).toEqual(
      ['a', 'b'].map((id) => ({ id, roles: 'bot,worker', version: '1.2.3', host: 'here' })),
    );
    await administer(url, "UPDATE processes SET beat_at = now() - interval '8 days' WHERE id = 'b'");
    await heartbeat().beat();
    expect((await rows()).map(({ id }) => id)).toEqual(['a']);
    await heartbeat().leave();
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['53100', 'DATABASE_FULL', /the disk under Postgres at .* is full/],
    ['53200', 'DATABASE_BUSY', /no memory left/],
    ['53300', 'DATABASE_BUSY', /no free connection/],
    ['25006', 'DATABASE_READ_ONLY', /takes no writes/],
  ])('says what a server means with %s, also where a model wrote', async (state, code, sentence) => {
    await refusing('processes', state);
    await refusing('users', state);
    const expected = { code, details: { cause: expect.stringMatching(sentence) } };
    await expect(heartbeat().beat()).rejects.toMatchObject(expected);
    await expect(db.users.insert(userRow())).rejects.toMatchObject(expected);
    await expect(db.transact((stores) => stores.users.insert(userRow()))).rejects.toMatchObject(expected);
  });

  it('notices a database that answers every question and takes no write', async () => {
    await db.close();
    await administer(
      url,
      `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = on`,
    );
    db = await createPrismaDatabase({ url });
    expect(await db.ping()).toBeGreaterThanOrEqual(0);
    await expect(heartbeat().beat()).rejects.toMatchObject({ code: 'DATABASE_READ_ONLY' });
  });
});

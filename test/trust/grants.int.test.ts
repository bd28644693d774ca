import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Query } from '../../src/platform/db/connection.ts';
import {
  DATABASE_ROLES,
  type DatabaseRole,
  type Right,
  rightsOf,
  TABLES,
} from '../../src/platform/db/grants.ts';
import { rolesPlan } from '../../src/platform/db/roles.ts';
import { administer, createTestDatabase } from '../support/database.ts';

/** Roles belong to the server, not to a database: this run has its own. */
const PREFIX = `g${inject('templateName').slice(-8)}_`;
const PASSWORD = "p'a\\s$s word 0123";

let url: string;
let owner: pg.Client;
const query: Query = async <Row>(text: string, values: readonly unknown[]) =>
  (await owner.query(text, [...values])).rows as Row[];
const passwords = new Map(DATABASE_ROLES.map((role) => [role, PASSWORD] as const));

async function apply(): Promise<void> {
  for (const statement of await rolesPlan(query, { prefix: PREFIX, passwords })) await owner.query(statement);
}

beforeAll(async () => {
  url = await createTestDatabase();
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  // A partition of each kind, as the tape makes them.
  await owner.query(`SELECT tape_make_partition('candles_1', 0, 0), tape_make_partition('candles_1_w7', 0, 604800),
    tape_make_partition('candles_15', 0, 0), tape_make_partition('trades_3', 0, 9)`);
  await apply();
});
afterAll(async () => {
  await owner.end();
  for (const role of DATABASE_ROLES) {
    await administer(url, `DROP OWNED BY ${PREFIX}${role}`);
    await administer(url, `DROP ROLE ${PREFIX}${role}`);
  }
});

async function as<T>(role: DatabaseRole, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const at = new URL(url);
  at.username = `${PREFIX}${role}`;
  at.password = encodeURIComponent(PASSWORD);
  const client = new pg.Client({ connectionString: at.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether the server lets it pass. What fails for another reason than a missing right was let. */
async function may(client: pg.Client, statement: string): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return error.code !== '42501';
  } finally {
    await client.query('ROLLBACK');
  }
}

type Deed = (table: string, column: string) => string;
const DEEDS: Readonly<Record<string, Deed>> = {
  select: (table) => `SELECT 1 FROM ${table} LIMIT 0`,
  insert: (table) => `INSERT INTO ${table} DEFAULT VALUES`,
  update: (table, column) => `UPDATE ${table} SET ${column} = DEFAULT WHERE false`,
  delete: (table) => `DELETE FROM ${table} WHERE false`,
  truncate: (table) => `TRUNCATE ${table}`,
  lock: (table) => `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE NOWAIT`,
  alter: (table) => `ALTER TABLE ${table} ADD COLUMN of_a_thief int`,
  'disable trigger': (table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
  drop: (table) => `DROP TABLE ${table}`,
  index: (table, column) => `CREATE INDEX ON ${table} (${column})`,
};

/** The word of the table of grants on a deed; a table without a row, such as a partition, gives no right. */
function wanted(role: DatabaseRole, table: string, deed: string): boolean {
  const granted = TABLES.find((name) => name === table);
  const rights = granted === undefined ? [] : rightsOf(role, granted);
  const has = (right: Right): boolean => rights.includes(right);
  if (deed === 'lock') return has('UPDATE') || has('DELETE');
  return rights.some((right) => right.toLowerCase() === deed);
}

async function everyTable(): Promise<readonly { readonly table: string; readonly column: string }[]> {
  return query(
    `SELECT c.relname AS "table", quote_ident(min(a.attname)) AS "column" FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.relname ORDER BY 1`,
    [],
  );
}

/** Each deed that the server answers otherwise than the table of grants says. */
async function differences(roles: readonly DatabaseRole[]): Promise<readonly string[]> {
  const tables = await everyTable();
  const found = await Promise.all(
    roles.map((role) =>
      as(role, async (client) => {
        const odd: string[] = [];
        for (const { table, column } of tables)
          for (const [deed, statement] of Object.entries(DEEDS)) {
            const is = await may(client, statement(table, column));
            if (is !== wanted(role, table, deed))
              odd.push(`${role} ${is ? 'may' : 'may not'} ${deed} ${table}`);
          }
        return odd;
      }),
    ),
  );
  return found.flat();
}

describe('the roles of the database', () => {
  it('have a row for each table of the schema, and none for a table that is not there', async () => {
    const rows = await query<{ readonly table: string }>(
      `SELECT relname AS "table" FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition`,
      [],
    );
    expect(rows.map(({ table }) => table).toSorted()).toEqual([...TABLES].toSorted());
  });

  it('may do with each table what the table of grants says, and nothing else', async () => {
    expect(await differences(DATABASE_ROLES)).toEqual([]);
  });

  it('may change the columns that the table of grants names, and of a certified row no other', async () => {
    const columns = await query<{ readonly table: string; readonly column: string }>(
      `SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.oid IN ('users'::regclass, 'wallets'::regclass) AND a.attnum > 0 AND NOT a.attisdropped`,
      [],
    );
    expect(columns.length).toBeGreaterThan(20);
    const open: string[] = [];
    for (const role of DATABASE_ROLES)
      await as(role, async (client) => {
        for (const { table, column } of columns) {
          const rights = rightsOf(role, table as (typeof TABLES)[number]);
          const is = await may(client, `UPDATE ${table} SET ${column} = ${column} WHERE false`);
          expect([role, table, column, is]).toEqual([
            role,
            table,
            column,
            rights.includes('UPDATE') || rights.includes(`UPDATE (${column})`),
          ]);
          if (is) open.push(`${role} ${table}.${column}`);
        }
      });
    const certified = /\.(id|telegram_id|inviter_id|user_id|address|origin|certificate)$/;
    expect(open.filter((one) => certified.test(one) && !one.startsWith('signer '))).toEqual([]);
    expect(open).toContain('bot users.settings');
    // A look at a person that holds the row until the commit.
    await as('bot', async (client) => {
      expect(await may(client, `SELECT 1 FROM users FOR NO KEY UPDATE`)).toBe(true);
      expect(await may(client, 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE NOWAIT')).toBe(false);
    });
  });

  it('lose a right on a whole table, and keep those on its columns', async () => {
    await owner.query(`GRANT UPDATE ON wallets TO ${PREFIX}bot`);
    try {
      const plan = await rolesPlan(query, { prefix: PREFIX });
      expect(plan[0]).toBe(`REVOKE UPDATE ON TABLE wallets FROM ${PREFIX}bot`);
      expect(plan[1]).toMatch(/^GRANT UPDATE \(name\), .* ON TABLE wallets TO /);
      expect(plan).toHaveLength(2);
    } finally {
      await apply();
    }
    expect(await rolesPlan(query, { prefix: PREFIX })).toEqual([]);
  });

  it.each(DATABASE_ROLES)('%s cannot become another, grant, make or own anything', async (role) => {
    await as(role, async (client) => {
      const [me] = (await client.query<{ name: string }>('SELECT current_user AS name')).rows;
      expect(me?.name).toBe(`${PREFIX}${role}`);
      const others = DATABASE_ROLES.filter((other) => other !== role).map((other) => `${PREFIX}${other}`);
      const [{ name: boss } = { name: '' }] = await query<{ name: string }>(
        'SELECT current_user AS name',
        [],
      );
      for (const deed of [
        ...[boss, ...others].flatMap((other) => [`SET ROLE ${other}`, `SET SESSION AUTHORIZATION ${other}`]),
        'CREATE TABLE of_a_thief (id int)',
        'CREATE TEMP TABLE of_a_thief (id int)',
        'CREATE SCHEMA of_a_thief',
        'CREATE ROLE of_a_thief',
        'ALTER FUNCTION refuse_change() OWNER TO CURRENT_USER',
        `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
        'SET session_replication_role = replica',
        `COPY users TO PROGRAM 'true'`,
      ])
        expect([deed, await may(client, deed)]).toEqual([deed, false]);
      // A GRANT by a stranger only warns: its effect counts.
      const rights = (): Promise<readonly object[]> =>
        query(
          `SELECT relname, relacl::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
          ORDER BY 1`,
          [],
        );
      const before = await rights();
      for (const table of TABLES) await may(client, `GRANT ALL ON ${table} TO PUBLIC`);
      await client.query('GRANT ALL ON system_flags TO PUBLIC').catch(() => undefined);
      expect(await rights()).toEqual(before);
    });
  });

  it.each(DATABASE_ROLES)(
    '%s reaches the functions of the owner only for partitions of the tape',
    async (role) => {
      const keeps = ['worker', 'indexer', 'ops'].includes(role);
      await as(role, async (client) => {
        expect(await may(client, `SELECT tape_make_partition('trades_9', 90, 99)`)).toBe(keeps);
        expect(await may(client, `SELECT tape_drop_partition('trades_3')`)).toBe(keeps);
      });
      for (const name of [
        'users',
        'trades',
        'candles',
        'candles_15',
        'trades_3; DROP TABLE users',
        'trades_3" x',
      ])
        await expect(query('SELECT tape_drop_partition($1)', [name])).rejects.toMatchObject({
          code: '22023',
        });
    },
  );

  it('keep what they have when they are made again', async () => {
    expect(await rolesPlan(query, { prefix: PREFIX })).toEqual([]);
  });

  it.each([
    [
      'GRANT DELETE ON audit_log TO $api',
      { role: 'api', is: 'may delete audit_log' } as const,
      'REVOKE DELETE ON TABLE audit_log FROM $api',
    ],
    [
      'GRANT SELECT ON sealed_secrets TO PUBLIC',
      { role: 'bot', is: 'may select sealed_secrets' } as const,
      'REVOKE SELECT ON TABLE sealed_secrets FROM PUBLIC',
    ],
    [
      'GRANT UPDATE (balance) ON ledger_accounts TO $api',
      null,
      'REVOKE UPDATE (balance) ON TABLE ledger_accounts FROM $api',
    ],
    [
      'GRANT $worker TO $api',
      { role: 'api', is: 'may select watchers' } as const,
      'REVOKE "$worker" FROM $api',
    ],
    [
      'GRANT TRUNCATE, TRIGGER ON users TO $bot',
      { role: 'bot', is: 'may truncate users' } as const,
      'REVOKE TRIGGER, TRUNCATE ON TABLE users FROM $bot',
    ],
    ['GRANT CREATE ON SCHEMA public TO PUBLIC', null, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'],
    [
      'GRANT SELECT ON trades_3 TO $api',
      { role: 'api', is: 'may select trades_3' } as const,
      'REVOKE SELECT ON TABLE trades_3 FROM $api',
    ],
    [
      'ALTER ROLE $bot CREATEROLE',
      null,
      'ALTER ROLE $bot NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS',
    ],
    [
      'REVOKE UPDATE ON intents FROM $worker',
      { role: 'worker', is: 'may not update intents' } as const,
      'GRANT UPDATE ON TABLE intents TO $worker',
    ],
  ])('%s is seen, and undone', async (planted, seen, mend) => {
    const named = (text: string): string => text.replaceAll('$', PREFIX);
    await owner.query(named(planted));
    try {
      if (seen !== null) expect(await differences([seen.role])).toContain(`${seen.role} ${seen.is}`);
      expect(await rolesPlan(query, { prefix: PREFIX })).toEqual([named(mend)]);
    } finally {
      await apply();
    }
    expect(await rolesPlan(query, { prefix: PREFIX })).toEqual([]);
  });

  it('are refused while one of them owns a table', async () => {
    await owner.query(`ALTER TABLE alerts OWNER TO ${PREFIX}bot`);
    try {
      await expect(rolesPlan(query, { prefix: PREFIX })).rejects.toMatchObject({
        details: { problems: [expect.stringMatching(/bot" owns the table alerts.*REASSIGN OWNED/)] },
      });
    } finally {
      await owner.query('ALTER TABLE alerts OWNER TO CURRENT_USER');
      await apply();
    }
  });

  it.each(['', 'Tp_', 'tp-', "tp'", '1_', `t${'x'.repeat(31)}`])(
    'are not made with the prefix "%s"',
    async (prefix) => {
      await expect(rolesPlan(query, { prefix })).rejects.toMatchObject({
        details: { problems: [expect.stringMatching(/^--prefix: expected/)] },
      });
    },
  );
});

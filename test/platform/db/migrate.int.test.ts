import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../../../src/platform/db/migrate.ts';
import { administer, createEmptyDatabase, createTestDatabase } from '../../support/database.ts';
import { prismaSchema } from '../../support/prisma-schema.ts';

let folder: string;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tradepost-migrations-'));
  url = await createEmptyDatabase();
});
afterEach(() => rm(folder, { recursive: true }));

async function migration(name: string, sql: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, 'migration.sql'), sql);
  return sql;
}

const cause = (text: string) => ({
  code: 'DATABASE_UNREACHABLE',
  details: { cause: expect.stringContaining(text) },
});

describe('migrations', () => {
  it('are applied once, in order, and written down as Prisma writes them', async () => {
    await migration('2_b', 'ALTER TABLE thing ADD COLUMN b int;');
    const sql = await migration('1_a', 'CREATE TABLE thing (a int);');
    expect(await migrateDatabase({ url, folder })).toEqual(['1_a', '2_b']);
    expect(await migrateDatabase({ url, folder })).toEqual([]);
    const rows = await administer(url, 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash('sha256').update(sql).digest('hex'),
      finished_at: expect.any(Date),
      migration_name: '1_a',
      logs: null,
      rolled_back_at: null,
      started_at: expect.any(Date),
      applied_steps_count: 1,
    });
  });

  it('are applied once when ten processes start together', async () => {
    await migration('1_a', 'CREATE TABLE thing (a int);');
    const runs = await Promise.all(Array.from({ length: 10 }, () => migrateDatabase({ url, folder })));
    expect(runs.flat()).toEqual(['1_a']);
  });

  it('change nothing when one fails, and name it with the reason', async () => {
    await migration('1_a', 'CREATE TABLE thing (a int); SELECT nonsense;');
    await expect(migrateDatabase({ url, folder })).rejects.toMatchObject(
      cause('migration 1_a failed and changed nothing: column "nonsense" does not exist'),
    );
    const [row] = await administer(url, `SELECT to_regclass('thing') IS NULL AS gone`);
    expect(row).toEqual({ gone: true });
    await migration('1_a', 'CREATE TABLE thing (a int);');
    expect(await migrateDatabase({ url, folder })).toEqual(['1_a']);
  });

  it('refuse a file that was changed afterwards', async () => {
    await migration('1_a', 'CREATE TABLE thing (a int);');
    await migrateDatabase({ url, folder });
    await migration('1_a', 'CREATE TABLE thing (a bigint);');
    await expect(migrateDatabase({ url, folder })).rejects.toMatchObject(cause('1_a was changed'));
  });

  it('refuse a database that a newer version made', async () => {
    await migration('1_a', 'SELECT 1;');
    await migration('2_b', 'SELECT 2;');
    await migrateDatabase({ url, folder });
    await rm(join(folder, '2_b'), { recursive: true });
    await expect(migrateDatabase({ url, folder })).rejects.toMatchObject(cause('Run a newer version'));
  });

  it('refuse one that failed half-way under another tool', async () => {
    await migration('1_a', 'SELECT 1;');
    await migrateDatabase({ url, folder });
    await administer(url, 'UPDATE _prisma_migrations SET finished_at = NULL');
    await expect(migrateDatabase({ url, folder })).rejects.toMatchObject(cause('failed half-way'));
    await administer(url, 'UPDATE _prisma_migrations SET rolled_back_at = now()');
    expect(await migrateDatabase({ url, folder })).toEqual(['1_a']);
  });
});

describe('a URL that does not lead to a database', () => {
  const changed = (change: Partial<Pick<URL, 'port' | 'password' | 'pathname' | 'hostname'>>) =>
    Object.assign(new URL(url), change).href;

  it.each([
    ['no URL', () => 'not a url', 'is not a Postgres URL'],
    ['another protocol', () => 'mysql://a:b@127.0.0.1/x', 'is not a Postgres URL'],
    ['a closed port', () => changed({ port: '1' }), 'nothing answers at 127.0.0.1:1.'],
    ['a wrong password', () => changed({ password: 'wrong' }), 'wrong password'],
    ['no password', () => changed({ password: '' }), 'wants a password'],
    ['a missing database', () => changed({ pathname: '/nowhere' }), 'no database "nowhere"'],
    ['an unknown host', () => changed({ hostname: 'no.such.host.invalid' }), 'has no address'],
  ])('is told apart: %s', async (_what, make, sentence) => {
    await expect(migrateDatabase({ url: make() })).rejects.toMatchObject(cause(sentence));
  });

  it('is never printed with its password', async () => {
    const failing = changed({ port: '1', password: 'hunter2' });
    const error = await migrateDatabase({ url: failing }).catch((caught: unknown) => caught);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});

describe('the schema of the program', () => {
  type Column = { table_name: string; column_name: string; is_nullable: string; data_type: string };
  const TYPES: Record<string, readonly string[]> = {
    String: ['text'],
    Int: ['integer'],
    Float: ['double precision'],
    BigInt: ['bigint'],
    Boolean: ['boolean'],
    Json: ['jsonb'],
    Bytes: ['bytea'],
    Decimal: ['numeric'],
    DateTime: ['timestamp with time zone'],
  };

  const enums = new Set([...prismaSchema().matchAll(/^enum (\w+) \{$/gm)].map(([, name]) => name));
  const models = new Set([...prismaSchema().matchAll(/^model (\w+) \{$/gm)].map(([, name]) => name));

  const typeOf = (type: string, isList: boolean, rest: string): string => {
    if (isList) return 'ARRAY';
    if (/ @db\.Date\b/.test(rest)) return 'date';
    if (/ @db\.Bit\(/.test(rest)) return 'bit';
    if (/ @db\.SmallInt\b/.test(rest)) return 'smallint';
    if (enums.has(type)) return 'USER-DEFINED';
    return TYPES[type]?.[0] ?? `unknown type ${type}`;
  };

  it('says the same in prisma/schema and in the migrations: tables, columns, types, nullability', async () => {
    const declared: Column[] = [];
    for (const [, body = ''] of prismaSchema().matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)) {
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
      for (const [, field = '', type = '', list, optional, rest = ''] of body.matchAll(
        /^ {2}(\w+) +(\w+)(\[\])?(\?)?(.*)$/gm,
      )) {
        if (models.has(type)) continue;
        declared.push({
          table_name: table,
          column_name: /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field,
          is_nullable: optional ? 'YES' : 'NO',
          data_type: typeOf(type, list !== undefined, rest),
        });
      }
    }
    const real = await administer(
      await createTestDatabase(),
      `SELECT table_name, column_name, is_nullable, data_type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`,
    );
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(declared.length).toBeGreaterThan(100);
    expect(sorted(declared)).toEqual(sorted(real));
  });

  it('declares a relation for every foreign key, and no other', async () => {
    const tables = new Map<string, string>();
    const columns = new Map<string, string>();
    const bodies = [...prismaSchema().matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
    for (const [, model = '', body = ''] of bodies) {
      tables.set(model, /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '');
      for (const [, field = '', rest = ''] of body.matchAll(/^ {2}(\w+) (.*)$/gm))
        columns.set(`${model}.${field}`, /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field);
    }
    const declared = bodies.flatMap(([, model = '', body = '']) =>
      [
        ...body.matchAll(
          /^ {2}\w+ +(\w+)\?? .*fields: \[(\w+)\], references: \[(\w+)\], onDelete: NoAction, onUpdate: NoAction\)$/gm,
        ),
      ].map(
        ([, other = '', from = '', to = '']) =>
          `${tables.get(model)}.${columns.get(`${model}.${from}`)} -> ${tables.get(other)}.${columns.get(`${other}.${to}`)}`,
      ),
    );
    const real = await administer(
      await createTestDatabase(),
      `SELECT conrelid::regclass || '.' || mine.attname || ' -> ' || confrelid::regclass || '.' || theirs.attname AS key
       FROM pg_constraint
       JOIN pg_attribute mine ON mine.attrelid = conrelid AND mine.attnum = conkey[1]
       JOIN pg_attribute theirs ON theirs.attrelid = confrelid AND theirs.attnum = confkey[1]
       WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
    );
    expect(declared.length).toBeGreaterThan(40);
    const inOrder = (a = '', b = ''): number => (a < b ? -1 : 1);
    expect(declared.sort(inOrder)).toEqual(real.map(({ key }) => key).sort(inOrder));
  });

  it('lists the values of every enum, in their order', async () => {
    const declared = [...prismaSchema().matchAll(/^enum \w+ \{\n([\s\S]*?)^\}/gm)].map(([, body = '']) => ({
      name: /@@map\("(\w+)"\)/.exec(body)?.[1],
      values: [...body.matchAll(/^ {2}(\w+)$/gm)].map(([, value]) => value).join(),
    }));
    const real = await administer(
      await createTestDatabase(),
      `SELECT typname AS name, string_agg(enumlabel, ',' ORDER BY enumsortorder) AS values
       FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid GROUP BY typname ORDER BY typname`,
    );
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))).toEqual(real);
  });
});

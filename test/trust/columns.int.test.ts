import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { DECLARED_TABLES, declaredOf } from './columns.ts';

const ROOT = new URL('../../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const ALL = DECLARED_TABLES.flatMap(declaredOf);
const nameOf = ({ table, column }: { readonly table: string; readonly column: string }): string =>
  `${table}.${column}`;
const camel = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The columns of every table but Prisma's own, and those of no partition: each of these has its parent's. */
async function columnsThatAre(): Promise<readonly string[]> {
  const db = await createPrismaDatabase({ url: await createTestDatabase() });
  try {
    const rows = await db.query<{ readonly table: string; readonly column: string }>(
      `SELECT relname AS table, attname AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname <> '_prisma_migrations' AND attnum > 0 AND NOT attisdropped`,
      [],
    );
    return rows.map(nameOf);
  } finally {
    await db.close();
  }
}

describe('the registry of columns', () => {
  it('declares each column of the database once, and no other', async () => {
    const [found, declared] = [await columnsThatAre(), ALL.map(nameOf)];
    expect(found.length).toBeGreaterThan(900);
    expect(
      found.filter((name) => !declared.includes(name)),
      'not declared',
    ).toEqual([]);
    expect(
      declared.filter((name) => !found.includes(name)),
      'no such column',
    ).toEqual([]);
    expect(
      declared.filter((name, at) => declared.indexOf(name) !== at),
      'declared twice',
    ).toEqual([]);
  });

  const held = ALL.filter(({ kind }) => kind === 'sealed' || kind === 'bounded');
  const suites = [...new Set(held.map(({ suite }) => suite ?? ''))];

  it.each(suites)('names a suite that is there, and that changes each column which it seals: %s', (suite) => {
    expect(existsSync(new URL(suite, ROOT))).toBe(true);
    const written = text(suite);
    /** It takes the columns of the table from here, or names the column itself, as the row or as the value has it. */
    const plays = ({ table, column }: (typeof held)[number]): boolean =>
      (written.includes('./columns.ts') && written.includes(`'${table}'`)) ||
      written.includes(column) ||
      written.includes(camel(column));
    const sealed = held.filter((one) => one.kind === 'sealed' && one.suite === suite);
    expect(sealed.filter((one) => !plays(one)).map(nameOf)).toEqual([]);
  });

  it('has each open column in the honest limits of docs/security.md', () => {
    const limits = text('docs/security.md').split('\n## Honest limits\n')[1] ?? '';
    const open = ALL.filter(({ kind }) => kind === 'open');
    expect(open.filter((one) => !limits.includes(`\`${one.table}\``)).map(nameOf)).toEqual([]);
  });
});

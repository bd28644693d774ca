import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrateDatabase } from '../../src/platform/db/migrate.ts';

/**
 * A fresh, migrated database of its own for a test file; returns its URL. Copied from a template, which takes some ten
 * milliseconds; dropped when the run ends.
 */
export async function createTestDatabase(): Promise<string> {
  const template = inject('templateName');
  const name = `${template}_${randomBytes(4).toString('hex')}`;
  await administer(inject('postgresUrl'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return withDatabase(inject('postgresUrl'), name);
}

/** An empty database without the schema. */
export async function createEmptyDatabase(): Promise<string> {
  const name = `${inject('templateName')}_${randomBytes(4).toString('hex')}`;
  await administer(inject('postgresUrl'), `CREATE DATABASE ${name}`);
  return withDatabase(inject('postgresUrl'), name);
}

/** A copy of a database that nobody is connected to; dropped when the run ends. */
export async function copyDatabase(url: string): Promise<string> {
  const name = `${inject('templateName')}_${randomBytes(4).toString('hex')}`;
  await administer(
    inject('postgresUrl'),
    `CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`,
  );
  return withDatabase(inject('postgresUrl'), name);
}

export async function createTemplate(url: string): Promise<string> {
  const name = `tradepost_test_${randomBytes(4).toString('hex')}`;
  await administer(url, `CREATE DATABASE ${name}`);
  await migrateDatabase({ url: withDatabase(url, name) });
  return name;
}

export async function dropTestDatabases(url: string, template: string): Promise<void> {
  const rows = await administer(url, `SELECT datname FROM pg_database WHERE datname LIKE '${template}%'`);
  for (const { datname } of rows) await administer(url, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

export async function administer(url: string, sql: string): Promise<readonly Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(sql)).rows;
  } finally {
    await client.end();
  }
}

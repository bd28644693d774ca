/** `npm run ops -- db roles`: the roles of the database, by the table of grants. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { fileProblem } from '../../src/config/secret-files.ts';
import type { Query } from '../../src/platform/db/connection.ts';
import { DATABASE_ROLES, type DatabaseRole } from '../../src/platform/db/grants.ts';
import { inspectDatabase } from '../../src/platform/db/inspect-database.ts';
import { migrateDatabase } from '../../src/platform/db/migrate.ts';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { assertPrefix, rolesPlan } from '../../src/platform/db/roles.ts';
import type { Io } from './command.ts';
import { openDatabaseUrl } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';

type Options = {
  readonly prefix: string | undefined;
  readonly passwords: string | undefined;
  readonly yes: boolean;
};

/**
 * Brings the schema up to date, and the roles and their rights to the table of grants, in one transaction; without `yes` it prints
 * the statements and changes nothing. 1 when something differs, or could not be carried out.
 */
export async function dbRoles(io: Io, { prefix = 'tp_', passwords: folder, yes }: Options): Promise<number> {
  assertPrefix(prefix);
  const passwords = folder === undefined ? new Map<DatabaseRole, string>() : readPasswords(folder);
  const { url, close } = await openDatabaseUrl(io, 'any');
  try {
    const state = await inspectDatabase(url);
    if (!yes && state === 'empty') throw new OpsError('The database is empty: --yes makes its tables first.');
    if (yes) await migrateDatabase({ url });
    return await withClient(url, async (client) => {
      const query: Query = async <Row>(text: string, values: readonly unknown[]) =>
        (await client.query(text, [...values])).rows as Row[];
      const plan = await rolesPlan(query, { prefix, passwords });
      if (plan.length === 0) {
        io.print(`Nothing differs: ${DATABASE_ROLES.length} roles have what the table of grants says.`);
        return 0;
      }
      for (const statement of plan) io.print(`${statement};`);
      if (!yes) {
        io.print(`${plan.length} statements. Nothing was done. Add --yes to carry them out.`);
        return 1;
      }
      await carryOut(client, plan);
      const left = await rolesPlan(query, { prefix });
      if (left.length > 0)
        throw new OpsError(
          `These statements were carried out without an effect: ${left.join('; ')}. A GRANT by somebody who is not the owner only warns: run this as the owner of the tables.`,
        );
      await record(url, prefix);
      io.print(`${plan.length} statements carried out.`);
      return 0;
    });
  } finally {
    await close();
  }
}

/** The files `postgres_ROLE` of a folder, without the line's end. */
function readPasswords(folder: string): ReadonlyMap<DatabaseRole, string> {
  const found = DATABASE_ROLES.map((role) => [role, join(folder, `postgres_${role}`)] as const).filter(
    ([, path]) => existsSync(path),
  );
  if (found.length === 0)
    throw new UsageError(
      `--passwords: ${folder} has no file postgres_${DATABASE_ROLES[0]}. Expected a folder that deploy/make-secrets.sh has filled.`,
    );
  return new Map(found.map(([role, path]) => [role, passwordIn(path)] as const));
}

function passwordIn(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new OpsError(`${path} cannot be read: ${fileProblem(code)}`);
  }
  if (text.length >= 16) return text;
  throw new UsageError(
    `--passwords: ${path} holds ${text.length} characters. Expected 16 or more: "openssl rand -hex 24" makes 48.`,
  );
}

async function carryOut(client: pg.Client, plan: readonly string[]): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const statement of plan) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    const why = error instanceof Error ? error.message : String(error);
    const isDenied = error instanceof pg.DatabaseError && error.code === '42501';
    throw new OpsError(
      `Nothing was changed: ${why}.${isDenied ? ' Run this as a superuser, or let one carry out the statements above, in this order.' : ''}`,
    );
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function record(url: string, prefix: string): Promise<void> {
  const db = await createPrismaDatabase({ url });
  try {
    await recordAct(db, 'operator-command', { command: 'db roles', words: [prefix] });
  } finally {
    await db.close();
  }
}

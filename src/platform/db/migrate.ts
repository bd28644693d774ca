import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import { describeTarget, unreachable } from './connection-error.ts';

// SQL: runs migrations, before there is any table.

/** Postgres 13 is the oldest that the queue's tables work on. */
const OLDEST = 130_000;
/** The advisory lock that Prisma's own migrate takes: the two never run at the same time. */
const PRISMA_LOCK = 72_707_369;
const DEFAULT_FOLDER = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

// Prisma's own table, so that `prisma migrate` works on the same database elsewhere.
// Source of truth: prisma-engines, schema-engine/connectors/sql-schema-connector (sql_migration_persistence).
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };
type Applied = { readonly name: string; readonly checksum: string; readonly finished: boolean };

/**
 * Brings the database to this program's schema and returns the names applied just now. Each migration commits with its row or
 * not at all; several processes may start at once. Throws DATABASE_UNREACHABLE with a sentence when the server cannot be used,
 * or when the database's history is not this program's: changed, failed half-way elsewhere, or newer.
 */
export async function migrateDatabase(options: {
  readonly url: string;
  readonly folder?: string;
}): Promise<readonly string[]> {
  if (!describeTarget(options.url)) throw unreachable(null, options.url);
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: 10_000 });
  // A connection lost between two queries is reported by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await assertVersion(client);
    return await migrate(client, await readMigrations(options.folder ?? DEFAULT_FOLDER));
  } catch (error) {
    throw isAppError(error) ? error : unreachable(error, options.url);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Names of this program's migrations, in order. */
export async function programMigrations(): Promise<readonly string[]> {
  return (await readMigrations(DEFAULT_FOLDER)).map(({ name }) => name);
}

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  );
  if ((rows[0]?.number ?? 0) < OLDEST)
    refuse(`Postgres is ${rows[0]?.version ?? 'unknown'}; 13 or newer is needed.`);
}

async function migrate(client: pg.Client, migrations: readonly Migration[]): Promise<readonly string[]> {
  const [first] = pending(migrations, await readApplied(client));
  if (first === undefined) return [];
  await assertMayMigrate(client, first);
  await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
  try {
    await client.query(CREATE_TABLE);
    // Read again under the lock: another process may just have finished.
    const todo = pending(migrations, await readApplied(client));
    for (const migration of todo) await apply(client, migration);
    return todo.map((migration) => migration.name);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [PRISMA_LOCK]);
  }
}

/** A role of the table of grants owns nothing: its right to read would end in a sentence of Postgres about a schema. */
async function assertMayMigrate(client: pg.Client, { name }: Migration): Promise<void> {
  const { rows } = await client.query<{ role: string; may: boolean }>(
    `SELECT current_user AS role, has_schema_privilege(current_schema(), 'CREATE') AS may`,
  );
  if (rows[0]?.may === false)
    refuse(
      `it lacks migration ${name}, which the role "${rows[0].role}" may not make. Run "npm run ops -- db roles --yes" with the DATABASE_URL of the tables' owner.`,
    );
}

/** The migrations still to run, after refusing every history that does not lead here. */
function pending(migrations: readonly Migration[], applied: readonly Applied[]): readonly Migration[] {
  for (const row of applied) {
    const known = migrations.find((migration) => migration.name === row.name);
    if (!row.finished) {
      refuse(
        `migration ${row.name} failed half-way earlier. Restore a backup, or mend it with "prisma migrate resolve".`,
      );
    }
    if (!known)
      refuse(
        `the database has migration ${row.name}, which this version does not know. Run a newer version.`,
      );
    if (known.checksum !== row.checksum) {
      refuse(`migration ${row.name} was changed after it was applied. Put the original file back.`);
    }
  }
  const done = new Set(applied.map((row) => row.name));
  return migrations.filter((migration) => !done.has(migration.name));
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'DATABASE_UNREACHABLE',
      { cause: `migration ${name} failed and changed nothing: ${why}.` },
      { cause: error },
    );
  }
}

async function readApplied(client: pg.Client): Promise<readonly Applied[]> {
  const { rows: exists } = await client.query(`SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL`);
  if (exists.length === 0) return [];
  const { rows } = await client.query<Applied>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name, 'migration.sql'));
      return {
        name,
        sql: bytes.toString('utf8'),
        checksum: createHash('sha256').update(bytes).digest('hex'),
      };
    }),
  );
}

function refuse(cause: string): never {
  throw new AppError('DATABASE_UNREACHABLE', { cause });
}

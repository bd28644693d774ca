import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Query } from './connection.ts';
import { migrationNames, readTables } from './dump.ts';
import { dumpLines } from './dump-file.ts';
import {
  DUMP_FORMAT,
  DUMP_VERSION,
  DumpError,
  type DumpFooter,
  type DumpHeader,
  type DumpRow,
  type DumpTable,
  lineDigest,
  quoted,
} from './dump-format.ts';
import { migrateDatabase, programMigrations } from './migrate.ts';

// SQL: works on tables by their name, below the models.

const BATCH = 500;

/**
 * Puts a dump into an empty database, all of it or nothing, and leaves it in quarantine: work of the service after the dump was taken is
 * not in there. Every constraint and trigger judges the rows as if they were written now. `replace` drops the existing tables first. Throws
 * a DumpError that names the fault: a torn file, another schema, a database that is not empty or that a running program uses.
 */
export async function restoreDatabase(options: {
  readonly url: string;
  readonly path: string;
  readonly replace: boolean;
  /** Opens an encrypted dump (`AGE-SECRET-KEY-1…`). */
  readonly identity?: string | null;
  /** Runs in the transaction that puts the rows in, behind the last of them. */
  readonly lastly?: (query: Query, dataAsOf: Date) => Promise<void>;
}): Promise<{ readonly rows: number; readonly dataAsOf: Date }> {
  const { header, footer } = await verify(options.path, options.identity ?? null);
  assertSchema(header, await programMigrations());
  const client = new pg.Client({ connectionString: options.url });
  try {
    // A server that goes away between two statements says so as an event; the next statement rejects with it.
    client.on('error', () => undefined);
    await client.connect();
    await assertUnused(client);
    if (options.replace) {
      await client.query(
        'DROP SCHEMA IF EXISTS bullmq CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public',
      );
    } else if ((await migrationNames(client)).length > 0 && (await hasRows(client))) {
      throw new DumpError(
        'The database is not empty. Name an empty one in DATABASE_URL, or add --replace to drop what is there.',
      );
    }
    await migrateDatabase({ url: options.url });
    // A database that was there and is empty may have a history of its own.
    assertSchema(header, await migrationNames(client));
    await client.query(`BEGIN; SET LOCAL TIME ZONE 'UTC'`);
    const keys = await deferForeignKeys(client);
    await clearSeeds(client);
    await load(client, options.path, options.identity ?? null);
    await quarantine(client, header);
    const dataAsOf = new Date(header.createdAt);
    await options.lastly?.(asQuery(client), dataAsOf);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const key of keys) await client.query(`${key} NOT DEFERRABLE`);
    await client.query('COMMIT');
    return { rows: footer.rows, dataAsOf };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Before anything is touched, too: a dump of another release must not cost the database that it was to replace. */
function assertSchema({ migrations }: DumpHeader, known: readonly string[]): void {
  if (known.join() === migrations.join()) return;
  throw new DumpError(
    `The dump has schema ${migrations.at(-1) ?? 'none'}, this program ${known.at(-1) ?? 'none'}. Restore it with the version that made it, then upgrade.`,
  );
}

function asQuery(client: pg.Client): Query {
  return async <Row>(text: string, values: readonly unknown[]) =>
    (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows;
}

/** Reads the whole file once before anything is touched: a torn or changed dump must not cost the old database. */
async function verify(
  path: string,
  identity: string | null,
): Promise<{ readonly header: DumpHeader; readonly footer: DumpFooter }> {
  const digest = lineDigest();
  let header: DumpHeader | null = null;
  let last: string | null = null;
  let rows = -1;
  for await (const line of dumpLines(path, identity)) {
    if (last !== null) {
      digest.add(last);
      if (last.startsWith('[')) rows += 1;
    } else {
      header = parse<DumpHeader>(line);
      rows = 0;
    }
    last = line;
  }
  const footer = last === null ? null : parse<Partial<DumpFooter>>(last);
  if (header?.format !== DUMP_FORMAT) throw new DumpError(`${path} is not a dump of Tradepost.`);
  if (header.version !== DUMP_VERSION)
    throw new DumpError(
      `${path} has format ${String(header.version)}; this program reads ${String(DUMP_VERSION)}.`,
    );
  if (footer === null || footer.rows !== rows || footer.sha256 !== digest.hex()) {
    throw new DumpError(`${path} is torn or was changed: its checksum does not match.`);
  }
  return { header, footer: { rows, sha256: footer.sha256 } };
}

function parse<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T;
  } catch {
    return null;
  }
}

async function assertUnused(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'tradepost' AND pid <> pg_backend_pid()`,
  );
  if ((rows[0]?.count ?? 0) > 0)
    throw new DumpError('A running Tradepost uses this database. Stop it first.');
}

async function hasRows(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM wallets) AS there',
  );
  return rows[0]?.there === true;
}

/** Users refer to wallets and wallets to users: within this transaction, foreign keys are judged at its end. */
async function deferForeignKeys(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
     WHERE contype = 'f' AND NOT condeferrable AND connamespace = 'public'::regnamespace`,
  );
  const keys = rows.map(({ table, name }) => `ALTER TABLE ${table} ALTER CONSTRAINT ${quoted(name)}`);
  for (const key of keys) await client.query(`${key} DEFERRABLE INITIALLY DEFERRED`);
  return keys;
}

/** The few rows that migrations write; the dump brings its own. */
async function clearSeeds(client: pg.Client): Promise<void> {
  for (const { table } of await readTables(client)) {
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(table)} LIMIT 1`);
    if (rows.length > 0) await client.query(`DELETE FROM ${quoted(table)}`);
  }
}

async function load(client: pg.Client, path: string, identity: string | null): Promise<void> {
  let table: DumpTable | null = null;
  let batch: DumpRow[] = [];
  const flush = async (): Promise<void> => {
    if (table === null || batch.length === 0) return;
    const names = table.columns.map(({ name }) => quoted(name));
    const casts = table.columns.map(({ type }, index) => `value.c${index}::${type}`);
    const parameters = table.columns.map((_, index) => `$${index + 1}::text[]`);
    const aliases = table.columns.map((_, index) => `c${index}`);
    await client.query(
      `INSERT INTO ${quoted(table.table)} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT ${casts.join(', ')} FROM unnest(${parameters.join(', ')}) AS value (${aliases.join(', ')})`,
      table.columns.map((_, index) => batch.map((row) => row[index] ?? null)),
    );
    batch = [];
  };
  for await (const line of dumpLines(path, identity)) {
    const value = parse<DumpRow | DumpTable | DumpHeader | DumpFooter>(line);
    if (isRow(value)) {
      batch.push(value);
      if (batch.length === BATCH) await flush();
    } else if (value !== null && 'table' in value) {
      await flush();
      table = value;
    }
  }
  await flush();
}

const isRow = (value: unknown): value is DumpRow => Array.isArray(value);

async function quarantine(client: pg.Client, header: DumpHeader): Promise<void> {
  // A dump may itself have been taken in quarantine: then the older moment counts.
  await client.query(
    `INSERT INTO quarantines (id, reason, data_as_of, entered_at) VALUES ($1, $2, $3, now())
     ON CONFLICT ((true)) WHERE lifted_at IS NULL DO NOTHING`,
    [randomUUID(), `restored from a dump of ${header.createdAt}`, header.createdAt],
  );
  await client.query(
    `INSERT INTO system_flags (flag, is_on, updated_at) VALUES ('quarantined', true, now())
     ON CONFLICT (flag) DO UPDATE SET is_on = true, updated_at = now()`,
  );
}

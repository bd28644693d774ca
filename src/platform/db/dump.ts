import pg from 'pg';
import { TAPE_TABLES } from '../tape/tables.ts';
import { createDumpFile } from './dump-file.ts';
import {
  DUMP_FORMAT,
  DUMP_VERSION,
  type DumpFooter,
  type DumpHeader,
  type DumpTable,
  lineDigest,
  quoted,
} from './dump-format.ts';

// SQL: works on tables by their name, below the models, in one snapshot.

const PAGE = 1_000;

/**
 * Writes all kept tables of the database into a new file of mode 0600, in one repeatable-read snapshot, while the service runs; with
 * `recipient` (`age1…`) encrypted to it. Unlogged tables (dialogues) are left out: they may be lost by design. Throws when the file exists; a
 * dump that fails leaves no file.
 */
export async function dumpDatabase(options: {
  readonly url: string;
  readonly path: string;
  readonly recipient?: string | null;
}): Promise<{ readonly tables: number; readonly rows: number }> {
  const file = await createDumpFile(options.path, options.recipient ?? null);
  const client = new pg.Client({ connectionString: options.url });
  const digest = lineDigest();
  let rows = 0;
  try {
    // A server that goes away between two statements says so as an event; the next statement rejects with it.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TIME ZONE 'UTC'`);
    const write = async (values: readonly unknown[]): Promise<void> => {
      const lines = values.map((value) => JSON.stringify(value));
      for (const line of lines) digest.add(line);
      if (lines.length > 0) await file.write(`${lines.join('\n')}\n`);
    };
    await write([await header(client)]);
    const tables = await readTables(client);
    for (const table of tables) {
      await write([table]);
      const columns = table.columns.map(({ name }) => `${quoted(name)}::text`).join(', ');
      await client.query(`DECLARE page NO SCROLL CURSOR FOR SELECT ${columns} FROM ${quoted(table.table)}`);
      for (;;) {
        const page = await client.query<(string | null)[]>({
          text: `FETCH ${PAGE} FROM page`,
          rowMode: 'array',
        });
        if (page.rows.length === 0) break;
        await write(page.rows);
        rows += page.rows.length;
      }
      await client.query('CLOSE page');
    }
    await client.query('COMMIT');
    const footer: DumpFooter = { rows, sha256: digest.hex() };
    await file.write(`${JSON.stringify(footer)}\n`);
    await file.finish();
    return { tables: tables.length, rows };
  } catch (error) {
    await file.discard();
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function header(client: pg.Client): Promise<DumpHeader> {
  const { rows } = await client.query<{ at: Date }>('SELECT transaction_timestamp() AS at');
  return {
    format: DUMP_FORMAT,
    version: DUMP_VERSION,
    createdAt: (rows[0]?.at ?? new Date(0)).toISOString(),
    migrations: await migrationNames(client),
  };
}

/** Names of the applied migrations, in order; none in an empty database. */
export async function migrationNames(client: pg.Client): Promise<readonly string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS there`,
  );
  if (found[0]?.there !== true) return [];
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
  );
  return rows.map((row) => row.name);
}

/**
 * Tables of the schema `public` that survive a crash, by name, with the columns that hold data of their own. Those of the tape
 * are left out.
 */
export async function readTables(client: pg.Client): Promise<readonly DumpTable[]> {
  const { rows } = await client.query<DumpTable>(
    `SELECT class.relname AS "table",
       json_agg(json_build_object('name', attribute.attname,
         'type', format_type(attribute.atttypid, attribute.atttypmod)) ORDER BY attribute.attnum) AS columns
     FROM pg_class AS class JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid
     WHERE class.relnamespace = 'public'::regnamespace AND class.relkind = 'r' AND class.relpersistence = 'p'
       AND attribute.attnum > 0 AND NOT attribute.attisdropped AND attribute.attgenerated = ''
       AND class.relname <> '_prisma_migrations' AND NOT class.relispartition AND class.relname <> ALL ($1::text[])
     GROUP BY class.relname ORDER BY class.relname`,
    [TAPE_TABLES],
  );
  return rows;
}

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { migrateDatabase } from '../../src/platform/db/migrate.ts';

/**
 * What the previous tag left behind when it was ended with SIGKILL: every row of its database as that version wrote it (its
 * tour, points, a game, a convert period, keys, a lookup table), the chain that it ran on, and the play key of its wallets. Two
 * requests were open: Eve's trade, signed, sent and not final, and Dave's withdrawal, waiting for his new address, not signed.
 */
const folder = fileURLToPath(new URL('./previous-version/', import.meta.url));
const migrations = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url));

export const PREVIOUS = {
  kek: readFileSync(join(folder, 'play-key.txt'), 'utf8').trim(),
  /** The same for everybody there. */
  pin: '402917',
  dave: 104,
  eve: 105,
  carol: 103,
} as const;

/** The chain's state, in a new folder inside `scratch`. */
export function unpackChain(scratch: string): string {
  const target = join(scratch, 'chain');
  mkdirSync(target, { mode: 0o700 });
  for (const name of readdirSync(join(folder, 'chain'))) {
    const bytes = gunzipSync(readFileSync(join(folder, 'chain', name)));
    writeFileSync(join(target, basename(name, '.gz')), bytes);
  }
  return target;
}

/** How many rows each table had, by name. */
export type RowCounts = ReadonlyMap<string, number>;

/**
 * Makes an empty database that of the previous version: its schema by its own migrations, which are the first of today's and
 * byte for byte the same, and its rows. The answer counts them.
 */
export async function restorePrevious(url: string, scratch: string): Promise<RowCounts> {
  const rows = readFileSync(join(folder, 'rows.sql'), 'utf8');
  const own = readdirSync(migrations).filter((name) => rows.includes(`'${name}'`));
  const theirs = join(scratch, 'migrations');
  for (const name of own) cpSync(join(migrations, name), join(theirs, name), { recursive: true });
  await migrateDatabase({ url, folder: theirs });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await tablesOf(client);
    // What migrations wrote themselves is among the rows. No trigger looks at what one version wrote already.
    await client.query('SET session_replication_role = replica');
    await client.query(`TRUNCATE ${tables.map((name) => `public."${name}"`).join(', ')}`);
    await client.query(rows);
    // A withdrawal is wanted for half an hour. The upgrade comes within it, whenever this runs.
    await client.query("UPDATE intents SET created_at = now(), not_before = now() WHERE status = 'CREATED'");
    return await countRows(client, tables);
  } finally {
    await client.end();
  }
}

/** The same tables again, after something was done to them. */
export async function countAgain(url: string, before: RowCounts): Promise<RowCounts> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await countRows(client, [...before.keys()]);
  } finally {
    await client.end();
  }
}

async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function countRows(client: pg.Client, tables: readonly string[]): Promise<RowCounts> {
  const counts = new Map<string, number>();
  for (const name of tables) {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int FROM public."${name}"`);
    counts.set(name, rows[0]?.count ?? 0);
  }
  return counts;
}

import pg from 'pg';
import type { Beat } from '../../modules/operations/rules/check-up.ts';
import type { Parameter, Query } from './connection.ts';
import { unreachable } from './connection-error.ts';

// SQL: the server's facts on itself, and the processes by its own clock; nothing is changed, and no migration runs.

const PATIENCE_MS = 10_000;

/** One connection that can only read. Throws DATABASE_UNREACHABLE. */
export async function openToLook(
  url: string,
): Promise<{ readonly query: Query; readonly close: () => Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    options: '-c default_transaction_read_only=on',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error, url);
  }
  const query: Query = async <Row>(text: string, values: readonly Parameter[]) =>
    (await client.query(text, [...values])).rows as Row[];
  return { query, close: () => client.end().catch(() => undefined) };
}

/** The database's clock at this moment, in epoch milliseconds. */
export async function readServerTime(query: Query): Promise<number> {
  const [row] = await query<{ readonly now: Date }>('SELECT clock_timestamp() AS now', []);
  return row?.now.getTime() ?? Number.NaN;
}

/** Open connections of clients, and how many an ordinary role may open. */
export async function readConnections(
  query: Query,
): Promise<{ readonly open: number; readonly most: number }> {
  const [row] = await query<{ readonly open: number; readonly most: number }>(
    `SELECT (SELECT sum(numbackends)::int FROM pg_stat_database) AS open,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most`,
    [],
  );
  return row ?? { open: 0, most: 1 };
}

/** The processes of the last week, the newest beat first. */
export function readBeats(query: Query): Promise<readonly Beat[]> {
  return query<Beat>(
    `SELECT roles, version, host, (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"
     FROM processes ORDER BY beat_at DESC`,
    [],
  );
}

/** Whether the write-ahead log is archived, and since when that fails; `off` where it is not archived at all. */
export async function readArchiving(
  query: Query,
): Promise<{ readonly mode: string; readonly failing: string | null }> {
  const [row] = await query<{ readonly mode: string; readonly failing: string | null }>(
    `SELECT current_setting('archive_mode') AS mode,
       CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN last_failed_wal END AS failing
     FROM pg_stat_archiver`,
    [],
  );
  return row ?? { mode: 'off', failing: null };
}

/** The server's folder; null where the role may not know it. */
export async function readDataFolder(query: Query): Promise<string | null> {
  try {
    const [row] = await query<{ readonly folder: string }>(
      "SELECT current_setting('data_directory') AS folder",
      [],
    );
    return row?.folder ?? null;
  } catch {
    return null;
  }
}

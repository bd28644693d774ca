import pg from 'pg';
import { unreachable } from './connection-error.ts';

// SQL: asks the server about itself.

/** `empty`: no table at all. `foreign`: tables, none of them ours. `unused`: our schema, and no service ever ran on it. */
export type DatabaseState = 'empty' | 'foreign' | 'unused' | 'in-use';

/**
 * The state of the database, read without changing it: a service brings any database to its schema when it connects. A tool that did so
 * would make a Tradepost of any database that it is pointed at. Throws DATABASE_UNREACHABLE.
 */
export async function inspectDatabase(url: string): Promise<DatabaseState> {
  let client: pg.Client | null = null;
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ tables: number; ours: boolean }>(
      `SELECT (SELECT count(*)::int FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables,
         to_regclass('public.ledger_transfers') IS NOT NULL AND to_regclass('public.system_flags') IS NOT NULL
           AND to_regclass('public.wallets') IS NOT NULL AS ours`,
    );
    const [found] = rows;
    if (found?.ours !== true) return (found?.tables ?? 0) === 0 ? 'empty' : 'foreign';
    const { rows: used } = await client.query('SELECT 1 FROM wallets LIMIT 1');
    return used.length === 0 ? 'unused' : 'in-use';
  } catch (error) {
    throw unreachable(error, url);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

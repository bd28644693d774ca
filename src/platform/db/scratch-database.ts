import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { unreachable } from './connection-error.ts';

// SQL: databases are made and dropped by statements that no model has.

const PREFIX = 'tradepost_drill_';

export type ScratchDatabase = {
  readonly url: string;
  readonly name: string;
  /** Scratch databases of earlier drills that were killed; nothing here drops them. */
  readonly left: readonly string[];
  readonly drop: () => Promise<void>;
};

/**
 * An empty database with a name of its own on the server of `url`, whose account must be allowed to make one. The database of `url` is
 * not touched. Throws DATABASE_UNREACHABLE, and the server's own error where the account may not.
 */
export async function createScratchDatabase(url: string): Promise<ScratchDatabase> {
  const name = `${PREFIX}${randomBytes(6).toString('hex')}`;
  const left = await onServer(url, async (client) => {
    const { rows } = await client.query<{ readonly datname: string }>(
      `SELECT datname FROM pg_database WHERE datname LIKE 'tradepost\\_drill\\_%' ORDER BY datname`,
    );
    await client.query(`CREATE DATABASE ${name}`);
    return rows.map(({ datname }) => datname);
  });
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  return {
    url: scratch.href,
    name,
    left,
    drop: () =>
      onServer(url, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error, url);
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

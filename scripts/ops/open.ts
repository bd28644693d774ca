import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRpcChain } from '../../src/adapters/chain/rpc-chain.ts';
import { createRpcHistory } from '../../src/adapters/chain/rpc-history.ts';
import { describeTarget } from '../../src/adapters/db/connection-error.ts';
import { type DatabaseState, inspectDatabase } from '../../src/adapters/db/inspect-database.ts';
import { createPrismaDatabase } from '../../src/adapters/db/prisma-database.ts';
import type { Config } from '../../src/config.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { readRunFile } from '../../src/local/run-file.ts';
import type { Io } from './command.ts';
import { OpsError } from './ops-error.ts';

/** What a command can do with: a database that a service used, one with its schema, or any that is not somebody else's. */
type Needs = 'in-use' | 'schema' | 'any';

const ENOUGH: Readonly<Record<Needs, ReadonlySet<DatabaseState>>> = {
  'in-use': new Set(['in-use']),
  schema: new Set(['in-use', 'unused']),
  any: new Set(['in-use', 'unused', 'empty']),
};

/**
 * Where the database is: DATABASE_URL, else that of the program that runs on LOCAL_DIR, else with `--local` its embedded
 * Postgres, started for the length of the command. Says which one it is. Throws an OpsError when there is none, or when it is
 * empty or somebody else's: a backup or an audit of such a database would succeed and mean nothing.
 */
export async function openDatabaseUrl(
  io: Io,
  needs: Needs,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { url, source, close } = await locate(io, needs);
  try {
    const target = describeTarget(url);
    const name = target === null ? 'the database' : `database "${target.database}" at ${target.host}`;
    io.note(`${name} (${source})`);
    const state = await inspectDatabase(url);
    if (!ENOUGH[needs].has(state)) throw new OpsError(`${name}: ${PROBLEM[state]}`);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const PROBLEM: Readonly<Record<DatabaseState, string>> = {
  empty: 'it is empty: there is no Tradepost in it. Correct DATABASE_URL, or start the service on it first.',
  foreign: 'its tables are not those of a Tradepost. Correct DATABASE_URL.',
  unused: 'no service ever ran on it: it has no wallet, not even the treasury. Correct DATABASE_URL.',
  'in-use': '',
};

async function locate(io: Io, needs: Needs) {
  const config = io.config();
  const { dir } = config.local;
  const stay = async (): Promise<void> => undefined;
  if (config.databaseUrl !== null) return { url: config.databaseUrl, source: 'DATABASE_URL', close: stay };
  const running = readRunFile(dir)?.databaseUrl ?? null;
  if (running !== null) return { url: running, source: `the program that runs on ${dir}`, close: stay };
  const env = io.envFile ? '.env was read and does not name it' : 'there is no .env in this folder';
  if (!io.local) {
    throw new OpsError(
      `There is no database: DATABASE_URL is not set (${env}), and no program runs on LOCAL_DIR (${dir}). Set DATABASE_URL, or add --local to open the embedded database.`,
    );
  }
  const folder = join(dir, 'postgres');
  if (needs !== 'any' && !existsSync(folder)) {
    throw new OpsError(`There is no embedded database in ${folder}: nothing ever ran on LOCAL_DIR (${dir}).`);
  }
  const { startLocalPostgres } = await import('../../src/local/postgres/index.ts');
  const local = await startLocalPostgres({ dir: folder });
  return { url: local.url, source: `embedded, ${folder}`, close: () => local.stop() };
}

/** The stores, with the driver's own query for what only operators ask. */
export async function openDatabase(io: Io, needs: Exclude<Needs, 'any'> = 'schema') {
  const where = await openDatabaseUrl(io, needs);
  try {
    const db = await createPrismaDatabase({ url: where.url });
    const close = async (): Promise<void> => {
      await db.close();
      await where.close();
    };
    return { db, close };
  } catch (error) {
    await where.close();
    throw error;
  }
}

/** The cluster of SOLANA_RPC_URL, else the local chain of the program that runs on LOCAL_DIR. */
export function openChain(config: Config) {
  const local = readRunFile(config.local.dir)?.rpcUrl ?? null;
  const urls = config.rpcUrls ?? (local === null ? null : [local]);
  if (urls === null) {
    throw new AppError('CONFIG_INVALID', {
      problems: [
        'SOLANA_RPC_URL: missing, and no program runs on LOCAL_DIR. Set it, or run "npm start" beside this command.',
      ],
    });
  }
  return { chain: createRpcChain({ urls }), history: createRpcHistory({ urls }) };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../src/config/index.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { readRunFile } from '../../src/local/run-file.ts';
import { operatorCheck } from '../../src/platform/certificate-check.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import { createCallBudget } from '../../src/platform/chain/transaction-source/call-budget.ts';
import { describeTarget } from '../../src/platform/db/connection-error.ts';
import { type DatabaseState, inspectDatabase } from '../../src/platform/db/inspect-database.ts';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Chain } from '../../src/platform/ports/chain.ts';
import type { ChainHistory } from '../../src/platform/ports/chain-history.ts';
import type { Io } from './command.ts';
import { openRing } from './journal-here.ts';
import { OpsError } from './ops-error.ts';

/** The database that a command needs: one that a service used, one with its schema, or any that is not another program's. */
type Needs = 'in-use' | 'schema' | 'any';

const ENOUGH: Readonly<Record<Needs, ReadonlySet<DatabaseState>>> = {
  'in-use': new Set(['in-use']),
  schema: new Set(['in-use', 'unused']),
  any: new Set(['in-use', 'unused', 'empty']),
};

/**
 * Where the database is: DATABASE_URL, else that of the program that runs on LOCAL_DIR, else with `--local` its embedded Postgres, started
 * for the length of the command. Says which one it is. Throws an OpsError when there is none, or when it is empty or another program's: a
 * backup or an audit of such a database would succeed and mean nothing.
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

/** Throws CONFIG_INVALID where no database is named and none runs here. Opens nothing. */
export function requireDatabase(io: Io): void {
  const { databaseUrl, local } = io.config();
  if (databaseUrl === null && !io.local && (readRunFile(local.dir)?.databaseUrl ?? null) === null)
    throw noDatabase(io);
}

function noDatabase(io: Io): AppError<'CONFIG_INVALID'> {
  const env = io.envFile ? '.env was read and does not name it' : 'there is no .env in this folder';
  const problem = `There is no database: DATABASE_URL is not set (${env}), and no program runs on LOCAL_DIR (${io.config().local.dir}). Set DATABASE_URL, or add --local to open the embedded database.`;
  return new AppError('CONFIG_INVALID', { problems: [problem] });
}

async function locate(io: Io, needs: Needs) {
  const config = io.config();
  const { dir } = config.local;
  const stay = async (): Promise<void> => undefined;
  if (config.databaseUrl !== null) return { url: config.databaseUrl, source: 'DATABASE_URL', close: stay };
  const running = readRunFile(dir)?.databaseUrl ?? null;
  if (running !== null) return { url: running, source: `the program that runs on ${dir}`, close: stay };
  if (!io.local) throw noDatabase(io);
  const folder = join(dir, 'postgres');
  if (needs !== 'any' && !existsSync(folder)) {
    throw new OpsError(`There is no embedded database in ${folder}: nothing ever ran on LOCAL_DIR (${dir}).`);
  }
  const { startLocalPostgres } = await import('../../src/local/postgres/index.ts');
  const local = await startLocalPostgres({ dir: folder });
  return { url: local.url, source: `embedded, ${folder}`, close: () => local.stop() };
}

/** The stores, with the driver's own query for questions that only operators ask. */
export async function openDatabase(io: Io, needs: Exclude<Needs, 'any'> = 'schema') {
  const where = await openDatabaseUrl(io, needs);
  try {
    const certificates = operatorCheck(async () => (await openRing(io, db)).certifier, Date.now);
    const db = await createPrismaDatabase({ url: where.url, certificates });
    const close = async (): Promise<void> => {
      await db.close();
      await where.close();
    };
    return { db, url: where.url, close };
  } catch (error) {
    await where.close();
    throw error;
  }
}

/** The cluster of SOLANA_RPC_URL, else the local chain of the program that runs on LOCAL_DIR. */
export function openChain(config: Config) {
  const urls = chainUrls(config);
  return { chain: createRpcChain({ urls }), history: createRpcHistory({ urls }) };
}

/** The calls for each transaction of every wallet, within the budget on nodes of other machines. */
export function openWalkedChain(config: Config): {
  readonly chain: Chain;
  readonly history: ChainHistory;
} {
  const { chain, history } = openChain(config);
  const isOwn = chainUrls(config).every((url) => LOOPBACK.has(new URL(url).hostname));
  const budget = createCallBudget(config.auditRpcPerSecond ?? (isOwn ? null : RPC_PER_SECOND), {
    now: () => performance.now(),
    sleep: (ms) => pause(ms),
  });
  const taking =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await budget.take('live');
      return ask(...args);
    };
  return {
    chain: { ...chain, landed: taking((signature: string) => chain.landed(signature)) },
    history: {
      ...history,
      signatures: taking((...given: Parameters<typeof history.signatures>) => history.signatures(...given)),
      balances: taking((...given: Parameters<typeof history.balances>) => history.balances(...given)),
      wire: taking((...given: Parameters<typeof history.wire>) => history.wire(...given)),
    },
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const RPC_PER_SECOND = 10;

/** SOLANA_RPC_URL, else the node of the program that runs on LOCAL_DIR. Throws CONFIG_INVALID where there is neither. */
export function chainUrls(config: Config): readonly string[] {
  const local = readRunFile(config.local.dir)?.rpcUrl ?? null;
  const urls = config.rpcUrls ?? (local === null ? null : [local]);
  if (urls !== null) return urls;
  throw new AppError('CONFIG_INVALID', {
    problems: [
      'SOLANA_RPC_URL: missing, and no program runs on LOCAL_DIR. Set it, or run "npm start" beside this command.',
    ],
  });
}

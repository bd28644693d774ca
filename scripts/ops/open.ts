import { createRpcChain } from '../../src/adapters/chain/rpc-chain.ts';
import { createRpcHistory } from '../../src/adapters/chain/rpc-history.ts';
import { createPrismaDatabase } from '../../src/adapters/db/prisma-database.ts';
import type { Config } from '../../src/config.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { startLocalPostgres } from '../../src/local/postgres/index.ts';
import { readRunFile } from '../../src/local/run-file.ts';

/**
 * Where the database is: DATABASE_URL, else that of the program that runs on LOCAL_DIR, else its embedded Postgres, started for
 * the length of the command.
 */
export async function openDatabaseUrl(
  config: Config,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const known = config.databaseUrl ?? readRunFile(config.local.dir)?.databaseUrl ?? null;
  if (known !== null) return { url: known, close: async () => undefined };
  const local = await startLocalPostgres({ dir: `${config.local.dir}/postgres` });
  return { url: local.url, close: () => local.stop() };
}

/** The stores, with the driver's own query for what only operators ask. */
export async function openDatabase(config: Config) {
  const where = await openDatabaseUrl(config);
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

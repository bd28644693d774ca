import { aggregatorPrograms } from './adapters/aggregators/index.ts';
import { createAccountReader } from './adapters/chain/account-reader.ts';
import { createOwnTables } from './adapters/chain/own-tables.ts';
import { systemClock } from './adapters/clock/clock.ts';
import { randomIds } from './adapters/clock/ids.ts';
import { createLookupTableStore } from './adapters/db/lookup-table-store.ts';
import { createPrismaDatabase } from './adapters/db/prisma-database.ts';
import { createLogger } from './adapters/log/create-logger.ts';
import { openKeyHolder } from './adapters/open-key-holder.ts';
import { kekOptions, openKeyring } from './adapters/open-keyring.ts';
import { serveVault } from './adapters/signer/serve-vault.ts';
import type { Config } from './config.ts';
import { AppError } from './core/errors/app-error.ts';
import { VENUE_PROGRAMS } from './core/venues/index.ts';
import { serveProbes } from './serve-probes.ts';
import { createSigner } from './services/signer/create-signer.ts';

/** As for the other roles: no statement takes a tenth of it. */
const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * The signer in a process of its own: the master key, the database and a socket, and no web3.js, queue, Telegram or web server.
 * When it resolves, it answers. Throws KEK_UNAVAILABLE, DATABASE_UNREACHABLE, SECRET_UNREADABLE, CONFIG_INVALID, or what
 * `stopping` says when it is aborted meanwhile.
 */
export async function startSigner(
  config: Config,
  tell: (line: string) => void,
  stopping: AbortSignal,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { signerSocket: path, databaseUrl } = config;
  if (path === null || databaseUrl === null) {
    throw new AppError('CONFIG_INVALID', {
      problems: ['ROLES=signer needs SIGNER_SOCKET and DATABASE_URL.'],
    });
  }
  const root = createLogger(config.logLevel);
  const log = root.child({ module: 'signer' });
  const print = config.production ? (line: string): void => root.info({}, line) : tell;
  stopping.addEventListener('abort', () => print('Stopping…'), { once: true });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const probes = config.health === null ? null : await serveProbes({ ...config.health, now: Date.now });
    if (probes !== null) stops.push(probes.stop);
    const [current, ...older] = kekOptions(config);
    const keyring = await openKeyring(current, older);
    const db = await createPrismaDatabase({ url: databaseUrl, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    stops.push(() => db.close());
    stopping.throwIfAborted();
    const clock = systemClock();
    const chain = createAccountReader(config.rpcUrls ?? []);
    const keys = await openKeyHolder({
      keyring,
      db,
      venuePrograms: VENUE_PROGRAMS,
      aggregatorPrograms: aggregatorPrograms(config.aggregators),
      routerProgram: config.routerProgram,
      chain,
      lookupTables: createOwnTables({
        store: db.open(createLookupTableStore),
        chain,
        clock,
        log,
      }),
    });
    const ids = randomIds(() => clock.now());
    const server = await serveVault(createSigner({ ...keys, db, clock, ids, log }), { path, log });
    stops.push(server.stop);
    stopping.throwIfAborted();
    probes?.ready({ database: () => db.ping() });
    print(`Signer ready at ${path}`);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

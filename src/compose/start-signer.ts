import { hostname } from 'node:os';
import { VENUE_PROGRAMS } from '@tradepost/venues/forms';
import type { Config } from '../config/index.ts';
import { AppError } from '../core/errors/app-error.ts';
import { feesOf } from '../engine/fees/rules/fee-table.ts';
import { createLookupTableStore } from '../engine/lookup-tables/store.ts';
import { createCertificateRows } from '../engine/signing/store/certificate-rows.ts';
import { createKeyRegistry } from '../engine/signing/store/key-registry.ts';
import { createKeyRows } from '../engine/signing/store/key-rows.ts';
import { createSigningBooks } from '../engine/signing/store/signing-books.ts';
import { assertAdopted } from '../engine/signing/use/adopt-rows.ts';
import { createSigner } from '../engine/signing/use/create-signer.ts';
import { guardSigning } from '../engine/signing/use/guard-signing.ts';
import { createQuarantineStore } from '../engine/transactions/store/quarantine-store.ts';
import { guardRulesOf } from '../modules/guard/rules/guard-rules.ts';
import { assertBoundedRole } from '../modules/operations/rules/database-role.ts';
import { VERSION } from '../modules/operations/rules/version.ts';
import { createClockWatch } from '../modules/operations/use/clock-watch.ts';
import { MAINNET_GENESIS } from '../modules/tokens/rules/well-known.ts';
import { aggregatorPrograms } from '../platform/aggregators/index.ts';
import { createCertificateCheck, type LateCheck } from '../platform/certificate-check.ts';
import { createAccountReader } from '../platform/chain/account-reader.ts';
import { genesisOf } from '../platform/chain/nodes.ts';
import { createOwnTables } from '../platform/chain/own-tables.ts';
import { createSignatureChecks } from '../platform/chain/signature-checks.ts';
import { createWitness } from '../platform/chain/witness.ts';
import { pause, systemClock } from '../platform/clock/clock.ts';
import { comparedClock } from '../platform/clock/compared-clock.ts';
import { randomIds } from '../platform/clock/ids.ts';
import { createHeartbeat } from '../platform/db/heartbeat.ts';
import { readOwnRole } from '../platform/db/own-role.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../platform/db/prisma-database.ts';
import { watchStandbys } from '../platform/db/standby-watch.ts';
import { readTipRules } from '../platform/files/tip-rules.ts';
import type { OpenLogFile } from '../platform/journal/log-file.ts';
import { networkFile, readNetwork } from '../platform/journal/network-file.ts';
import { createLogger } from '../platform/log/create-logger.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { Vault } from '../platform/ports/vault.ts';
import type { Keyring } from '../platform/vault/kek.ts';
import { meetKey } from '../platform/vault/prove-key.ts';
import { openKeyHolder } from './open-key-holder.ts';
import { kekOptions, openKeyring } from './open-keyring.ts';
import { openSigning } from './open-signing.ts';
import { proveFolder } from './prove-folder.ts';
import { serveProbes } from './serve-probes.ts';
import { serveSigner } from './serve-signer.ts';

/** As for the other roles: no statement takes a tenth of it. */
const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * The signer in a process of its own: the master key, the database and a socket, and no web3.js, queue, Telegram or web server. When it
 * resolves, it answers. Throws KEK_UNAVAILABLE, DATABASE_UNREACHABLE, SECRET_UNREADABLE, CONFIG_INVALID, or the reason of `stopping` when
 * it is aborted meanwhile.
 */
export async function startSigner(
  config: Config,
  tell: (line: string) => void,
  stopping: AbortSignal,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { databaseUrl } = config;
  if (databaseUrl === null)
    throw new AppError('CONFIG_INVALID', { problems: ['ROLES=signer needs DATABASE_URL.'] });
  const root = createLogger(config.logLevel);
  const log = root.child({ module: 'signer' });
  const print = config.production ? (line: string): void => root.info({}, line) : tell;
  stopping.addEventListener('abort', () => print('Stopping…'), { once: true });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const probes =
      config.health === null
        ? null
        : await serveProbes({ ...config.health, steadyMs: () => performance.now() });
    if (probes !== null) stops.push(probes.stop);
    const [current, ...older] = kekOptions(config);
    const keyring = await openKeyring(current, older);
    const { db, certificates } = await openDatabase(databaseUrl, log);
    stops.push(() => db.close());
    await assertOwnRole(config, db);
    const standbys = await watchStandbys(db, config.standbys, { log, pause });
    stops.push(standbys.stop);
    stopping.throwIfAborted();
    const clock = comparedClock(systemClock(), () => performance.now());
    const { clocks, beat, stop: stopClocks } = await watchClocks(db, clock, root);
    stops.push(stopClocks);
    const assertSafe = (): void => {
      standbys.assertSafe();
      clocks.assertWell();
    };
    const open = async (openFile?: OpenLogFile) => {
      const opened = await openVault(config, { keyring, db, certificates, log, clock, openFile });
      return { ...opened, vault: guardSigning(opened.vault, assertSafe) };
    };
    const prove = (folder: string) => proveFolder(folder, { keyring, db });
    const server = await serveSigner(config, { open, prove, db, clock, log, stopping });
    stops.push(server.stop);
    stopping.throwIfAborted();
    probes?.ready({
      database: beat,
      standby: async () => standbys.assertSafe(),
      clock: async () => clocks.assertWell(),
    });
    print(server.greeting);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The database, whose rows of people and wallets are believed once `certificates` has the public key. */
async function openDatabase(url: string, log: Logger) {
  const certificates = createCertificateCheck((row) =>
    log.error(row, 'a person or a wallet was not certified by the signer, or changed since: nothing moves'),
  );
  const db = await createPrismaDatabase({ url, statementTimeoutMs: STATEMENT_TIMEOUT_MS, certificates });
  return { db, certificates };
}

/** See `assertBoundedRole`. The folder remembers the network; a node is asked once, at the first start. */
async function assertOwnRole(config: Config, { query }: Pick<PrismaDatabase, 'query'>): Promise<void> {
  const network = (await readNetwork(config.journalDir)) ?? (await genesisOf(config.rpcUrls ?? []));
  assertBoundedRole(await readOwnRole(query), network === MAINNET_GENESIS, config);
}

/** Compares this process's clock with the database's, which its heartbeat tells, until `stop`. */
async function watchClocks(db: PrismaDatabase, clock: ReturnType<typeof comparedClock>, root: Logger) {
  const beating = createHeartbeat(db.query, {
    id: randomIds(() => clock.now()).ulid(),
    roles: 'signer',
    version: VERSION,
    host: hostname(),
  });
  const clocks = createClockWatch({
    beat: beating.beat,
    chainTime: async () => null,
    now: () => clock.now(),
    pause,
    compared: clock.compared,
    log: root.child({ module: 'clocks' }),
  });
  await clocks.look().catch(() => undefined);
  const stopClocks = clocks.start();
  const stop = async (): Promise<void> => {
    await stopClocks();
    await beating.leave().catch(() => undefined);
  };
  return { clocks, beat: beating.beat, stop };
}

/** The programs and the tips that this configuration lets the policy sign for. */
const allowedBy = ({ aggregators, routerProgram, senders }: Config) => ({
  venuePrograms: VENUE_PROGRAMS,
  aggregatorPrograms: aggregatorPrograms(aggregators),
  routerProgram,
  tips: readTipRules(senders),
});

/** The signer over its keys, its database and its journal. */
async function openVault(
  config: Config,
  {
    keyring,
    db,
    certificates,
    log,
    clock,
    openFile,
  }: {
    readonly keyring: Keyring;
    readonly db: PrismaDatabase;
    readonly certificates: LateCheck;
    readonly log: Logger;
    readonly clock: Clock;
    readonly openFile?: OpenLogFile | undefined;
  },
): Promise<{ readonly vault: Vault; readonly stop: () => Promise<void> }> {
  const ids = randomIds(() => clock.now());
  const chain = createAccountReader(config.rpcUrls ?? []);
  const opened = await openKeyHolder({
    keyring,
    db,
    ...allowedBy(config),
    chain,
    lookupTables: createOwnTables({ store: db.open(createLookupTableStore), chain, clock, log }),
  });
  const guardRules = guardRulesOf(config, false);
  certificates.begin(opened.certifier.publicKey);
  await assertAdopted(createCertificateRows(db.query));
  await meetKey(keyring.current, createKeyRegistry(db.query), clock.now());
  const signing = await openSigning({
    folder: config.journalDir,
    keyring,
    keys: opened.keys,
    seals: opened.seals,
    certifier: opened.certifier,
    db,
    keyRows: createKeyRows(db.query),
    signingBooks: createSigningBooks(db.query),
    quarantines: createQuarantineStore(db.query),
    witness: createWitness(config.rpcUrls ?? [], { network: networkFile(config.journalDir) }),
    clock,
    ids,
    log,
    adopts: false,
    ...(openFile === undefined ? {} : { openFile }),
    guardRules,
  });
  const fees = feesOf(config.feeTable);
  const checks = { signatureChecks: createSignatureChecks() };
  const vault = createSigner({ ...opened, ...signing, ...checks, db, clock, ids, log, guardRules, fees });
  certificates.beginGuards(vault, signing.signing.guards);
  return { vault, stop: signing.stop };
}

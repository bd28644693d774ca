import { hostname } from 'node:os';
import { type Address, ROUTER_PROGRAM } from '@tradepost/solana';
import type { Launchpad } from '@tradepost/venues';
import { steadyOf } from '../core/time/elapsed.ts';
import { createLookupTableStore } from '../engine/lookup-tables/store.ts';
import type { TipRules } from '../engine/signing/rules/kind-policy.ts';
import type { MarketStore } from '../modules/market/store/market-store-port.ts';
import { createPoolCatalogue } from '../modules/market/store/pool-catalogue.ts';
import type { PoolCatalogue } from '../modules/market/store/pool-catalogue-port.ts';
import type { TrendingStore } from '../modules/market/store/trending-store-port.ts';
import type { OwnRole } from '../modules/operations/rules/database-role.ts';
import type { StandbyRules } from '../modules/operations/rules/replication.ts';
import { hubMints } from '../modules/tokens/rules/well-known.ts';
import type { TokenIndex } from '../modules/tokens/store-port.ts';
import type { WalletFlowStore } from '../modules/wallet-data/store-port.ts';
import { type AggregatorOptions, openAggregators } from '../platform/aggregators/index.ts';
import { createLinkTokens } from '../platform/api-keys/link-tokens.ts';
import { createPostgresDialogStore } from '../platform/cache/postgres-dialog-store.ts';
import { createRedisDialogStore } from '../platform/cache/redis-dialog-store.ts';
import { createBlockhashLooks } from '../platform/chain/blockhash-looks.ts';
import { createMessageCompiler } from '../platform/chain/compiler.ts';
import { type HotOptions, openHotAccounts, webSocketUrl } from '../platform/chain/hot/open-hot-accounts.ts';
import { createOwnTables } from '../platform/chain/own-tables.ts';
import { createPoolIndex } from '../platform/chain/pool-index.ts';
import { createProgramAccounts } from '../platform/chain/program-accounts.ts';
import { createProgramBuilds } from '../platform/chain/program-builds.ts';
import { createPrograms } from '../platform/chain/programs.ts';
import { createRpcChain, type RpcChain } from '../platform/chain/rpc-chain.ts';
import { createRpcHistory } from '../platform/chain/rpc-history.ts';
import { rpcMeter } from '../platform/chain/rpc-meter.ts';
import { openSenders } from '../platform/chain/senders/index.ts';
import { createSignatureChecks } from '../platform/chain/signature-checks.ts';
import { createTokenHolders } from '../platform/chain/token-holders.ts';
import { createTokenRecords } from '../platform/chain/token-records.ts';
import type { SourceChoice } from '../platform/chain/transaction-source/open-source.ts';
import { createWalletFeed } from '../platform/chain/wallet-feed.ts';
import { createWitness } from '../platform/chain/witness.ts';
import { pause, systemClock } from '../platform/clock/clock.ts';
import { type ComparedClock, comparedClock } from '../platform/clock/compared-clock.ts';
import { randomIds } from '../platform/clock/ids.ts';
import { createHeartbeat } from '../platform/db/heartbeat.ts';
import { readOwnRole } from '../platform/db/own-role.ts';
import { createPrismaDatabase } from '../platform/db/prisma-database.ts';
import { type StandbyWatch, watchStandbys } from '../platform/db/standby-watch.ts';
import { createQrPng } from '../platform/files/qr-png.ts';
import { readTipRules } from '../platform/files/tip-rules.ts';
import { networkFile } from '../platform/journal/network-file.ts';
import { createOutageWatch, type OutageWatch } from '../platform/log/outage-watch.ts';
import { createCharts } from '../platform/pictures/create-charts.ts';
import { createPictures } from '../platform/pictures/create-pictures.ts';
import { createRecoveryCodes } from '../platform/pin/recovery-codes.ts';
import type { Aggregator } from '../platform/ports/aggregator.ts';
import type { BlockhashLooks } from '../platform/ports/blockhash-looks.ts';
import type { CertificateCheck } from '../platform/ports/certificates.ts';
import type { MessageCompiler } from '../platform/ports/chain.ts';
import type { ChainHistory } from '../platform/ports/chain-history.ts';
import type { ChainWitness } from '../platform/ports/chain-witness.ts';
import type { Charts } from '../platform/ports/charts.ts';
import type { ChatSeals } from '../platform/ports/chat-seals.ts';
import type { DialogStore } from '../platform/ports/dialog-store.ts';
import type { Heartbeat } from '../platform/ports/heartbeat.ts';
import type { Ids } from '../platform/ports/ids.ts';
import type { JobQueue, JobRunner } from '../platform/ports/job-queue.ts';
import type { LaunchFeed } from '../platform/ports/launch-feed.ts';
import type { LinkTokens } from '../platform/ports/link-tokens.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { LookupTables } from '../platform/ports/lookup-tables.ts';
import type { MarketFeed } from '../platform/ports/market-feed.ts';
import type { MetadataStore } from '../platform/ports/metadata-store.ts';
import type { MintKeys } from '../platform/ports/mint-keys.ts';
import type { RecoveryCodes } from '../platform/ports/one-time-codes.ts';
import type { Pictures } from '../platform/ports/pictures.ts';
import type { PoolChanges } from '../platform/ports/pool-feed.ts';
import type { Deployment, ProgramBuilds } from '../platform/ports/program-builds.ts';
import type { Programs } from '../platform/ports/programs.ts';
import type { QrCodes } from '../platform/ports/qr-codes.ts';
import type { RpcMeter } from '../platform/ports/rpc-meter.ts';
import type { Sender, SenderSettings } from '../platform/ports/sender.ts';
import type { SignatureChecks } from '../platform/ports/signature-checks.ts';
import type { Database } from '../platform/ports/stores.ts';
import type { TapeStore } from '../platform/ports/tape-store.ts';
import type { TokenHolders } from '../platform/ports/token-holders.ts';
import type { TokenRecords } from '../platform/ports/token-records.ts';
import type { TransactionSource } from '../platform/ports/transaction-source.ts';
import type { Venue } from '../platform/ports/venue.ts';
import type { WalletFeed } from '../platform/ports/wallet-feed.ts';
import { createBullQueue } from '../platform/queue/bull-queue.ts';
import type { SealCheck } from '../platform/sealed-buttons.ts';
import { sealedDialogs } from '../platform/sealed-dialogs.ts';
import { openClickHouse } from '../platform/tape/clickhouse/open-clickhouse.ts';
import { openTape } from '../platform/tape/open-tape.ts';
import { createMintKeys } from '../platform/vault/mint-keys.ts';
import { openVenues } from '../platform/venues/index.ts';
import { openLaunchpads, type PadOptions } from '../platform/venues/launchpads.ts';
import {
  hasProgram,
  launchFeedOf,
  type MetadataOptions,
  openMetadata,
  type SourceWanted,
  sourceOf,
} from './open-sources.ts';
import { openStores } from './open-stores.ts';

export type AdapterOptions = {
  /** This process's roles and version, for its own row. */
  readonly process: { readonly roles: string; readonly version: string };
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** The seals of buttons and dialogues. */
  readonly chatSeals: ChatSeals;
  /** The check that proves the rows of people and wallets. */
  readonly certificates: CertificateCheck;
  readonly rpcUrls: readonly string[];
  /** Where the signer remembers the network of these nodes; null where the chain is this process's own. */
  readonly networkFolder: string | null;
  /** Pools that are followed by subscription; see `openHotAccounts`. */
  readonly hot: HotOptions;
  /** The place of the tape, and the indexer's source; `source` null = this process does not index. */
  readonly tape: {
    readonly databaseUrl: string;
    readonly clickHouseUrl: string | null;
    readonly source: SourceWanted | null;
  };
  /** The budget of the launch feed; null = this process reads no launches. */
  readonly launchFeed: (Omit<SourceChoice, 'source'> & Pick<SourceWanted, 'wsUrls'>) | null;
  readonly deskUrl: string | null;
  /** Whether holders of tokens may be counted. */
  readonly countsHolders: boolean;
  readonly pads: PadOptions;
  readonly metadata: MetadataOptions;
  readonly aggregators: AggregatorOptions;
  /** Ways beside the nodes. */
  readonly senders: SenderSettings;
  /** Whether routes may go through the public router program. */
  readonly routerProgram: boolean;
  /** The newest version of transactions that may be built; absent: 1. */
  readonly builtVersion?: 0 | 1;
  readonly log: Logger;
};

/** No statement of a bot, a host or a worker takes a tenth of it; a connection that is open on one side only ends by it. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** The world behind the ports, opened once per process. The keys are not in it: see `open-signer.ts`. */
export type Adapters = ReturnType<typeof openStores> & {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly runner: JobRunner;
  readonly dialogs: DialogStore;
  readonly chain: RpcChain;
  /** Counts the questions to the nodes behind `chain` and the venues. */
  readonly rpcMeter: RpcMeter;
  readonly history: ChainHistory;
  readonly walletFeed: WalletFeed;
  /** See `watchStandbys`. */
  readonly watchStandbys: (rules: StandbyRules) => Promise<StandbyWatch>;
  readonly heartbeat: Heartbeat;
  /** This process's role on the database server. */
  readonly ownRole: () => Promise<OwnRole>;
  readonly witness: ChainWitness;
  /** Ways to the leaders beside the nodes, and what they may be paid. */
  readonly senders: readonly Sender[];
  readonly tips: TipRules;
  readonly compiler: MessageCompiler;
  readonly programs: Programs;
  /** The operator's own. */
  readonly lookupTables: LookupTables;
  readonly venues: readonly Venue[];
  /** Null where no pool is followed. */
  readonly poolChanges: PoolChanges | null;
  /** Programs that the venues' swaps may call. */
  readonly venuePrograms: readonly Address[];
  readonly deployments: readonly Deployment[];
  /** Which builds of them the cluster runs. */
  readonly programBuilds: ProgramBuilds;
  /** True where the operator lets routes go through the public router program and the cluster has it. */
  readonly routerProgram: boolean;
  /** The known pools of the venues. */
  readonly catalogue: PoolCatalogue;
  /** Null where this process does not index. */
  readonly transactionSource: TransactionSource | null;
  readonly launchpads: readonly Launchpad[];
  /** Null where this process reads no launches. */
  readonly launchFeed: { readonly feed: LaunchFeed; readonly looksPerSecond: number | null } | null;
  /** Those that are switched on and whose programs the cluster has. */
  readonly aggregators: readonly Aggregator[];
  readonly mintKeys: MintKeys;
  readonly linkTokens: LinkTokens;
  readonly blockhashes: BlockhashLooks;
  readonly signatureChecks: SignatureChecks;
  /** Trades and bars, with connections of their own. */
  readonly tape: TapeStore;
  readonly markets: MarketStore;
  readonly marketFeed: MarketFeed;
  readonly tokenIndex: TokenIndex;
  readonly trending: TrendingStore;
  readonly walletFlows: WalletFlowStore;
  readonly metadata: MetadataStore;
  readonly pictures: Pictures;
  readonly records: TokenRecords;
  readonly holders: TokenHolders;
  readonly codes: RecoveryCodes;
  readonly qr: QrCodes;
  readonly charts: Charts;
  /** Whether the servers behind them answer. */
  readonly health: Readonly<Record<'database' | 'queue' | 'chain', () => Promise<unknown>>>;
  /** Tells the operator of an outage once, and of its end. */
  readonly outages: Pick<OutageWatch<'database' | 'queue' | 'chain'>, 'suspect'>;
  readonly clock: ComparedClock;
  readonly ids: Ids;
  readonly close: () => Promise<void>;
};

/**
 * Opens the database (migrating it), the queue and the ways to the chain. Throws DATABASE_UNREACHABLE, QUEUE_UNREACHABLE or
 * CHAIN_UNREACHABLE; all that it opened by then is closed again.
 */
export async function createAdapters(options: AdapterOptions): Promise<Adapters> {
  const clock = comparedClock(systemClock(), () => performance.now());
  const ids = randomIds(() => clock.now());
  const chat: SealCheck = {
    seals: options.chatSeals,
    onForged: (row) =>
      options.log.error(row, 'a row of the chat was not written by it, or changed since: it has no effect'),
  };
  const db = await createPrismaDatabase({
    url: options.databaseUrl,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    chat,
    certificates: options.certificates,
  });
  let outages: OutageWatch<keyof Adapters['health']> | null = null;
  try {
    const queue = await createBullQueue({
      ...(options.redisUrl === null ? { databaseUrl: options.databaseUrl } : { redisUrl: options.redisUrl }),
      onProblem: (problem) => {
        // While the server is away each of its errors says the same, several times a second.
        if (problem.kind === 'backend') outages?.suspect('queue', problem.error);
        else options.log.warn(problem, 'queue');
      },
    });
    const dialogRows =
      options.redisUrl === null
        ? { ...createPostgresDialogStore({ query: db.query }), close: async () => undefined }
        : await createRedisDialogStore({ redisUrl: options.redisUrl });
    const dialogs = sealedDialogs(dialogRows, chat);
    const tips = readTipRules(options.senders);
    const senders = openSenders({ ...options.senders, jitoAccounts: tips.accounts.jito ?? [] });
    const chain = createRpcChain({
      urls: options.rpcUrls,
      senders,
      builtVersion: options.builtVersion ?? 1,
      onSlot: (slot) => hotAccounts?.noteSlot(slot),
      onLanded: (slot) => hotAccounts?.noteLanded(slot),
      booked: (owner) => db.positions.bookedMints(owner),
    });
    const hotAccounts = openHotAccounts(options.hot, {
      rpcUrls: options.rpcUrls,
      chain,
      clock,
      log: options.log,
    });
    const programs = createPrograms();
    const catalogue = createPoolCatalogue(db);
    const lookupTables = createOwnTables({
      store: db.open(createLookupTableStore),
      chain,
      clock,
      log: options.log,
    });
    const { venues, venuePrograms, deployments } = await openVenues({
      chain,
      programs,
      deskUrl: options.deskUrl,
      programAccounts: createProgramAccounts({ urls: options.rpcUrls }),
      hubs: hubMints(true, null),
      poolIndex: createPoolIndex({
        store: catalogue,
        now: () => clock.now(),
        onProblem: (err) => options.log.warn({ err }, 'the pool catalogue did not answer'),
      }),
      ...(hotAccounts === null ? {} : { hotAccounts }),
      onRefusal: (pool, refusal) => options.log.debug({ pool, ...refusal }, 'pool left out'),
      onFailure: (venue, err, times) => options.log.warn({ venue, err, times }, 'venue left out of a quote'),
    });
    const aggregators = await openAggregators(options.aggregators, {
      chain,
      clock,
      onAbsent: (aggregator) =>
        options.log[options.aggregators.majorsAlone ? 'debug' : 'warn'](
          { aggregator },
          'aggregator left out: the cluster does not have its programs',
        ),
    });
    const tape = await openTape({
      url: options.tape.databaseUrl,
      clickHouse: openClickHouse(options.tape.clickHouseUrl),
    });
    const beating = createHeartbeat(db.query, { ...options.process, id: ids.ulid(), host: hostname() });
    // A write: a disk that is full, and a replica, answer every question.
    const health = { database: () => beating.beat(), queue: () => queue.ping(), chain: () => chain.epoch() };
    outages = createOutageWatch({ checks: health, log: options.log, steadyMs: steadyOf(clock), pause });
    const routerProgram = options.routerProgram && (await hasProgram(chain, ROUTER_PROGRAM));
    return {
      ...openStores(db),
      db,
      queue,
      runner: queue,
      dialogs,
      chain,
      senders,
      tips,
      rpcMeter,
      history: createRpcHistory({ urls: options.rpcUrls }),
      walletFeed: createWalletFeed({
        urls: options.rpcUrls,
        wsUrls: options.hot.wsUrls ?? options.rpcUrls.map(webSocketUrl),
      }),
      watchStandbys: (rules) => watchStandbys(db, rules, { log: options.log, pause }),
      ownRole: () => readOwnRole(db.query),
      witness: createWitness(options.rpcUrls, {
        network: options.networkFolder === null ? null : networkFile(options.networkFolder),
      }),
      compiler: createMessageCompiler(),
      programs,
      lookupTables,
      venues,
      poolChanges: hotAccounts,
      venuePrograms,
      deployments,
      programBuilds: createProgramBuilds({ urls: options.rpcUrls }),
      routerProgram,
      catalogue,
      ...tape,
      transactionSource: await sourceOf(options),
      launchpads: await openLaunchpads({ ...options, chain, programs }),
      launchFeed: await launchFeedOf(options, { chain, programs }),
      aggregators,
      mintKeys: createMintKeys(),
      linkTokens: createLinkTokens(),
      blockhashes: createBlockhashLooks(options.rpcUrls),
      signatureChecks: createSignatureChecks(),
      metadata: openMetadata(db, options.metadata),
      pictures: createPictures(),
      records: createTokenRecords(chain),
      holders: createTokenHolders({ urls: options.rpcUrls, counts: options.countsHolders }),
      codes: createRecoveryCodes(),
      qr: createQrPng(),
      charts: createCharts(clock),
      health,
      heartbeat: beating,
      outages,
      clock,
      ids,
      close: async () => {
        outages?.stop();
        await beating.leave().catch(() => undefined);
        hotAccounts?.close();
        await queue.close();
        await dialogs.close();
        await tape.tape.close();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

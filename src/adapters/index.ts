import type { Address } from '../core/address/address.ts';
import { ROUTER_PROGRAM } from '../core/address/programs.ts';
import type { Aggregator } from '../core/ports/aggregator.ts';
import type { ApiLimiter } from '../core/ports/api-limiter.ts';
import type { ApiUsageStore } from '../core/ports/api-usage-store.ts';
import type { Chain, MessageCompiler } from '../core/ports/chain.ts';
import type { ChainHistory } from '../core/ports/chain-history.ts';
import type { Charts } from '../core/ports/charts.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { DialogStore } from '../core/ports/dialog-store.ts';
import type { IdempotencyStore } from '../core/ports/idempotency-store.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { IndexerLeases } from '../core/ports/indexer-leases.ts';
import type { IpBlocks } from '../core/ports/ip-blocks.ts';
import type { JobQueue, JobRunner } from '../core/ports/job-queue.ts';
import type { Launchpad } from '../core/ports/launchpad.ts';
import type { LinkTokens } from '../core/ports/link-tokens.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { LookupTables } from '../core/ports/lookup-tables.ts';
import type { MarketFeed } from '../core/ports/market-feed.ts';
import type { MarketStore } from '../core/ports/market-store.ts';
import type { MetadataStore } from '../core/ports/metadata-store.ts';
import type { MintKeys } from '../core/ports/mint-keys.ts';
import type { RecoveryCodes } from '../core/ports/one-time-codes.ts';
import type { QuarantineStore } from '../core/ports/operations.ts';
import type { OrderFeedStore } from '../core/ports/order-feed-store.ts';
import type { Pictures } from '../core/ports/pictures.ts';
import type { PoolCatalogue } from '../core/ports/pool-catalogue.ts';
import type { Programs } from '../core/ports/programs.ts';
import type { QrCodes } from '../core/ports/qr-codes.ts';
import type { RetentionStore } from '../core/ports/retention-store.ts';
import type { RpcMeter } from '../core/ports/rpc-meter.ts';
import type { Database } from '../core/ports/stores.ts';
import type { TapeStore } from '../core/ports/tape-store.ts';
import type { TokenHolders } from '../core/ports/token-holders.ts';
import type { TokenIndex } from '../core/ports/token-index.ts';
import type { TokenRecords } from '../core/ports/token-records.ts';
import type { TransactionSource } from '../core/ports/transaction-source.ts';
import type { TrendingStore } from '../core/ports/trending-store.ts';
import type { Venue } from '../core/ports/venue.ts';
import type { WalletFeed } from '../core/ports/wallet-feed.ts';
import { type AggregatorOptions, openAggregators } from './aggregators/index.ts';
import { createLinkTokens } from './api-keys/link-tokens.ts';
import { createPostgresDialogStore } from './cache/postgres-dialog-store.ts';
import { createRedisDialogStore } from './cache/redis-dialog-store.ts';
import { createMessageCompiler } from './chain/compiler.ts';
import { type HotOptions, openHotAccounts, webSocketUrl } from './chain/hot/open-hot-accounts.ts';
import { createOwnTables } from './chain/own-tables.ts';
import { createPoolIndex } from './chain/pool-index.ts';
import { createProgramAccounts } from './chain/program-accounts.ts';
import { createPrograms } from './chain/programs.ts';
import { createRpcChain } from './chain/rpc-chain.ts';
import { createRpcHistory } from './chain/rpc-history.ts';
import { rpcMeter } from './chain/rpc-meter.ts';
import { createTokenHolders } from './chain/token-holders.ts';
import { createTokenRecords } from './chain/token-records.ts';
import { type GeyserServer, loadGeyser } from './chain/transaction-source/geyser/client.ts';
import { createGeyserSource } from './chain/transaction-source/geyser/create-geyser-source.ts';
import { openTransactionSource, type SourceChoice } from './chain/transaction-source/open-source.ts';
import { createWalletFeed } from './chain/wallet-feed.ts';
import { pause, systemClock } from './clock/clock.ts';
import { randomIds } from './clock/ids.ts';
import { createApiLimiter } from './db/api-limiter.ts';
import { createApiUsageStore } from './db/api-usage-store.ts';
import { createIdempotencyStore } from './db/idempotency-store.ts';
import { createIndexerLeases } from './db/indexer-leases.ts';
import { createIpBlocks } from './db/ip-blocks.ts';
import { createLookupTableStore } from './db/lookup-table-store.ts';
import { createMetadataFileStore } from './db/metadata-file-store.ts';
import { createOrderFeedStore } from './db/order-feed-store.ts';
import { createPoolCatalogue } from './db/pool-catalogue.ts';
import { createPrismaDatabase, type PrismaDatabase } from './db/prisma-database.ts';
import { createQuarantineStore } from './db/quarantine-store.ts';
import { createRetentionStore } from './db/retention-store.ts';
import { openClickHouse } from './db/tape/clickhouse/open-clickhouse.ts';
import { openTape } from './db/tape/open-tape.ts';
import { createQrPng } from './files/qr-png.ts';
import { createIpfsMetadataStore } from './ipfs/ipfs-metadata-store.ts';
import { createOutageWatch, type OutageWatch } from './log/outage-watch.ts';
import { createCharts } from './pictures/create-charts.ts';
import { createPictures } from './pictures/create-pictures.ts';
import { createRecoveryCodes } from './pin/recovery-codes.ts';
import { createBullQueue } from './queue/bull-queue.ts';
import { createMintKeys } from './vault/mint-keys.ts';
import { openVenues } from './venues/index.ts';
import { openLaunchpads, type PadOptions } from './venues/launchpads.ts';

export type AdapterOptions = {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly rpcUrls: readonly string[];
  /** Pools that are followed by subscription; see `openHotAccounts`. */
  readonly hot: HotOptions;
  /** Where the tape lies, and what the indexer reads from; `source` null = this process does not index. */
  readonly tape: {
    readonly databaseUrl: string;
    readonly clickHouseUrl: string | null;
    readonly source: SourceWanted | null;
  };
  readonly deskUrl: string | null;
  /** Whether holders of tokens may be counted. */
  readonly countsHolders: boolean;
  readonly pads: PadOptions;
  readonly metadata: MetadataOptions;
  readonly aggregators: AggregatorOptions;
  /** Whether routes may go through the public router program. */
  readonly routerProgram: boolean;
  readonly log: Logger;
};

type SourceWanted = SourceChoice & {
  readonly wsUrls: readonly string[] | null;
  readonly geyser: GeyserServer | null;
};

type MetadataOptions = {
  /** Asked at each file: an open host on any free port knows its address only once it listens. */
  readonly publicUrl: () => string | null;
  readonly picturesMaxBytes: number;
  readonly ipfs: Parameters<typeof createIpfsMetadataStore>[1] | null;
};

/** No statement of a bot, a host or a worker takes a tenth of it; a connection that is open on one side only ends by it. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** The world behind the ports, opened once per process. The keys are not in it: see `open-signer.ts`. */
export type Adapters = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly runner: JobRunner;
  readonly dialogs: DialogStore;
  readonly chain: Chain;
  /** Counts what is asked of the nodes behind `chain` and the venues. */
  readonly rpcMeter: RpcMeter;
  readonly history: ChainHistory;
  readonly walletFeed: WalletFeed;
  readonly quarantines: QuarantineStore;
  readonly compiler: MessageCompiler;
  readonly programs: Programs;
  /** The operator's own. */
  readonly lookupTables: LookupTables;
  readonly venues: readonly Venue[];
  /** Programs that the venues' swaps may call. */
  readonly venuePrograms: readonly Address[];
  /** True where the operator lets routes go through the public router program and the cluster has it. */
  readonly routerProgram: boolean;
  /** What is known of the venues' pools. */
  readonly catalogue: PoolCatalogue;
  readonly indexerLeases: IndexerLeases;
  readonly orderFeed: OrderFeedStore;
  /** Null where this process does not index. */
  readonly transactionSource: TransactionSource | null;
  readonly launchpads: readonly Launchpad[];
  /** Those that are switched on and whose programs the cluster has. */
  readonly aggregators: readonly Aggregator[];
  readonly mintKeys: MintKeys;
  readonly apiLimiter: ApiLimiter;
  readonly linkTokens: LinkTokens;
  readonly apiUsage: ApiUsageStore;
  readonly idempotency: IdempotencyStore;
  readonly retention: RetentionStore;
  /** Trades and bars, with connections of their own. */
  readonly tape: TapeStore;
  readonly markets: MarketStore;
  readonly marketFeed: MarketFeed;
  readonly tokenIndex: TokenIndex;
  readonly trending: TrendingStore;
  readonly ipBlocks: IpBlocks;
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
  readonly clock: Clock;
  readonly ids: Ids;
  readonly close: () => Promise<void>;
};

/**
 * Opens the database (migrating it), the queue and the ways to the chain. Throws DATABASE_UNREACHABLE, QUEUE_UNREACHABLE or
 * CHAIN_UNREACHABLE; what was opened by then is closed again.
 */
export async function createAdapters(options: AdapterOptions): Promise<Adapters> {
  const clock = systemClock();
  const ids = randomIds(() => clock.now());
  const db = await createPrismaDatabase({
    url: options.databaseUrl,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
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
    const dialogs =
      options.redisUrl === null
        ? { ...createPostgresDialogStore({ query: db.query }), close: async () => undefined }
        : await createRedisDialogStore({ redisUrl: options.redisUrl });
    const chain = createRpcChain({
      urls: options.rpcUrls,
      onSlot: (slot) => hotAccounts?.noteSlot(slot),
      onLanded: (slot) => hotAccounts?.noteLanded(slot),
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
    const { venues, venuePrograms } = await openVenues({
      chain,
      programs,
      deskUrl: options.deskUrl,
      programAccounts: createProgramAccounts({ urls: options.rpcUrls }),
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
        options.log.warn({ aggregator }, 'aggregator left out: the cluster does not have its programs'),
    });
    const tape = await openTape({
      url: options.tape.databaseUrl,
      clickHouse: openClickHouse(options.tape.clickHouseUrl),
    });
    const health = { database: () => db.ping(), queue: () => queue.ping(), chain: () => chain.epoch() };
    outages = createOutageWatch({ checks: health, log: options.log, now: () => clock.now(), pause });
    const routerProgram = options.routerProgram && (await hasProgram(chain, ROUTER_PROGRAM));
    return {
      db,
      queue,
      runner: queue,
      dialogs,
      chain,
      rpcMeter,
      history: createRpcHistory({ urls: options.rpcUrls }),
      walletFeed: createWalletFeed({
        urls: options.rpcUrls,
        wsUrls: options.hot.wsUrls ?? options.rpcUrls.map(webSocketUrl),
      }),
      quarantines: createQuarantineStore(db.query),
      compiler: createMessageCompiler(),
      programs,
      lookupTables,
      venues,
      venuePrograms,
      routerProgram,
      catalogue,
      ...tape,
      indexerLeases: createIndexerLeases({ query: db.query }),
      orderFeed: createOrderFeedStore({ query: db.query }),
      transactionSource: await sourceOf(options),
      launchpads: await openLaunchpads({ ...options, chain, programs }),
      aggregators,
      mintKeys: createMintKeys(),
      apiLimiter: createApiLimiter({ query: db.query }),
      linkTokens: createLinkTokens(),
      apiUsage: createApiUsageStore(db),
      idempotency: db.open(createIdempotencyStore),
      retention: createRetentionStore(db.query),
      ipBlocks: db.open(createIpBlocks),
      metadata: openMetadata(db, options.metadata),
      pictures: createPictures(),
      records: createTokenRecords(chain),
      holders: createTokenHolders({ urls: options.rpcUrls, counts: options.countsHolders }),
      codes: createRecoveryCodes(),
      qr: createQrPng(),
      charts: createCharts(clock),
      health,
      outages,
      clock,
      ids,
      close: async () => {
        outages?.stop();
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

async function sourceOf({
  tape: { source },
  rpcUrls,
  log,
}: AdapterOptions): Promise<TransactionSource | null> {
  if (source === null) return null;
  const proving = openTransactionSource(source, {
    urls: rpcUrls,
    wsUrls: source.wsUrls ?? rpcUrls.map(webSocketUrl),
  });
  if (source.geyser === null) return proving;
  return createGeyserSource(
    {
      server: source.geyser,
      open: await loadGeyser(),
      lost: (why) => log.warn({ why }, 'the geyser stream was lost and is opened again'),
    },
    proving,
  );
}

/** Asked once: a cluster without it costs no further call. Throws CHAIN_UNREACHABLE. */
async function hasProgram(chain: Pick<Chain, 'accounts'>, program: Address): Promise<boolean> {
  const { accounts } = await chain.accounts([program]);
  return accounts[0]?.executable === true;
}

/** Ours, and where a pinning service is configured its too; then links name the content and need no address of ours. */
function openMetadata(
  db: PrismaDatabase,
  { publicUrl, picturesMaxBytes: maxBytes, ipfs }: MetadataOptions,
): MetadataStore {
  const own = createMetadataFileStore(
    { query: db.query },
    { publicUrl: ipfs === null ? publicUrl : () => '', maxBytes },
  );
  return ipfs === null ? own : createIpfsMetadataStore(own, ipfs);
}

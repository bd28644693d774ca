import { createMessageCompiler } from '../../src/adapters/chain/compiler.ts';
import { createPrograms } from '../../src/adapters/chain/programs.ts';
import { createRpcChain } from '../../src/adapters/chain/rpc-chain.ts';
import { pause, systemClock } from '../../src/adapters/clock/clock.ts';
import { randomIds } from '../../src/adapters/clock/ids.ts';
import { createOrderFeedStore } from '../../src/adapters/db/order-feed-store.ts';
import { createPrismaDatabase } from '../../src/adapters/db/prisma-database.ts';
import { createBullQueue } from '../../src/adapters/queue/bull-queue.ts';
import { keyring } from '../../src/adapters/vault/kek.ts';
import { localKek } from '../../src/adapters/vault/local-kek.ts';
import { createMintKeys } from '../../src/adapters/vault/mint-keys.ts';
import { createVenues } from '../../src/adapters/venues/index.ts';
import { openLaunchpads } from '../../src/adapters/venues/launchpads.ts';
import { bps } from '../../src/core/amounts/bps.ts';
import { feesOf } from '../../src/core/fees/fee-table.ts';
import type { Pace } from '../../src/core/intents/pace.ts';
import { hubMints } from '../../src/core/tokens/well-known.ts';
import { createPlans, SETTLEMENTS } from '../../src/intents/index.ts';
import type { LaunchDeps } from '../../src/intents/launch/deps.ts';
import { createMetadataWay } from '../../src/services/mint/metadata-way.ts';
import { createFireMarket } from '../../src/services/orders/fire-market.ts';
import type { OrderDeps } from '../../src/services/orders/order-deps.ts';
import { createPoolQuarantine } from '../../src/services/trading/pool-quarantine.ts';
import type { TradeDeps } from '../../src/services/trading/trading-deps.ts';
import type { CreateIntentDeps } from '../../src/services/transactions/create-intent.ts';
import type { TransactionDeps } from '../../src/services/transactions/deps.ts';
import { createRehearse } from '../../src/services/transactions/rehearse-plan.ts';
import { createRelay } from '../../src/services/transactions/relay-outbox.ts';
import { ensureTreasury } from '../../src/services/treasury/ensure-treasury.ts';
import { createPlatformFee, createReceivableFee } from '../../src/services/treasury/platform-fee.ts';
import { type CrashPoint, withCrashPoints } from '../../test/support/chaos/crash-points.ts';
import { testSigner, WITHOUT_PIN } from '../../test/support/signer.ts';

/** Jobs that one worker runs at the same time: nearly the product's. More of them die half-done with each killed worker. */
export const PLACES_PER_WORKER = 16;
/** Of a creation and of a launch. */
const FEE_LAMPORTS = 1_000_000n;
/** No person's orders are stopped by a cap: what is tried here is that they fire, and once. */
const NO_CAP = 1_000_000_000_000_000n;

export type ProcessOptions = {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly rpcUrls: readonly string[];
  readonly deskUrl: string;
  /** 64 hexadecimal digits: the key of this run and of no other. */
  readonly kek: string;
  readonly slotMs: number;
  /** This process kills itself, hard, when it first reaches the point. */
  readonly crashAt: CrashPoint | null;
};

/** The money path on its real adapters, with times scaled to the slots of the chain. */
export async function composeProcess(options: ProcessOptions) {
  const db = await createPrismaDatabase({ url: options.databaseUrl, poolSize: 8 });
  const bull = await createBullQueue(
    options.redisUrl === null ? { databaseUrl: options.databaseUrl } : { redisUrl: options.redisUrl },
  );
  const clock = systemClock();
  const ids = randomIds(() => clock.now());
  const programs = createPrograms();
  // The real signer; who confirms here has no PIN to type.
  const ring = keyring(localKek(Buffer.from(options.kek, 'hex')));
  const vault = { ...testSigner({ db, clock }, { ring }), ...WITHOUT_PIN };
  const treasury = await ensureTreasury({ db, vault, clock, ids });
  const ports = withCrashPoints(
    {
      db,
      vault,
      queue: { add: (name, data, how) => bull.add(name, data, how) },
      chain: createRpcChain({ urls: options.rpcUrls, readTimeoutMs: 4_000, sendTimeoutMs: 4_000 }),
    },
    (point) => {
      if (point === options.crashAt) process.kill(process.pid, 'SIGKILL');
    },
  );
  const { chain } = ports;
  const venues = createVenues({ chain, programs, deskUrl: options.deskUrl });
  const relay = createRelay({ db: ports.db, queue: ports.queue, clock });
  const trade: TradeDeps = {
    maxStateAgeMs: 2_000,
    chain,
    venues,
    programs,
    clock,
    treasury: treasury.address,
    platformFee: createPlatformFee({
      discountBps: async () => bps(0),
      chain,
      clock,
      treasury: treasury.address,
      fees: feesOf(),
    }),
    wellKnown: [],
    hubs: hubMints(false, null),
    poolQuarantine: createPoolQuarantine({ clock, log: { warn: () => undefined } }),
  };
  const mintKeys = createMintKeys();
  const receivableFee = createReceivableFee({ chain, clock, treasury: treasury.address });
  const compiler = createMessageCompiler();
  const launch: LaunchDeps = {
    chain,
    programs,
    mintKeys,
    receivableFee,
    treasury: treasury.address,
    launchFeeLamports: () => FEE_LAMPORTS,
    launchpads: await openLaunchpads({
      chain,
      programs,
      deskUrl: options.deskUrl,
      pads: { meteoraDbcConfig: null, launchlabPlatform: null },
    }),
    // Links of the makers' own: nothing is stored.
    metadata: {
      locate: () => Promise.reject(new Error('torture stores no documents')),
      put: () => Promise.reject(new Error('torture stores no documents')),
    },
    rehearse: createRehearse({ chain, compiler, programs }),
  };
  const deps: TransactionDeps & CreateIntentDeps = {
    ...ports,
    vault: { ...vault, ...ports.vault },
    compiler,
    programs,
    clock,
    ids,
    plans: createPlans({
      chain,
      programs,
      trade,
      launch,
      mint: { chain, programs, mintKeys, treasury: treasury.address, receivableFee },
    }),
    settlements: SETTLEMENTS,
    treasury,
    fees: feesOf(),
    relay,
    log: { info: () => undefined, warn: () => undefined },
    pause,
    owner: ids.ulid(),
    pace: paceFor(options.slotMs),
  };
  const orders: OrderDeps = {
    ...deps,
    db: ports.db,
    trade,
    market: createFireMarket(trade),
    // Prices in SOL alone.
    solPrice: async () => null,
    guardRules: { delayMs: 0, dailyCapLamports: NO_CAP, spendCapLamports: NO_CAP },
    doubtToken: async () => [],
    autoSpendCapLamports: NO_CAP,
    ordersChanged: () => undefined,
  };
  return {
    deps,
    trade,
    launch,
    orders,
    orderFeed: createOrderFeedStore({ query: db.query }),
    /** What a quote of a creation needs. */
    mint: {
      ...launch,
      chain,
      wellKnown: [],
      createFeeLamports: () => FEE_LAMPORTS,
      metadataWay: createMetadataWay({ chain, clock }),
    },
    vault,
    treasury,
    runner: bull,
    queue: ports.queue,
    query: db.query,
    close: async () => {
      await bull.close();
      await db.close();
    },
  };
}

/** The production pace is made for slots of 400 ms. */
function paceFor(slotMs: number): Pace {
  const scaled = (ms: number): number => Math.ceil((ms * slotMs) / 400);
  return {
    observe: [
      [scaled(15_000), 250],
      [Number.POSITIVE_INFINITY, 1_000],
    ],
    untilFinalMs: Math.max(250, scaled(4_000)),
    rebroadcastMs: 1_000,
    probeAfterMs: scaled(20_000),
    retryMs: 300,
    receiptPatienceMs: { confirmed: 5_000, finalized: 600_000 },
  };
}

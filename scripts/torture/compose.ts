import { bps } from '../../src/core/amounts/bps.ts';
import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import { createPlatformFee, createReceivableFee } from '../../src/engine/fees/use/platform-fee.ts';
import { createPlans, SETTLEMENTS } from '../../src/engine/intents/kinds/index.ts';
import type { LaunchDeps } from '../../src/engine/intents/kinds/launch/deps.ts';
import { rulesOf } from '../../src/engine/intents/kinds/rules.ts';
import type { Pace } from '../../src/engine/intents/rules/pace.ts';
import type { CreateIntentDeps } from '../../src/engine/transactions/use/create-intent.ts';
import type { TransactionDeps } from '../../src/engine/transactions/use/deps.ts';
import { createRehearse } from '../../src/engine/transactions/use/rehearse-plan.ts';
import { createRelay } from '../../src/engine/transactions/use/relay-outbox.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { createMetadataWay } from '../../src/modules/mint/use/metadata-way.ts';
import { createOrderFeedStore } from '../../src/modules/orders/store/order-feed-store.ts';
import { createFireMarket } from '../../src/modules/orders/use/fire-market.ts';
import type { OrderDeps } from '../../src/modules/orders/use/order-deps.ts';
import { hubMints } from '../../src/modules/tokens/rules/well-known.ts';
import { createPoolQuarantine } from '../../src/modules/trading/use/pool-quarantine.ts';
import type { TradeDeps } from '../../src/modules/trading/use/trading-deps.ts';
import { createCertificateCheck } from '../../src/platform/certificate-check.ts';
import { createMessageCompiler } from '../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import { pause, systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { createPrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createBullQueue } from '../../src/platform/queue/bull-queue.ts';
import type { SignerPlace } from '../../src/platform/signer/dial.ts';
import { createSocketVault } from '../../src/platform/signer/socket-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { createMintKeys } from '../../src/platform/vault/mint-keys.ts';
import { createVenues } from '../../src/platform/venues/index.ts';
import { openLaunchpads } from '../../src/platform/venues/launchpads.ts';
import { type CrashPoint, withCrashPoints } from '../../test/support/chaos/crash-points.ts';
import { TEST_PIN } from '../../test/support/fakes/pins.ts';
import { testSigner, WITHOUT_PIN } from '../../test/support/signer.ts';
import { tortureEvents } from './events.ts';

/** Jobs that one worker runs at the same time: nearly the product's. More of them die half-done with each killed worker. */
export const PLACES_PER_WORKER = 16;
/** Of a creation and of a launch. */
const FEE_LAMPORTS = 1_000_000n;
/** A signer that was killed is back by then. */
const SIGNER_MS = 60_000;
/** No person's orders are stopped by a cap: this run tests that they fire, and once. */
const NO_CAP = 1_000_000_000_000_000n;

export type ProcessOptions = {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly rpcUrls: readonly string[];
  readonly deskUrl: string;
  /** 64 hexadecimal digits: the key of this run and of no other. */
  readonly kek: string;
  readonly slotMs: number;
  /** Where signers are that this process may ask; null: a signer in this process, without a journal of all. */
  readonly signer: readonly SignerPlace[] | null;
  /** This process kills itself, hard, when it first reaches the point. */
  readonly crashAt: CrashPoint | null;
};

/** The money path on its real adapters, with times scaled to the slots of the chain. */
export async function composeProcess(options: ProcessOptions) {
  const held = await openTheSigner(options);
  const db = await createPrismaDatabase({
    url: options.databaseUrl,
    poolSize: 8,
    ...(held === null ? {} : { certificates: held.certificates }),
  });
  const bull = await createBullQueue(
    options.redisUrl === null ? { databaseUrl: options.databaseUrl } : { redisUrl: options.redisUrl },
  );
  const clock = systemClock();
  const ids = randomIds(() => clock.now());
  const programs = createPrograms();
  const vault = held?.vault ?? ownSigner(options.kek, db, clock);
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
    vault: { ...vault, ...ports.vault },
    trade,
    market: createFireMarket(trade),
    events: tortureEvents({ trade, db: ports.db, query: db.query, rpcUrls: options.rpcUrls }),
    // Prices in SOL alone.
    solPrice: async () => null,
    guardRules: { ...LOCAL_RULES, delayMs: 0, dailyCapLamports: NO_CAP, spendCapLamports: NO_CAP },
    doubtToken: async () => [],
    usualPrice: async () => null,
    autoSpendCapLamports: NO_CAP,
    ordersChanged: () => undefined,
  };
  return {
    deps,
    trade,
    launch,
    orders,
    orderFeed: createOrderFeedStore({ query: db.query }),
    /** The needs of a creation's quote. */
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
      held?.close();
      await bull.close();
      await db.close();
    },
  };
}

/** The real signer in this process; who confirms here has no PIN to type. */
function ownSigner(kek: string, db: Database, clock: Clock): Vault {
  const ring = keyring(localKek(Buffer.from(kek, 'hex')));
  return { ...testSigner({ db, clock }, { ring }), confirm: WITHOUT_PIN.confirm };
}

/** The way to the signer's process, and the check of rows by its key. A person here types the PIN wherever it is asked for. */
async function openTheSigner({ signer }: Pick<ProcessOptions, 'signer'>) {
  if (signer === null) return null;
  const line = createSocketVault({ places: signer });
  await line.ready(SIGNER_MS);
  const certificates = createCertificateCheck(() => undefined);
  certificates.begin(await line.vault.certificateKey());
  certificates.beginGuards(line.vault);
  const vault: Vault = {
    ...line.vault,
    confirm: (request, _pin) =>
      line.vault.confirm(request, rulesOf(request.params.kind).confirmedBy === 'pin' ? TEST_PIN : null),
  };
  return { vault, certificates, close: line.close };
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

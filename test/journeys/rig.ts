import { createPerson, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import { createLinkTokens } from '../../src/adapters/api-keys/link-tokens.ts';
import { createMessageCompiler } from '../../src/adapters/chain/compiler.ts';
import { createPrograms } from '../../src/adapters/chain/programs.ts';
import { createRpcChain } from '../../src/adapters/chain/rpc-chain.ts';
import { createRpcHistory } from '../../src/adapters/chain/rpc-history.ts';
import { rpcMeter } from '../../src/adapters/chain/rpc-meter.ts';
import { createWalletFeed } from '../../src/adapters/chain/wallet-feed.ts';
import { pause, systemClock } from '../../src/adapters/clock/clock.ts';
import { randomIds } from '../../src/adapters/clock/ids.ts';
import { createQrPng } from '../../src/adapters/files/qr-png.ts';
import { createGameSeeds } from '../../src/adapters/games/game-seeds.ts';
import { createCharts } from '../../src/adapters/pictures/create-charts.ts';
import { createPictures } from '../../src/adapters/pictures/create-pictures.ts';
import { createArgon2Pins } from '../../src/adapters/pin/argon2-pins.ts';
import { createRecoveryCodes } from '../../src/adapters/pin/recovery-codes.ts';
import { keyring } from '../../src/adapters/vault/kek.ts';
import { localKek } from '../../src/adapters/vault/local-kek.ts';
import { createMintKeys } from '../../src/adapters/vault/mint-keys.ts';
import { createVenues } from '../../src/adapters/venues/index.ts';
import { openLaunchpads } from '../../src/adapters/venues/launchpads.ts';
import { type BotDeps, createBot } from '../../src/bot/bot.ts';
import { PERSON_LIMIT } from '../../src/bot/middleware/rate-limit.ts';
import type { Address } from '../../src/core/address/address.ts';
import { feesOf } from '../../src/core/fees/fee-table.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import type { JobName, JobQueue, Jobs } from '../../src/core/ports/job-queue.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { Pins } from '../../src/core/ports/pins.ts';
import type { Database } from '../../src/core/ports/stores.ts';
import type { Venue } from '../../src/core/ports/venue.ts';
import { hubMints } from '../../src/core/tokens/well-known.ts';
import type { User } from '../../src/core/users/user.ts';
import type { Wallet } from '../../src/core/wallets/wallet.ts';
import { startDeskChain } from '../../src/local/desk/index.ts';
import { showSecondFactor } from '../../src/services/guard/second-factor.ts';
import { createServices, type ServiceDeps } from '../../src/services/index.ts';
import { storePicture } from '../../src/services/metadata/store-picture.ts';
import { pausableVenues } from '../../src/services/switches/pausable.ts';
import { createSwitchBoard } from '../../src/services/switches/switch-board.ts';
import { ensureTreasury } from '../../src/services/treasury/ensure-treasury.ts';
import { jobHandlers } from '../../src/worker/create-worker.ts';
import { runWatch } from '../../src/worker/watch/run-watch.ts';
import { memoryDialogStore } from '../bot/support/memory-dialog-store.ts';
import { authenticator } from '../support/fakes/codes.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { memoryOrderFeed } from '../support/fakes/memory-orders.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { fakePoolCatalogue } from '../support/fakes/pool-catalogue.ts';
import { noRetention } from '../support/fakes/retention-store.ts';
import { fakeTokenData } from '../support/fakes/token-data.ts';
import { testSigner } from '../support/signer.ts';

/** The PIN of everybody here: its digits are searched for where they must not be. */
export const PIN = '739154';
const SLOT_MS = 20;
const SOL = 1_000_000_000n;

/** Journeys are about people: no tape is kept beside them. */
export const noTape = {
  moveMarketWindows: async () => undefined,
  keepTape: async () => undefined,
  indexTokens: async () => undefined,
  workOutTrending: async () => undefined,
};

/** The whole product but for Postgres: the real bot, services, worker and vault over a local Telegram and a local chain. */
export async function startJourneyRig(
  seed: string,
  options: {
    readonly delayMs?: number;
    readonly spendCapLamports?: bigint;
    readonly wrapPins?: (real: Pins) => Pins;
    readonly db?: Database;
    readonly clock?: Clock;
    readonly games?: boolean;
    readonly convert?: boolean;
    /** The speed limit stands aside, where what is judged is what it would have kept out. */
    readonly unlimited?: boolean;
    readonly keys?: Partial<ServiceDeps['keys']>;
    readonly loadChart?: BotDeps['loadChart'];
    readonly venues?: (made: readonly Venue[]) => readonly Venue[];
  } = {},
) {
  const telegram = await startLocalTelegram({});
  const local = await startDeskChain({ slotMs: SLOT_MS, seed, wsPort: null });
  const db = options.db ?? fakeDatabase();
  const dialogs = memoryDialogStore();
  const chain = createRpcChain({ urls: [local.rpcUrl] });
  const programs = createPrograms();
  const clock = options.clock ?? systemClock();
  const ids = randomIds(() => clock.now());
  const ring = keyring(localKek(new Uint8Array(32).fill(9)));
  const realPins = createArgon2Pins({ pepper: new Uint8Array(32).fill(5) });
  const pins = options.wrapPins?.(realPins) ?? realPins;
  const codes = createRecoveryCodes();
  const guardRules = {
    delayMs: options.delayMs ?? 0,
    dailyCapLamports: 5n * SOL,
    spendCapLamports: options.spendCapLamports ?? 5n * SOL,
  };
  const vault = testSigner({ db, clock }, { ring, pins, chain });
  const treasury = await ensureTreasury({ db, vault, clock, ids });
  await airdrop(local.rpcUrl, treasury.address, SOL);

  const metadata = fakeMetadataStore();
  const logged: string[] = [];
  const log = createListLogger(logged);
  const jobs = createInstantQueue();
  const board = createSwitchBoard({ flags: db.flags, clock, log });
  const venues = createVenues({ chain, programs, deskUrl: local.deskUrl });
  const usd = local.world.tokens.find(({ symbol }) => symbol === 'USDX' || symbol === 'USDC');
  const orderFeed = memoryOrderFeed();
  const services = createServices({
    maxStateAgeMs: 2_000,
    keys: {
      mailer: null,
      tokens: createLinkTokens(),
      secrets: null,
      keyMail: 'link',
      siteUrl: () => null,
      operators: new Set(),
      maxRate: 50,
      ...options.keys,
    },
    db,
    dialogs,
    queue: jobs.queue,
    chain,
    history: createRpcHistory({ urls: [local.rpcUrl] }),
    compiler: createMessageCompiler(),
    programs,
    venues: pausableVenues(options.venues?.(venues) ?? venues, board),
    catalogue: fakePoolCatalogue(),
    rpcMeter,
    vault,
    mintKeys: createMintKeys(),
    metadata,
    retention: noRetention,
    codes,
    gameSeeds: createGameSeeds(new Uint8Array(32).fill(3)),
    guardRules,
    maxWallets: 3,
    clock,
    ids,
    log,
    pause,
    owner: 'journey',
    treasury,
    fees: feesOf(),
    launchpads: await openLaunchpads({
      chain,
      programs,
      deskUrl: local.deskUrl,
      pads: { meteoraDbcConfig: null, launchlabPlatform: null },
    }),
    referralRequiredFor: new Set(['create', 'launch'] as const),
    payoutMinLamports: 0n,
    usdMint: (usd?.mint ?? null) as Address | null,
    wellKnown: [],
    autoSpendCapLamports: 10n * SOL,
    ordersPerSecond: 50,
    orderFeed,
    walletFeed: createWalletFeed({ urls: [local.rpcUrl], wsUrls: [] }),
    seededMints: local.world.tokens.map(({ mint }) => mint as Address),
    hubs: hubMints(false, (usd?.mint ?? null) as Address | null),
  });

  const botDeps: BotDeps = {
    db,
    dialogs,
    chain,
    vault,
    qr: createQrPng(),
    clock,
    ids,
    log,
    nudge: () => services.relay.nudge(),
    solPrice: services.solPrice,
    tokens: fakeTokenData(),
    charts: createCharts(clock),
    loadChart: options.loadChart ?? (async () => null),
    trade: services.trade,
    orders: services.orders,
    alerts: services.alerts,
    withdrawals: services.withdrawals,
    guard: services.guard,
    backups: services.backups,
    mint: services.mint,
    launch: services.launch,
    games: services.games,
    convert: services.convert,
    positions: services.positions,
    emptyAccounts: services.emptyAccounts,
    keyReview: services.keyReview,
    roundUrl: (id) => `https://desk.example/games/${id}`,
    storePicture: (bytes) => storePicture({ pictures: createPictures(), metadata }, bytes),
    secondFactorUrl: (token) => `https://desk.example/second-factor/${token}`,
    passportUrl: (mint) => `https://desk.example/token/${mint}`,
    faucet: (to, lamports) => airdrop(local.rpcUrl, to, lamports),
    options: {
      token: telegram.token,
      apiRoot: telegram.botApiUrl,
      name: 'Tradepost',
      transport: { mode: 'polling' },
      maxWallets: 3,
      fees: feesOf(),
      referralRequiredFor: new Set(['create', 'launch'] as const),
      codeNeedsVoucher: false,
      games: options.games ?? false,
      convert: options.convert ?? false,
      payoutMinLamports: 0n,
      explorerUrl: 'http://127.0.0.1/tx/{signature}',
      sourceUrl: 'https://example.org/source',
      // As in production, on a clock of its own: people here act at most once a second of it, except in a burst.
      rateLimit: {
        ...PERSON_LIMIT,
        ...(options.unlimited === true ? { updates: 10_000 } : {}),
        now: () => limiterNow,
      },
    },
  };
  let bot = createBot(botDeps);
  await bot.start();

  const deliver = services.createDeliverNotice({
    deliver: (told) => bot.notifier.deliver(told),
  });
  jobs.start(jobHandlers({ services: { ...services, ...noTape, deliverNotice: deliver }, log }));
  const watching = runWatch(services.watch, log);
  const ordering = runWatch(services.watchOrders, log);
  const alerting = runWatch(services.watchAlerts, log);

  let nextPerson = 7_000;
  let limiterNow = 0;
  let isBurst = false;
  const paced = (person: Person): Person => {
    const slowly =
      <A extends readonly unknown[]>(act: (...given: A) => Promise<void>) =>
      (...given: A): Promise<void> => {
        if (!isBurst) limiterNow += 1_000;
        return act(...given);
      };
    return {
      ...person,
      say: slowly(person.say),
      tap: slowly(person.tap),
      start: slowly(person.start),
      follow: slowly(person.follow),
      sendPhoto: slowly(person.sendPhoto),
    };
  };
  const recoveryCodes = new Map<Person, string[]>();
  return {
    telegram,
    local,
    chain,
    db,
    dialogs,
    treasury,
    logged,
    log,
    queue: jobs.queue,
    services,
    deliverNotice: deliver,
    board,
    codes,
    vault,
    clock,
    ids,
    botDeps,
    pause,
    /** Highs that trailing stops follow, as they are kept. */
    peaks: (mints: readonly Address[]) => orderFeed.peaks(mints),
    options: botDeps.options,
    token(symbol: string) {
      const token = local.world.tokens.find((one) => one.symbol === symbol);
      if (token === undefined) {
        throw new Error(`no ${symbol}; there are ${local.world.tokens.map((one) => one.symbol).join(' ')}`);
      }
      return token;
    },
    /** Two seconds pass on the limiter's clock. */
    breathe(): void {
      limiterNow += PERSON_LIMIT.windowMs;
    },
    /** While `work` runs the limiter's clock stands still: what people do in it comes at once. */
    async burst(work: () => Promise<unknown>): Promise<void> {
      this.breathe();
      isBurst = true;
      try {
        await work();
      } finally {
        isBurst = false;
      }
    },
    async person(name: string, language?: string): Promise<Person> {
      nextPerson += 1;
      const person = await createPerson({
        core: telegram.core,
        user: {
          id: nextPerson,
          first_name: name,
          ...(language === undefined ? {} : { language_code: language }),
        },
      });
      return paced(person);
    },
    async user(person: Person): Promise<User> {
      const user = await db.users.findByTelegramId(BigInt(person.user.id));
      if (user === null) throw new Error('not known to the bot');
      return user;
    },
    async wallets(person: Person): Promise<readonly Wallet[]> {
      return db.wallets.listByUser((await this.user(person)).id);
    },
    /** A person who pressed START and created a wallet, with so many SOL in it. */
    async trader(name: string, sol = 0n, startPayload?: string): Promise<{ person: Person; wallet: Wallet }> {
      const person = await this.person(name);
      await person.start(startPayload);
      await person.waitFor(/Welcome/);
      await person.tap('Create Deposit Wallet');
      await person.waitFor(/deposit wallet is ready/);
      const [wallet] = await this.wallets(person);
      if (wallet === undefined) throw new Error('no wallet');
      if (sol > 0n) await this.fund(wallet.address, sol * SOL);
      return { person, wallet };
    },
    /** On the screen that shows a withdrawal in full: sets the PIN when there is none, and types it. */
    async confirmWithPin(person: Person): Promise<void> {
      if (/Set a PIN first/.test((await person.lastMessage())?.text ?? '')) {
        await person.tap('Set a PIN');
        await person.waitFor(/Type a new PIN/);
        await person.say(PIN);
        await person.waitFor(/once more/);
        await person.say(PIN);
        await person.waitFor(/Type your PIN/);
      }
      const recovery = recoveryCodes.get(person)?.pop();
      await person.say(recovery === undefined ? PIN : `${PIN} ${recovery}`);
    },
    /** Gives a person a PIN and an authenticator; `confirmWithPin` uses up its recovery codes. */
    async addAuthenticator(person: Person): Promise<void> {
      const { id: userId } = await this.user(person);
      const hash = await services.guard.hashPin({ userId, pin: PIN });
      await services.guard.setPin({ userId, hash, again: PIN, replaces: null });
      const { token } = await services.guard.beginSecondFactor({ userId, pin: PIN });
      const shown = await showSecondFactor({ db, vault, codes, clock }, token);
      const code = authenticator(shown?.uri ?? '', clock.now());
      await services.guard.confirmSecondFactor({ userId, code });
      recoveryCodes.set(person, [...(shown?.codes ?? [])]);
    },
    async fund(to: Address, lamports: bigint): Promise<void> {
      await airdrop(local.rpcUrl, to, lamports);
      await until(async () => (await chain.balance(to)) >= lamports);
    },
    async intents(person: Person): Promise<readonly Intent[]> {
      return db.intents.listByUser((await this.user(person)).id, { limit: 50 });
    },
    /** Ends the bot and starts another object on the same records, as a new process would. */
    async restartBot(change: Partial<BotDeps> = {}): Promise<void> {
      await bot.stop();
      bot = createBot({ ...botDeps, ...change });
      await bot.start();
    },
    async stop(): Promise<void> {
      await bot.stop();
      await jobs.stop();
      await ordering.stop();
      await alerting.stop();
      await watching.stop();
      await telegram.stop();
      await local.stop();
    },
  };
}

export type JourneyRig = Awaited<ReturnType<typeof startJourneyRig>>;

async function airdrop(rpcUrl: string, to: Address, lamports: bigint): Promise<void> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [to, Number(lamports)] }),
  });
  if (!response.ok) throw new Error(`airdrop: ${response.status}`);
}

export async function until<T>(ask: () => Promise<T>): Promise<Exclude<T, null | false | undefined>> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer as Exclude<T, null | false | undefined>;
    await pause(10);
  }
}

/** Jobs run in this process as soon as they are due. */
function createInstantQueue() {
  let handlers: ReturnType<typeof jobHandlers> | null = null;
  let stopped = false;
  const running = new Set<Promise<void>>();
  const added: (() => Promise<void>)[] = [];
  // A job must not start in the context of the transaction that relays it.
  const pump = setInterval(() => {
    for (const start of added.splice(0)) {
      const job = start().finally(() => running.delete(job));
      running.add(job);
    }
  }, 2);
  async function run<N extends JobName>(name: N, data: Jobs[N], delayMs: number): Promise<void> {
    let wait = delayMs;
    for (;;) {
      if (wait > 0) await pause(Math.min(wait, 200));
      if (stopped || handlers === null) return;
      const result = await handlers[name](data).catch(() => ({ kind: 'again' as const, afterMs: 50 }));
      if (result.kind === 'done') return;
      wait = result.afterMs;
    }
  }
  const queue: JobQueue = {
    add: async (name, data, { delayMs = 0 }) => void added.push(() => run(name, data, delayMs)),
  };
  return {
    queue,
    start: (given: ReturnType<typeof jobHandlers>) => {
      handlers = given;
    },
    stop: async () => {
      stopped = true;
      clearInterval(pump);
      await Promise.allSettled(running);
    },
  };
}

function createListLogger(lines: string[]): Logger {
  const write = (level: string) => (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    lines.push(
      `${level} ${message} ${JSON.stringify(fields, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))} ${err instanceof Error ? err.stack : ''}`,
    );
  };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  };
  return logger;
}

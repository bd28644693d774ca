import { createPerson, type Person, startLocalTelegram } from '@tradepost/local-telegram';
import type { Address } from '@tradepost/solana';
import { type BotDeps, createBot } from '../../src/compose/bot.ts';
import { jobHandlers } from '../../src/compose/create-worker.ts';
import { createServices } from '../../src/compose/services.ts';
import type { World } from '../../src/compose/world.ts';
import { feesOf } from '../../src/engine/fees/rules/fee-table.ts';
import { ensureTreasury } from '../../src/engine/fees/use/ensure-treasury.ts';
import type { Intent } from '../../src/engine/intents/rules/intent.ts';
import { pausableVenues } from '../../src/engine/switches/use/pausable.ts';
import { createSwitchBoard } from '../../src/engine/switches/use/switch-board.ts';
import { runWatch } from '../../src/engine/watch/jobs.ts';
import { startDeskChain } from '../../src/local/desk/index.ts';
import { NOTICE_LETTERS } from '../../src/modules/guard/chat/mail-letters.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { showSecondFactor } from '../../src/modules/guard/use/second-factor.ts';
import { storePicture } from '../../src/modules/mint/use/store-picture.ts';
import type { User } from '../../src/modules/settings/rules/user.ts';
import { hubMints } from '../../src/modules/tokens/rules/well-known.ts';
import type { OwnLanding } from '../../src/modules/trading/rules/landings.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { createLinkTokens } from '../../src/platform/api-keys/link-tokens.ts';
import { createBlockhashLooks } from '../../src/platform/chain/blockhash-looks.ts';
import { createMessageCompiler } from '../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import { rpcMeter } from '../../src/platform/chain/rpc-meter.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { createWalletFeed } from '../../src/platform/chain/wallet-feed.ts';
import { pause, systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { createQrPng } from '../../src/platform/files/qr-png.ts';
import { createGameSeeds } from '../../src/platform/games/game-seeds.ts';
import { createCharts } from '../../src/platform/pictures/create-charts.ts';
import { createPictures } from '../../src/platform/pictures/create-pictures.ts';
import { createArgon2Pins } from '../../src/platform/pin/argon2-pins.ts';
import { createRecoveryCodes } from '../../src/platform/pin/recovery-codes.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import type { JobName, JobQueue, Jobs } from '../../src/platform/ports/job-queue.ts';
import type { Logger } from '../../src/platform/ports/logger.ts';
import type { Pins } from '../../src/platform/ports/pins.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { Venue } from '../../src/platform/ports/venue.ts';
import { PERSON_LIMIT } from '../../src/platform/telegram/middleware/rate-limit.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { createMintKeys } from '../../src/platform/vault/mint-keys.ts';
import { createVenues } from '../../src/platform/venues/index.ts';
import { openLaunchpads } from '../../src/platform/venues/launchpads.ts';
import { createWebhookSender } from '../../src/platform/webhooks/webhook-sender.ts';
import { memoryDialogStore } from '../support/chat/memory-dialog-store.ts';
import { authenticator } from '../support/fakes/codes.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { memoryOrderFeed } from '../support/fakes/memory-orders.ts';
import { memoryVerdicts } from '../support/fakes/memory-verdicts.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { fakePoolCatalogue } from '../support/fakes/pool-catalogue.ts';
import { noRetention } from '../support/fakes/retention-store.ts';
import { fakeSubmissionStore } from '../support/fakes/submission-store.ts';
import { fakeTokenData } from '../support/fakes/token-data.ts';
import { fakeWebhookStore } from '../support/fakes/webhook-store.ts';
import { sendersOf, tipAccountsOf } from '../support/local-senders.ts';
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
    readonly longDelayMs?: number;
    readonly spendCapLamports?: bigint;
    /** Of all spending of a person's day; 50 SOL unless set. */
    readonly allSpendingLamports?: bigint;
    /** The chain's own stand-ins of paid senders are configured. */
    readonly senders?: true;
    readonly wrapPins?: (real: Pins) => Pins;
    readonly db?: Database;
    readonly clock?: Clock;
    readonly games?: boolean;
    readonly convert?: boolean;
    /** The speed limit stands aside, where what is judged is what it would have kept out. */
    readonly unlimited?: boolean;
    readonly keys?: Partial<World['keys']>;
    readonly loadChart?: BotDeps['loadChart'];
    readonly launchReads?: Partial<BotDeps['launchReads']>;
    readonly venues?: (made: readonly Venue[]) => readonly Venue[];
    readonly tape?: Partial<World['tape']>;
    readonly markets?: World['markets'];
    /** The desk's own landings; empty unless a test adds some. */
    readonly landings?: readonly OwnLanding[];
    /** Slots from the quote to the block, of the desk's own trades; empty unless a test adds some. */
    readonly landingSlots?: readonly number[];
  } = {},
) {
  const telegram = await startLocalTelegram({});
  const local = await startDeskChain({ slotMs: SLOT_MS, seed, wsPort: null });
  const db = options.db ?? fakeDatabase();
  const dialogs = memoryDialogStore();
  const senders = options.senders === true ? await sendersOf(local.rpcUrl) : [];
  const tips = { accounts: tipAccountsOf(senders), capLamports: 5_000_000n };
  const chain = createRpcChain({ urls: [local.rpcUrl], senders });
  const programs = createPrograms();
  const clock = options.clock ?? systemClock();
  const ids = randomIds(() => clock.now());
  const ring = keyring(localKek(new Uint8Array(32).fill(9)));
  const realPins = createArgon2Pins({ pepper: new Uint8Array(32).fill(5) });
  const pins = options.wrapPins?.(realPins) ?? realPins;
  const codes = createRecoveryCodes();
  const guardRules = {
    ...LOCAL_RULES,
    delayMs: options.delayMs ?? 0,
    longDelayMs: options.longDelayMs ?? 0,
    dailyCapLamports: 5n * SOL,
    spendCapLamports: options.spendCapLamports ?? 5n * SOL,
    ...(options.allSpendingLamports === undefined
      ? {}
      : { allSpendingLamports: options.allSpendingLamports }),
  };
  const vault = testSigner({ db, clock }, { ring, pins, chain, guardRules, tips });
  const treasury = await ensureTreasury({ db, vault, clock, ids });
  await airdrop(local.rpcUrl, treasury.address, SOL);

  const metadata = fakeMetadataStore();
  const logged: string[] = [];
  const log = createListLogger(logged);
  const jobs = createInstantQueue(clock);
  const board = createSwitchBoard({ flags: db.flags, clock, log });
  const venues = createVenues({ chain, programs, deskUrl: local.deskUrl });
  const usd = local.world.tokens.find(({ symbol }) => symbol === 'USDX' || symbol === 'USDC');
  const orderFeed = memoryOrderFeed();
  const services = createServices({
    signatureChecks: createSignatureChecks(),
    maxStateAgeMs: 2_000,
    senders,
    tips,
    keys: {
      mailer: null,
      tokens: createLinkTokens(),
      secrets: null,
      keyMail: 'link',
      siteUrl: () => null,
      operators: new Set(),
      maxRate: 50,
      letters: NOTICE_LETTERS,
      ...options.keys,
    },
    db,
    dialogs,
    queue: jobs.queue,
    chain,
    // No trades are recorded here, unless a test gives them.
    tape: {
      candlesOf: async () => new Map(),
      cursor: async () => null,
      firstTradeBefore: async () => null,
      trades: async () => [],
      tradesAfter: async () => [],
      ...options.tape,
    },
    markets: options.markets ?? { ofMint: async () => [] },
    history: createRpcHistory({ urls: [local.rpcUrl] }),
    compiler: createMessageCompiler(),
    programs,
    venues: pausableVenues(options.venues?.(venues) ?? venues, board),
    catalogue: fakePoolCatalogue(),
    deployments: [],
    verdicts: memoryVerdicts(
      () => [],
      () => options.landings ?? [],
      () => options.landingSlots ?? [],
    ),
    programBuilds: { deployedAt: async () => [], read: async () => null },
    rpcMeter,
    vault,
    mintKeys: createMintKeys(),
    metadata,
    submissions: fakeSubmissionStore(),
    webhooks: fakeWebhookStore(),
    webhookSender: createWebhookSender({ allowsLoopback: true }),
    blockhashes: createBlockhashLooks([local.rpcUrl]),
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
    copyTrading: true,
    personalKeysHost: 'desk.example',
    ordersPerSecond: 50,
    orderFeed,
    walletFeed: createWalletFeed({ urls: [local.rpcUrl], wsUrls: [] }),
    seededMints: local.world.tokens.map(({ mint }) => mint as Address),
    hubs: hubMints(false, (usd?.mint ?? null) as Address | null),
  });

  const botDeps: BotDeps = {
    ...services,
    db,
    dialogs,
    chain,
    vault,
    qr: createQrPng(),
    clock,
    ids,
    log,
    nudge: () => services.relay.nudge(),
    tokens: fakeTokenData(),
    charts: createCharts(clock),
    loadChart: options.loadChart ?? (async () => null),
    launchReads: {
      tape: { trades: async () => [], cursor: async () => null },
      markets: { ofMint: async () => [] },
      history: createRpcHistory({ urls: [local.rpcUrl] }),
      ...options.launchReads,
    },
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
      payoutsLamports: 5_000_000_000n,
      explorerUrl: 'http://127.0.0.1/tx/{signature}',
      sourceUrl: 'https://example.org/source',
      // As in production, on a clock of its own: people here act at most once a second of it, except in a burst.
      rateLimit: {
        ...PERSON_LIMIT,
        ...(options.unlimited === true ? { updates: 10_000 } : {}),
        steadyMs: () => limiterNow,
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
  const ordering = runWatch(services.watches.orders, log);
  const alerting = runWatch(services.watches.alerts, log);

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
      send: slowly(person.send),
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
function createInstantQueue(clock: Clock) {
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
    // By the product's clock, which a journey may set ahead by a day.
    for (const dueAt = clock.now() + delayMs; clock.now() < dueAt && !stopped; ) {
      await pause(Math.min(dueAt - clock.now(), 50));
    }
    let wait = 0;
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

import type { Config } from '../config/index.ts';
import { type Address, address } from '../core/address/address.ts';
import { WSOL_MINT } from '../core/address/programs.ts';
import { LAMPORTS_PER_SOL } from '../core/amounts/lamports.ts';
import { markOf, steadyOf } from '../core/time/elapsed.ts';
import { runBeat } from '../core/time/run-beat.ts';
import { feesOf } from '../engine/fees/rules/fee-table.ts';
import { awaitTreasury, ensureTreasury } from '../engine/fees/use/ensure-treasury.ts';
import { guardSigning } from '../engine/signing/use/guard-signing.ts';
import { pausableAggregators, pausableVenues } from '../engine/switches/use/pausable.ts';
import { createSwitchBoard, type SwitchBoard } from '../engine/switches/use/switch-board.ts';
import { runWatch as beginWatch } from '../engine/watch/jobs.ts';
import { createFollowWatch } from '../modules/follows/use/watch-follows.ts';
import { SECOND_FACTOR_PATH } from '../modules/guard/api/serve-second-factor.ts';
import { NOTICE_LETTERS, stopPageWords } from '../modules/guard/chat/mail-letters.ts';
import { guardRulesOf } from '../modules/guard/rules/guard-rules.ts';
import { showSecondFactor } from '../modules/guard/use/second-factor.ts';
import { createTokenAge } from '../modules/guard/use/token-age.ts';
import { checkApiKey } from '../modules/keys/use/check-api-key.ts';
import { createUsageCounter } from '../modules/keys/use/count-usage.ts';
import { createKeyCache } from '../modules/keys/use/key-cache.ts';
import { createKeyDesk, type KeyDeskDeps } from '../modules/keys/use/key-desk.ts';
import { launchProgress } from '../modules/launch/use/launch-progress.ts';
import { launchPasses } from '../modules/launches/use/launch-figures.ts';
import { createLaunchNews } from '../modules/launches/use/tell-launches.ts';
import { createLaunchWatch } from '../modules/launches/use/watch-launches.ts';
import { indexTokens } from '../modules/market/use/index-tokens.ts';
import { keepTape, moveMarketWindows } from '../modules/market/use/keep-tape.ts';
import { loadChart } from '../modules/market/use/load-chart.ts';
import { createUsdPrices } from '../modules/market/use/load-usd-prices.ts';
import { createMarketData } from '../modules/market/use/market-data.ts';
import { createTokenData } from '../modules/market/use/token-data.ts';
import { createTradeStream } from '../modules/market/use/trade-stream.ts';
import { createTrending, type TrendingDeps } from '../modules/market/use/work-out-trending.ts';
import { buildToken } from '../modules/mint/use/build-token.ts';
import { createMetadataWay } from '../modules/mint/use/metadata-way.ts';
import { storePicture } from '../modules/mint/use/store-picture.ts';
import { assertBoundedRole } from '../modules/operations/rules/database-role.ts';
import { createPartsCheck, type PartChecks } from '../modules/operations/use/ask-parts.ts';
import { readChainTime } from '../modules/operations/use/chain-time.ts';
import { createClockWatch } from '../modules/operations/use/clock-watch.ts';
import { detectRestore } from '../modules/operations/use/detect-restore.ts';
import { createHealthSampler } from '../modules/operations/use/sample-health.ts';
import { createStatusHistory } from '../modules/operations/use/status-history.ts';
import { createRevocationFinder } from '../modules/passport/use/find-revocations.ts';
import { loadPassport } from '../modules/passport/use/load-passport.ts';
import { tokenOrigin } from '../modules/passport/use/token-origin.ts';
import { createTokenPictures } from '../modules/passport/use/token-pictures.ts';
import { createProgramDesk } from '../modules/personal-keys/use/program-desk.ts';
import { awaitSubmission } from '../modules/submissions/use/await-submission.ts';
import { createCallerLimits } from '../modules/submissions/use/caller-limits.ts';
import { createSubmissionStream } from '../modules/submissions/use/submission-stream.ts';
import { createSubmitTokens } from '../modules/submissions/use/submit-tokens.ts';
import { type SubmitDeps, submitTransaction } from '../modules/submissions/use/submit-transaction.ts';
import type { WellKnownToken } from '../modules/tokens/rules/safety.ts';
import { hubMints, MAINNET_GENESIS, wellKnownTokens } from '../modules/tokens/rules/well-known.ts';
import { type AggregatorQuotes, createAggregatorQuotes } from '../modules/trading/use/aggregator-quotes.ts';
import { askedTip, senderFacts } from '../modules/trading/use/asked-tip.ts';
import { buildSwap } from '../modules/trading/use/build-swap.ts';
import { createSourceCounter } from '../modules/trading/use/count-sources.ts';
import { createExitCheck } from '../modules/trading/use/exit-check.ts';
import type { PoolQuarantine } from '../modules/trading/use/pool-quarantine.ts';
import { createPoolRehearsal } from '../modules/trading/use/pool-rehearsal.ts';
import { quoteSwap } from '../modules/trading/use/quote-swap.ts';
import { createTradingFigures } from '../modules/trading/use/trading-figures.ts';
import { readHoldings } from '../modules/wallet-data/use/read-holdings.ts';
import { readWalletPnl, readWalletTrades } from '../modules/wallet-data/use/read-wallet-trades.ts';
import { createWebhookDesk } from '../modules/webhooks/use/manage-webhooks.ts';
import { createHmacSecrets } from '../platform/api-keys/hmac-secrets.ts';
import { secretFromFile, secretFromText } from '../platform/api-keys/secret-file.ts';
import { personalKeyCheck } from '../platform/certificate-check.ts';
import { ranked } from '../platform/chain/call-turns.ts';
import { pause } from '../platform/clock/clock.ts';
import { createSeedFile } from '../platform/files/seed-file.ts';
import { readVerifiedTokens } from '../platform/files/verified-tokens.ts';
import { createSmtpMailer } from '../platform/mail/smtp-mailer.ts';
import type { ApiKeySecrets } from '../platform/ports/api-key-secrets.ts';
import type { Mark } from '../platform/ports/clock.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { WebhookSender } from '../platform/ports/webhook-sender.ts';
import { PERSON_LIMIT } from '../platform/telegram/middleware/rate-limit.ts';
import { createWebhookSender } from '../platform/webhooks/webhook-sender.ts';
import type { Adapters as WorldAdapters } from './adapters.ts';
import { announce } from './announce.ts';
import type { ApiDeps } from './api-deps.ts';
import { createBot } from './bot.ts';
import { createWorker } from './create-worker.ts';
import type { OpenedSigner } from './open-signer.ts';
import type { World } from './open-world.ts';
import { createServices, type ServiceDeps } from './services.ts';
import { type RunningApi, startApi } from './start-api.ts';
import { startIndexer } from './start-indexer.ts';

/** Prices, deposits and leaders are looked at by the clock: a person who waits for an answer at this moment goes first. */
const runWatch: typeof beginWatch = (...given) => ranked('order', () => beginWatch(...given));

/** The world behind the ports, and the holder of the keys. */
type Adapters = WorldAdapters & OpenedSigner;

/** A process that sends nothing asks nothing of replicas. */
const NO_STANDBYS = { assertSafe: () => undefined, stop: async () => undefined };

/** Jobs that one worker process runs at the same time. */
const WORKER_CONCURRENCY = 20;
const TELEGRAM_SILENCE_MS = 45_000;
/** Between two blockhashes that a worker hears: some twenty blocks. */
const BLOCKHASH_BEAT_MS = 5_000;
const MAINNET_EXPLORER = 'https://explorer.solana.com/tx/{signature}';
const LOCAL_BOT_NAME = 'Tradepost';
const LOCAL_SENDER = 'Tradepost <keys@tradepost.local>';

/**
 * Starts the roles of the configuration over opened adapters; each pushes its end on `stops`. When it resolves, all of them answer and the
 * operator's lines are printed; `checks` asks the parts that they need.
 */
export async function startRoles(input: {
  readonly config: Config;
  readonly world: World | null;
  readonly adapters: Adapters;
  /** Where the open host is reached. Filled in here when it is not configured and this process serves it. */
  readonly site: { url: string | null };
  readonly log: Logger;
  readonly telegramToken: string;
  readonly print: (line: string) => void;
  readonly stops: Stops;
  /** Aborted when the process shall end, also while it still starts. */
  readonly stopping: AbortSignal;
}): Promise<{ readonly checks: PartChecks }> {
  const { config, world, site, log, telegramToken, print, stops, stopping } = input;
  const standbys = config.roles.includes('worker')
    ? await input.adapters.watchStandbys(config.standbys)
    : NO_STANDBYS;
  stops.push(standbys.stop);
  const clocks = createClockWatch({
    beat: input.adapters.heartbeat.beat,
    // A chain of one's own goes at its own pace.
    chainTime: config.rpcUrls === null ? async () => null : () => readChainTime(input.adapters.chain),
    now: () => input.adapters.clock.now(),
    pause,
    compared: input.adapters.clock.compared,
    log: log.child({ module: 'clocks' }),
  });
  // Before anything begins; /readyz reports a database that takes no write.
  await clocks.look().catch(() => undefined);
  stops.push(clocks.start());
  /** One question before work and before a signature: is a commit kept, and is this clock right. */
  const assertSafe = (): void => {
    standbys.assertSafe();
    clocks.assertWell();
  };
  const vault = guardSigning(input.adapters.vault, assertSafe);
  const { adapters, board } = pausable({ ...input.adapters, vault }, log);
  const usdMint = world?.chain?.usdMint ?? config.usdMint;
  const usd = usdMint === null ? null : address(usdMint);
  const [treasury, genesisHash] = await Promise.all([
    makesWallets(config)
      ? ensureTreasury(adapters)
      : awaitTreasury({
          ...adapters,
          pause,
          stopping,
          onWait: () => print('Waiting for a worker or a bot, which makes the treasury…'),
        }),
    adapters.chain.genesisHash(),
  ]);
  // The embedded database has one role, and its own word for mainnet.
  if (config.databaseUrl !== null)
    assertBoundedRole(await adapters.ownRole(), genesisHash === MAINNET_GENESIS, config);
  const fundPlayMoney = world?.chain?.airdrop;
  if (fundPlayMoney !== undefined) await fundTreasury(adapters, treasury.address, fundPlayMoney);
  if (config.roles.includes('worker')) await warnOfQuarantine(adapters, treasury.address, print);

  const isMainnet = genesisHash === MAINNET_GENESIS;
  const wellKnown = [
    ...wellKnownTokens(isMainnet, usd),
    ...readVerifiedTokens(config.market.verifiedTokensFile),
  ];
  const hubs = hubMints(isMainnet, usd);
  const quotes = aggregatorQuotesOf(config, adapters, hubs, stops, log);
  const mail = config.mail ?? (world?.mail ? { url: world.mail.smtpUrl, from: LOCAL_SENDER } : null);
  const keys: KeyWiring = {
    mailer: mail === null ? null : createSmtpMailer(mail),
    tokens: adapters.linkTokens,
    secrets: keySecrets(config),
    keyMail: config.keyMail,
    siteUrl: () => site.url,
    letters: NOTICE_LETTERS,
    operators:
      config.operators.size === 0 && world?.telegram ? new Set([world.telegram.operator]) : config.operators,
    maxRate: config.api.keyMaxRate,
  };
  const market = createMarketData({
    ...adapters,
    feed: adapters.marketFeed,
    dollars: hubs.filter((mint) => mint !== WSOL_MINT),
  });
  stops.push(async () => market.stop());
  const seeded = new Set((world?.chain?.tokens ?? []).map((mint) => address(mint)));
  const isOldOnChain = createTokenAge(adapters);
  const tokens = createTokenData({
    ...adapters,
    market,
    wellKnown,
    isOld: async (mint) => seeded.has(mint) || (await isOldOnChain(mint)),
    launchOf: (mint) => launchProgress(adapters, mint),
  });
  const webhookSender = createWebhookSender({ allowsLoopback: world?.chain != null });
  const guardRules = guardRulesOf(config, world?.chain != null);
  const services = createServices({
    ...adapters,
    keys,
    webhookSender,
    usdPrices: createUsdPrices({ market }),
    log: log.child({ module: 'engine' }),
    pause,
    owner: adapters.ids.ulid(),
    treasury,
    fees: feesOf(config.feeTable),
    referralRequiredFor: config.referralRequiredFor,
    payoutMinLamports: config.payoutMinLamports,
    guardRules,
    maxWallets: config.maxWallets,
    autoSpendCapLamports: config.orders.capLamports,
    copyTrading: config.copyTrading,
    personalKeysHost: config.personalKeysHost,
    ordersPerSecond: config.orders.looksPerSecond,
    usdMint: usd,
    wellKnown,
    seededMints: [...seeded],
    ...quotes,
    hubs,
    poolSeeds: config.market.poolSeedsFile === null ? null : createSeedFile(config.market.poolSeedsFile),
    maxStateAgeMs: config.api.quoteMaxAgeMs,
  });
  const explorerUrl =
    config.explorerUrl ??
    (world?.chain && world.telegram ? `${world.telegram.chatUrl}tx/{signature}` : MAINNET_EXPLORER);
  const bot = createBot({
    ...adapters,
    log: log.child({ module: 'bot' }),
    nudge: () => services.relay.nudge(),
    solPrice: services.solPrice,
    tokens,
    loadChart: (wanted) => loadChart({ market, clock: adapters.clock }, wanted),
    launchReads: adapters,
    trade: services.trade,
    orders: services.orders,
    alerts: services.alerts,
    follows: services.follows,
    groups: services.groups,
    copying: services.copying,
    personalKeys: services.personalKeys,
    autoBuy: services.autoBuy,
    funds: services.funds,
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
    roundUrl: (id) => (site.url === null ? null : `${site.url}/games/${id}`),
    storePicture: (bytes) => storePicture(adapters, bytes),
    secondFactorUrl: (token) => secondFactorUrl(site.url, token),
    passportUrl: (mint) => (site.url === null ? null : `${site.url}/token/${mint}`),
    ...(fundPlayMoney === undefined
      ? {}
      : { faucet: async (to: Address, lamports: bigint) => void (await fundPlayMoney(to, lamports)) }),
    options: {
      token: telegramToken,
      ...apiRootOf(config, world),
      name: LOCAL_BOT_NAME,
      transport: config.bot,
      maxWallets: config.maxWallets,
      fees: feesOf(config.feeTable),
      referralRequiredFor: config.referralRequiredFor,
      codeNeedsVoucher: config.codeNeedsVoucher,
      games: config.games,
      convert: config.convert,
      payoutMinLamports: config.payoutMinLamports,
      payoutsLamports: config.payoutsLamports,
      explorerUrl,
      sourceUrl: config.sourceUrl,
      rateLimit: { ...PERSON_LIMIT, updates: config.chatUpdates },
    },
  });

  // Before the roles that hand out its address.
  const api = config.roles.includes('api')
    ? await startApiRole(
        config,
        adapters,
        { wellKnown, hubs, treasury: treasury.address, poolQuarantine: services.poolQuarantine, ...quotes },
        {
          ...(fundPlayMoney === undefined ? {} : { airdrop: fundPlayMoney }),
          market,
          tokens,
          tradeStream: createTradeStream({
            ...adapters,
            market,
            feed: adapters.marketFeed,
            log: log.child({ module: 'stream' }),
          }),
        },
        {
          ...keys,
          guardRules,
          nudge: () => services.relay.nudge(),
          wakeSubmissions: () => services.watchSubmissions.wake(),
          stopPage: { ...services.stopByMail, say: stopPageWords },
          wakeWebhooks: () => services.watchWebhooks.wake(),
          webhookSender,
          endOrder: services.personalKeys.endOrder,
          makeTrade: services.personalKeys.makeTrade,
          isCertified: personalKeyCheck(await adapters.vault.certificateKey()),
        },
        {
          isPlayMoney: world?.chain != null,
          sourceUrl: config.sourceUrl,
          transactionUrl: (signature) => explorerUrl.replace('{signature}', signature),
          botUrl: (payload) => botUrl(config.botUsername ?? bot.username(), payload, world),
        },
        board,
        log,
      )
    : null;
  if (api !== null) {
    stops.push(api.stop);
    // Here and not in the worker: the key that signs an event is derived from the secret that the api alone has.
    const hooking = runWatch(services.watchWebhooks, log.child({ module: 'webhooks' }), assertSafe);
    stops.push(() => hooking.stop());
    // In production the listening address is behind a proxy: links to it would lead nowhere.
    if (!config.production) site.url ??= api.openUrl;
  }
  if (api !== null || config.roles.includes('worker')) {
    // A transaction with an aged blockhash dies soon where it does not land; slots are measured by the same heights.
    stops.push(
      runBeat({ beat: () => adapters.chain.latestBlockhash(), pauseMs: () => BLOCKHASH_BEAT_MS, pause }),
    );
  }
  if (config.roles.includes('worker')) {
    const worker = await createWorker({
      ...adapters,
      relay: services.relay,
      watch: services.watch,
      services: {
        ...services,
        ...tapeKeeper(adapters, config, log),
        ...tokenKeeper(adapters, { market, wellKnown, hubs }, log, stops),
        deliverNotice: services.createDeliverNotice(bot.notifier),
      },
      log: log.child({ module: 'worker' }),
      concurrency: WORKER_CONCURRENCY,
      assertSafe,
      onOutage: adapters.outages.suspect,
      ranked,
    }).start();
    stops.push(() => worker.stop());
    const ordering = runWatch(services.watchOrders, log.child({ module: 'orders' }), assertSafe);
    stops.push(() => ordering.stop());
    const alerting = runWatch(services.watchAlerts, log.child({ module: 'alerts' }), assertSafe);
    stops.push(() => alerting.stop());
    const following = runWatch(services.watchSubmissions, log.child({ module: 'submissions' }), assertSafe);
    stops.push(() => following.stop());
    const leaders = createFollowWatch({
      ...adapters,
      feed: adapters.marketFeed,
      solPrice: services.solPrice,
      money: [WSOL_MINT, ...hubs.filter((mint) => mint !== WSOL_MINT)],
      nudge: () => services.relay.nudge(),
      onChange: services.follows.onChange,
      onTrades: () => services.watchCopies.wake(),
      log: log.child({ module: 'follows' }),
    });
    const followed = runWatch(leaders, log.child({ module: 'follows' }), assertSafe);
    stops.push(() => followed.stop());
    const valuing = runWatch(services.watchCalls, log.child({ module: 'groups' }), assertSafe);
    stops.push(() => valuing.stop());
    if (adapters.launchFeed !== null) {
      const launches = createLaunchWatch({
        ...adapters,
        ...adapters.launchFeed,
        isFirst: () => services.watch.isFirst(),
        ...createLaunchNews({
          ...adapters,
          nudge: () => services.relay.nudge(),
          passes: (launch, filter) => launchPasses({ ...adapters, tokens }, launch, filter),
        }),
        log: log.child({ module: 'launches' }),
      });
      const seeing = runWatch(launches, log.child({ module: 'launches' }), assertSafe);
      stops.push(() => seeing.stop());
    }
    const sampling = runWatch(
      createHealthSampler({
        parts: createPartsCheck(adapters.health, steadyOf(adapters.clock)),
        health: adapters.healthDays,
        clock: adapters.clock,
        log: log.child({ module: 'health' }),
      }),
      log.child({ module: 'health' }),
      // A wrong clock would name wrong minutes; on an unsafe standby the parts are looked at all the same.
      () => clocks.assertWell(),
    );
    stops.push(() => sampling.stop());
    const copying = runWatch(services.watchCopies, log.child({ module: 'copying' }), assertSafe);
    stops.push(() => copying.stop());
    const using = runWatch(services.watchKeyUses, log.child({ module: 'personal-keys' }), assertSafe);
    stops.push(() => using.stop());
    const receiving = runWatch(services.watchDeposits, log.child({ module: 'deposits' }), assertSafe);
    stops.push(() => receiving.stop());
  }
  if (config.roles.includes('indexer')) {
    const known = { config, isLocal: world?.chain != null, genesisHash, wellKnown, hubs, usd };
    stops.push(await startIndexer(adapters, { ...known, log: log.child({ module: 'indexer' }) }));
  }
  if (config.roles.includes('bot')) {
    stops.push(() => bot.stop());
    // Telegram may be away for hours: a process that shall end does not wait for it.
    stopping.addEventListener('abort', () => void bot.stop(), { once: true });
    await bot.start();
  }
  await announce({ config, world, chain: adapters.chain, treasury: treasury.address, api, print });
  const telegram = (): Promise<void> => answeredLately(bot.lastAnswerAt(), markOf(adapters.clock));
  const polls = config.roles.includes('bot') && config.bot.mode === 'polling';
  return {
    checks: {
      ...adapters.health,
      standby: async () => standbys.assertSafe(),
      clock: async () => clocks.assertWell(),
      ...(polls ? { telegram } : {}),
    },
  };
}

/** Beside a signer, an API and an indexer have no right to write a wallet: they wait for who has. */
function makesWallets({ roles, kek }: Config): boolean {
  return kek !== null || roles.includes('bot') || roles.includes('worker');
}

/** A long poll ends within 25 s, with or without news. Rejects when Telegram was silent for longer than that. */
async function answeredLately(lastAnswerAt: number | null, { steadyMs }: Mark): Promise<void> {
  if (lastAnswerAt === null || steadyMs - lastAnswerAt > TELEGRAM_SILENCE_MS)
    throw new Error('Telegram is silent');
}

/** The local Telegram, the operator's own Bot API server, or Telegram's. */
function apiRootOf(config: Config, world: World | null): { readonly apiRoot?: string } {
  const apiRoot = world?.telegram?.botApiUrl ?? config.botApiRoot;
  return apiRoot === null ? {} : { apiRoot };
}

/** The same adapters, with the operator's pauses on them; every part that prices or routes gets these. */
function pausable(
  adapters: Adapters,
  log: Logger,
): { readonly adapters: Adapters; readonly board: SwitchBoard } {
  const { db, clock, venues, aggregators } = adapters;
  const board = createSwitchBoard({ flags: db.flags, clock, log: log.child({ module: 'switches' }) });
  return {
    board,
    adapters: {
      ...adapters,
      venues: pausableVenues(venues, board),
      aggregators: pausableAggregators(aggregators, board),
    },
  };
}

type KeyWiring = ServiceDeps['keys'];

/** The secrets that hash keys; null without a secret: no pro host then. */
function keySecrets({ api, production, local }: Config): ApiKeySecrets | null {
  if (api.keySecret !== null) return createHmacSecrets(secretFromText(api.keySecret, 'API_KEY_SECRET'));
  const kept = production ? null : secretFromFile(`${local.dir}/api-key-secret`);
  return kept === null ? null : createHmacSecrets(kept);
}

/** Aggregators as competitors, where any is switched on, counted until `stops` end. */
function aggregatorQuotesOf(
  { aggregators: { majorsAlone } }: Config,
  adapters: Adapters,
  hubs: readonly Address[],
  stops: Stops,
  logs: Logger,
): WithQuotes {
  if (adapters.aggregators.length === 0) return {};
  const log = logs.child({ module: 'aggregators' });
  const sources = createSourceCounter({
    store: adapters.sourceCounts,
    clock: adapters.clock,
    onProblem: (err) => log.warn({ err }, 'counts of quotes could not be written down'),
  });
  stops.push(() => sources.flush());
  return { aggregatorQuotes: createAggregatorQuotes({ ...adapters, hubs, majorsAlone, sources, log }) };
}

type Stops = (() => Promise<unknown>)[];
type WithQuotes = { readonly aggregatorQuotes?: AggregatorQuotes };

/** The content of the pages of tokens and rounds. */
function siteOf(
  adapters: Adapters,
  {
    wellKnown,
    publicUrl,
    board,
  }: {
    readonly wellKnown: readonly WellKnownToken[];
    readonly publicUrl: ApiDeps['site']['publicUrl'];
    readonly board: SwitchBoard;
  },
): ApiDeps['site'] {
  const passportNotes = {
    origin: (mint: Address) => tokenOrigin(adapters.db, mint),
    revocations: createRevocationFinder(adapters),
    launch: async (mint: Address) => {
      const state = await launchProgress(adapters, mint);
      if (state === null) return null;
      const { pad, soldBps, graduated } = state;
      return { pad: pad.label, percent: Math.floor(soldBps / 100), graduated };
    },
  };
  return {
    metadata: adapters.metadata,
    pictures: adapters.pictures,
    charts: adapters.charts,
    passport: (mint) => loadPassport({ ...adapters, wellKnown, ...passportNotes }, mint),
    round: (id) => adapters.db.games.find(id),
    publicUrl,
    pauses: () => board.pauses(),
    tokenPictures: createTokenPictures({ ...adapters, createdTokens: adapters.db.createdTokens }),
    history: createStatusHistory({ ...adapters, health: adapters.healthDays }),
    tradingFigures: createTradingFigures(adapters),
  };
}

/** The open host, and the one for keys where there is a secret to check them with. */
function hostsOf(
  { api }: Config,
  { db, clock, apiLimiter }: Adapters,
  secrets: ApiKeySecrets | null,
): Pick<Parameters<typeof startApi>[1], 'open' | 'pro'> {
  const knownKeys = createKeyCache({ keys: db.apiKeys, clock });
  return {
    open: { kind: 'open', ratePerSecond: api.ratePerSecond, burst: api.burst },
    pro:
      secrets === null
        ? null
        : {
            kind: 'pro',
            checkKey: (text) => checkApiKey({ keys: knownKeys, secrets, clock }, text),
            limiter: apiLimiter,
          },
  };
}

type ApiTokens = WithQuotes & {
  readonly wellKnown: readonly WellKnownToken[];
  readonly hubs: readonly Address[];
  readonly treasury: Address;
  readonly poolQuarantine: PoolQuarantine;
};

/** The dependencies that quote and build swaps of the API. */
function swapDeps({ api }: Config, adapters: Adapters, tokens: ApiTokens, log: Logger) {
  return {
    ...adapters,
    ...tokens,
    exitCheck: createExitCheck({ ...adapters, ...tokens }),
    poolRehearsal: createPoolRehearsal({ ...adapters, ...tokens }),
    maxStateAgeMs: api.quoteMaxAgeMs,
    log: log.child({ module: 'swap' }),
  };
}

type ApiWiring = KeyWiring &
  Pick<KeyDeskDeps, 'nudge' | 'guardRules'> &
  Pick<ApiDeps, 'stopPage'> &
  Pick<Parameters<typeof createProgramDesk>[0], 'isCertified' | 'endOrder' | 'makeTrade'> &
  WebhookWiring & { readonly wakeSubmissions: () => void };

/** The facts of any address, for callers of the API. */
function walletReads(
  deps: Adapters & Pick<ApiDeps, 'market' | 'tokens'>,
): Pick<ApiDeps, 'walletHoldings' | 'walletTrades' | 'walletPnl'> {
  return {
    walletHoldings: (address) => readHoldings(deps, address),
    walletTrades: (address, page) => readWalletTrades(deps, address, page),
    walletPnl: (address, window) => readWalletPnl(deps, address, window),
  };
}

/** The REST API. Without a secret for its keys, production serves the open host alone. */
function startApiRole(
  config: Config,
  adapters: Adapters,
  tokens: ApiTokens,
  marketData: Pick<ApiDeps, 'market' | 'tokens' | 'tradeStream' | 'airdrop'>,
  keys: ApiWiring,
  frame: ApiDeps['frame'],
  board: SwitchBoard,
  log: Logger,
): Promise<RunningApi> {
  const { api } = config;
  const { clock, ids, db } = adapters;
  const { wellKnown } = tokens;
  const swap = swapDeps(config, adapters, tokens, log);
  const mint = { ...adapters, wellKnown, metadataWay: createMetadataWay(adapters) };
  const { secrets, stopPage, siteUrl: publicUrl, isCertified, endOrder, makeTrade } = keys;
  const usage = createUsageCounter({
    store: adapters.apiUsage,
    clock,
    onProblem: (err) => log.warn({ err }, 'API usage could not be written down'),
  });
  return startApi(
    {
      buildSwap: (request) => buildSwap(swap, request),
      quoteSwap: (request, referrerFeeBps) => quoteSwap(swap, request, referrerFeeBps),
      ...chainFacts(adapters),
      buildToken: (draft, mayStore) => buildToken(mint, draft, mayStore),
      submissions: submissionDesk(adapters, { secrets, wake: keys.wakeSubmissions, takes: api.submit }, log),
      webhooks: webhookDesk(adapters, keys, frame.isPlayMoney),
      ...walletReads({ ...adapters, ...marketData }),
      storePicture: (bytes) => storePicture(adapters, bytes),
      site: siteOf(adapters, { wellKnown, publicUrl, board }),
      secondFactor: { show: (token) => showSecondFactor(adapters, token), qr: adapters.qr },
      stopPage,
      health: adapters.health,
      networkFacts: () => adapters.chain.facts(),
      pause: () => board.pauseOf('api'),
      usage,
      keyDesk: keyDeskOf({ ...keys, db, usage, clock, ids, log: log.child({ module: 'keys' }) }),
      programDesk: programDeskOf(config, { ...adapters, isCertified, endOrder, makeTrade, log }),
      frame,
      ...marketData,
      deprecation: config.market.deprecation,
      ipBlocks: adapters.ipBlocks,
      orderBookLimits: config.market.orderBooks,
      idempotency: adapters.idempotency,
      clock,
      ids,
      log: log.child({ module: 'api' }),
    },
    {
      ...api,
      chartsPort: config.market.chartsPort,
      ...hostsOf(config, adapters, secrets),
    },
  );
}

/** Requests for keys, claims and accounts; null where no mail can be sent, or no key be checked. */
function keyDeskOf(
  deps: Omit<KeyDeskDeps, 'secrets'> & Pick<KeyWiring, 'secrets' | 'mailer'>,
): ApiDeps['keyDesk'] {
  const { secrets, mailer } = deps;
  return secrets === null || mailer === null ? null : createKeyDesk({ ...deps, secrets });
}

/** The desk of people's own programs; null where personal keys are off. */
function programDeskOf(
  { personalKeysHost }: Config,
  deps: Omit<Parameters<typeof createProgramDesk>[0], 'log'> & { readonly log: Logger },
): ApiDeps['programDesk'] {
  const log = deps.log.child({ module: 'personal-keys' });
  return personalKeysHost === null ? null : createProgramDesk({ ...deps, log });
}

/** Takes transactions that callers signed, and reports where each one is. */
function submissionDesk(
  adapters: Adapters,
  { secrets, ...terms }: Pick<SubmitDeps, 'wake' | 'takes'> & Pick<KeyWiring, 'secrets'>,
  log: Logger,
): ApiDeps['submissions'] {
  const tokens = secrets === null ? null : createSubmitTokens({ ...adapters, secrets });
  const limits = createCallerLimits(adapters);
  const deps = { ...adapters, ...terms, pause, tokens, limits, log: log.child({ module: 'submissions' }) };
  return {
    tokenOf: (transaction) => (terms.takes === 'off' ? null : (tokens?.of(transaction) ?? null)),
    subscribe: createSubmissionStream(deps).subscribe,
    submit: (request) => submitTransaction(deps, request),
    find: (signature, until) => awaitSubmission(deps, signature, until),
  };
}

type WebhookWiring = { readonly wakeWebhooks: () => void; readonly webhookSender: WebhookSender };

function withoutSecret(): never {
  throw new Error('a webhook needs the secret of the keys');
}

/** Manages the addresses that hear of callers' submissions. */
function webhookDesk(
  adapters: Adapters,
  { secrets, siteUrl, wakeWebhooks, webhookSender }: KeyWiring & WebhookWiring,
  allowsLoopback: boolean,
): ApiDeps['webhooks'] {
  const ownHosts = (): readonly string[] => {
    const site = siteUrl();
    return site === null ? [] : [new URL(site).hostname];
  };
  return createWebhookDesk({
    ...adapters,
    // Without a secret no host serves these routes.
    secrets: secrets ?? { hash: withoutSecret },
    sender: webhookSender,
    rule: () => ({ allowsLoopback, ownHosts: ownHosts() }),
    wake: wakeWebhooks,
  });
}

/** The workers' jobs for the tape. */
function tapeKeeper(adapters: Adapters, { market }: Config, log: Logger) {
  const deps = { ...adapters, tapeMaxBytes: market.maxBytes, log: log.child({ module: 'tape' }) };
  return { moveMarketWindows: () => moveMarketWindows(deps), keepTape: () => keepTape(deps) };
}

/** The workers' jobs for the public facts of tokens. */
function tokenKeeper(
  adapters: Adapters,
  known: Pick<TrendingDeps, 'market' | 'wellKnown' | 'hubs'>,
  log: Logger,
  stops: (() => Promise<unknown>)[],
) {
  const trending = createTrending({
    ...adapters,
    ...known,
    feed: adapters.marketFeed,
    peopleOf: (wallets) => adapters.db.wallets.peopleOf(wallets),
    log: log.child({ module: 'trending' }),
  });
  stops.push(async () => trending.stop());
  return { indexTokens: () => indexTokens({ ...adapters, ...known }), workOutTrending: trending.run };
}

/** Before a worker of a restored database could sign anything, it knows that it must not. */
async function warnOfQuarantine(
  adapters: Adapters,
  treasury: Address,
  print: (line: string) => void,
): Promise<void> {
  const quarantine = await detectRestore({ ...adapters, wallets: adapters.db.wallets, treasury });
  if (quarantine === null) return;
  print(
    `QUARANTINE  ${quarantine.reason}. Nothing is signed until "npm run ops -- reconcile" has compared the database with the chain.`,
  );
}

/** Play money for the treasury of a local chain, so that fees and payouts work from the first trade on. */
async function fundTreasury(
  { chain }: Pick<Adapters, 'chain'>,
  treasury: Address,
  airdrop: (address: string, lamports: bigint) => Promise<unknown>,
): Promise<void> {
  if ((await chain.balance(treasury)) < LAMPORTS_PER_SOL / 10n) await airdrop(treasury, LAMPORTS_PER_SOL);
}

/** Where a chat with the bot opens. The local one is a page of this machine. */
function botUrl(username: string | null, payload: string, world: World | null): string | null {
  const query = payload === '' ? '' : `start=${payload}`;
  if (world?.telegram) return `${world.telegram.chatUrl}${query === '' ? '' : `#${query}`}`;
  if (username === null) return null;
  return `https://t.me/${username}${query === '' ? '' : `?${query}`}`;
}

/** A secret goes over TLS, or does not leave this machine. */
function secondFactorUrl(site: string | null, token: string): string | null {
  if (site === null) return null;
  const { protocol, hostname } = new URL(site);
  const isSafe = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
  return isSafe ? `${site}${SECOND_FACTOR_PATH}/${token}` : null;
}

/** Facts of the chain that the API tells, and of the ways to it. */
function chainFacts({
  venues,
  chain,
  rpcMeter,
  senders,
  tips,
}: Pick<Adapters, 'venues' | 'chain' | 'rpcMeter' | 'senders' | 'tips'>): Pick<
  ApiDeps,
  'venues' | 'genesisHash' | 'rpcMeter' | 'senders'
> {
  const paid = { senders, tipCapLamports: tips.capLamports, random: Math.random };
  return {
    senders: { list: senderFacts(paid), tip: (asked) => askedTip(paid, asked) },
    venues: venues.map(({ name, programId = null }) => ({ name, programId })),
    genesisHash: () => chain.genesisHash(),
    rpcMeter,
  };
}

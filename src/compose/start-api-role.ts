import type { Address } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { bind } from '../core/bind.ts';
import type { SwitchBoard } from '../engine/switches/use/switch-board.ts';
import { stopPageWords } from '../modules/guard/chat/mail-letters.ts';
import { showSecondFactor } from '../modules/guard/use/second-factor.ts';
import { checkApiKey } from '../modules/keys/use/check-api-key.ts';
import { createUsageCounter } from '../modules/keys/use/count-usage.ts';
import { createKeyCache } from '../modules/keys/use/key-cache.ts';
import { launchProgress } from '../modules/launch/use/launch-progress.ts';
import { createTradeStream } from '../modules/market/use/trade-stream.ts';
import { buildToken } from '../modules/mint/use/build-token.ts';
import { createMetadataWay } from '../modules/mint/use/metadata-way.ts';
import { storePicture } from '../modules/mint/use/store-picture.ts';
import { createStatusHistory } from '../modules/operations/use/status-history.ts';
import { createRevocationFinder } from '../modules/passport/use/find-revocations.ts';
import { loadPassport } from '../modules/passport/use/load-passport.ts';
import { tokenOrigin } from '../modules/passport/use/token-origin.ts';
import { createTokenPictures } from '../modules/passport/use/token-pictures.ts';
import { createSubmissionDesk } from '../modules/submissions/index.ts';
import type { WellKnownToken } from '../modules/tokens/rules/safety.ts';
import { askedTip, senderFacts } from '../modules/trading/use/asked-tip.ts';
import { buildSwap } from '../modules/trading/use/build-swap.ts';
import { createExitCheck } from '../modules/trading/use/exit-check.ts';
import type { PoolQuarantine } from '../modules/trading/use/pool-quarantine.ts';
import { createPoolRehearsal } from '../modules/trading/use/pool-rehearsal.ts';
import { quoteSwap } from '../modules/trading/use/quote-swap.ts';
import { createTradingFigures } from '../modules/trading/use/trading-figures.ts';
import { readHoldings } from '../modules/wallet-data/use/read-holdings.ts';
import { readWalletPnl, readWalletTrades } from '../modules/wallet-data/use/read-wallet-trades.ts';
import { personalKeyCheck } from '../platform/certificate-check.ts';
import { pause } from '../platform/clock/clock.ts';
import type { ApiKeySecrets } from '../platform/ports/api-key-secrets.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { ApiDeps } from './api-deps.ts';
import type { Facts } from './make-world.ts';
import type { Opened, Start } from './role.ts';
import type { Services } from './services.ts';
import { type RunningApi, startApi } from './start-api.ts';
import type { World } from './world.ts';

/** The product of this process, of which the host shows parts. */
type Product = { readonly world: World; readonly services: Services; readonly facts: Facts };

/** The content of the pages of tokens and rounds. */
function siteOf(
  adapters: Opened,
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
  { db, clock, apiLimiter }: Opened,
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

type ApiTokens = Pick<World, 'wellKnown' | 'hubs' | 'aggregatorQuotes'> & {
  readonly treasury: Address;
  readonly poolQuarantine: PoolQuarantine;
};

/** The dependencies that quote and build swaps of the API. */
function swapDeps({ api }: Config, adapters: Opened, tokens: ApiTokens, log: Logger) {
  return {
    ...adapters,
    ...tokens,
    exitCheck: createExitCheck({ ...adapters, ...tokens }),
    poolRehearsal: createPoolRehearsal({ ...adapters, ...tokens }),
    maxStateAgeMs: api.quoteMaxAgeMs,
    log: log.child({ module: 'swap' }),
  };
}

/** The facts of any address, for callers of the API. */
function walletReads(
  deps: Opened & Pick<ApiDeps, 'market' | 'tokens'>,
): Pick<ApiDeps, 'walletHoldings' | 'walletTrades' | 'walletPnl'> {
  return {
    walletHoldings: (address) => readHoldings(deps, address),
    walletTrades: (address, page) => readWalletTrades(deps, address, page),
    walletPnl: (address, window) => readWalletPnl(deps, address, window),
  };
}

/** Swaps that a caller signs. */
function swapDesk(
  { config, adapters, log }: Start,
  { world, services }: Product,
): Pick<ApiDeps, 'buildSwap' | 'quoteSwap'> {
  const { wellKnown, hubs, aggregatorQuotes } = world;
  const quotes = aggregatorQuotes === undefined ? {} : { aggregatorQuotes };
  const treasury = world.treasury.address;
  const { poolQuarantine } = services;
  const swap = swapDeps(config, adapters, { wellKnown, hubs, treasury, poolQuarantine, ...quotes }, log);
  return {
    buildSwap: bind(buildSwap, swap),
    quoteSwap: bind(quoteSwap, swap),
  };
}

/** The data of markets, and the limits of those who ask for them. */
function marketDesk({ config, adapters, log }: Start, facts: Facts) {
  return {
    ...facts,
    tradeStream: createTradeStream({
      ...adapters,
      market: facts.market,
      feed: adapters.marketFeed,
      log: log.child({ module: 'stream' }),
    }),
    deprecation: config.market.deprecation,
    ipBlocks: adapters.ipBlocks,
    orderBookLimits: config.market.orderBooks,
  };
}

/** Counts the requests of keys. */
function usageOf({ apiUsage: store, clock }: Opened, log: Logger): ApiDeps['usage'] {
  return createUsageCounter({
    store,
    clock,
    onProblem: (err) => log.warn({ err }, 'API usage could not be written down'),
  });
}

/** The REST API. Without a secret for its keys, production serves the open host alone. */
export async function startApiRole(
  start: Start,
  product: Product,
  board: SwitchBoard,
  frame: ApiDeps['frame'],
): Promise<RunningApi> {
  const { config, local, adapters, log } = start;
  const { world, services, facts } = product;
  const { api } = config;
  const { clock, ids, idempotency, signatureChecks } = adapters;
  const { wellKnown } = world;
  const { secrets, siteUrl: publicUrl } = world.keys;
  const { submissions } = services.watches;
  const mint = { ...adapters, wellKnown, metadataWay: createMetadataWay(adapters) };
  const isCertified = personalKeyCheck(await adapters.vault.certificateKey());
  const airdrop = local?.chain?.airdrop;
  const usage = usageOf(adapters, log);
  const deps: ApiDeps = {
    ...swapDesk(start, product),
    ...chainFacts(adapters),
    ...walletReads({ ...adapters, ...facts }),
    ...marketDesk(start, facts),
    ...(airdrop === undefined ? {} : { airdrop }),
    buildToken: bind(buildToken, mint),
    storePicture: bind(storePicture, adapters),
    submissions: createSubmissionDesk({
      ...adapters,
      secrets,
      pause,
      takes: api.submit,
      wake: () => submissions.wake(),
      log: log.child({ module: 'submissions' }),
    }),
    webhooks: services.desks.webhooks(frame.isPlayMoney),
    keyDesk: services.desks.keys({ usage, log: log.child({ module: 'keys' }) }),
    programDesk: services.desks.programs({
      isCertified,
      signatureChecks,
      log: log.child({ module: 'personal-keys' }),
    }),
    site: siteOf(adapters, { wellKnown, publicUrl, board }),
    secondFactor: { show: bind(showSecondFactor, adapters), qr: adapters.qr },
    stopPage: { ...services.stopByMail, say: stopPageWords },
    health: adapters.health,
    networkFacts: () => adapters.chain.facts(),
    pause: () => board.pauseOf('api'),
    usage,
    frame,
    idempotency,
    clock,
    ids,
    log: log.child({ module: 'api' }),
  };
  return startApi(deps, {
    ...api,
    chartsPort: config.market.chartsPort,
    ...hostsOf(config, adapters, secrets),
  });
}

/** Facts of the chain that the API tells, and of the ways to it. */
function chainFacts({
  venues,
  chain,
  rpcMeter,
  senders,
  tips,
}: Pick<Opened, 'venues' | 'chain' | 'rpcMeter' | 'senders' | 'tips'>): Pick<
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

import { createHmacSecrets } from './adapters/api-keys/hmac-secrets.ts';
import { secretFromFile, secretFromText } from './adapters/api-keys/secret-file.ts';
import { pause } from './adapters/clock/clock.ts';
import { type Adapters, createAdapters } from './adapters/index.ts';
import { createLogger } from './adapters/log/create-logger.ts';
import { kekOptions } from './adapters/open-keyring.ts';
import { type RunningApi, startApi } from './api/start-api.ts';
import { createBot } from './bot/bot.ts';
import type { Config } from './config.ts';
import { type Address, address } from './core/address/address.ts';
import { bps } from './core/amounts/bps.ts';
import { formatUnits } from './core/amounts/decimal.ts';
import { LAMPORTS_PER_SOL, RENT_EXEMPT_MINIMUM, SOL_DECIMALS } from './core/amounts/lamports.ts';
import { AppError } from './core/errors/app-error.ts';
import type { Logger } from './core/ports/logger.ts';
import type { WellKnownToken } from './core/tokens/safety.ts';
import { MAINNET_GENESIS, wellKnownTokens } from './core/tokens/well-known.ts';
import { checkApiKey } from './services/api-keys/check-api-key.ts';
import { createServices } from './services/index.ts';
import { detectRestore } from './services/operations/detect-restore.ts';
import { buildSwap } from './services/swap/build-swap.ts';
import { quoteSwap } from './services/swap/quote-swap.ts';
import { ensureTreasury } from './services/treasury/ensure-treasury.ts';
import { createWorker } from './worker/create-worker.ts';

export type App = { readonly stop: () => Promise<void> };

type World = Awaited<ReturnType<typeof import('./local/world.ts')['startWorld']>>;

/** Jobs that one worker process runs at the same time. */
const WORKER_CONCURRENCY = 20;
const ADDRESS_DELAY_SECONDS = 7_200;
const MAINNET_EXPLORER = 'https://explorer.solana.com/tx/{signature}';
const LOCAL_BOT_NAME = 'Tradepost';

/**
 * Composes and starts what the configuration asks for; embedded stand-ins for what it does not name. When it resolves,
 * everything answers. `print` gets the lines a person should read. Throws an AppError per foreseeable failure, with
 * everything that was started by then stopped again.
 */
export async function startApp(config: Config, print: (line: string) => void): Promise<App> {
  const log = createLogger(config.logLevel);
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    // In reverse: nobody may still use what is closed.
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const world = await openWorld(config, print);
    if (world !== null) stops.push(world.stop);
    const telegramToken = config.telegramToken ?? world?.telegram?.token;
    const rpcUrls = config.rpcUrls ?? (world?.chain ? [world.chain.rpcUrl] : []);
    const databaseUrl = config.databaseUrl ?? world?.databaseUrl;
    if (telegramToken === undefined || databaseUrl === undefined || databaseUrl === null) {
      throw new AppError('CONFIG_INVALID', { problems: ['neither a real service nor a stand-in is there'] });
    }

    const adapters = await createAdapters({
      databaseUrl,
      redisUrl: config.redisUrl,
      rpcUrls,
      deskUrl: world?.chain?.deskUrl ?? null,
      keks: kekOptions(config),
      log: log.child({ module: 'adapters' }),
    });
    stops.push(adapters.close);
    await startRoles({ config, world, adapters, log, telegramToken, print, stops });
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRoles(input: {
  readonly config: Config;
  readonly world: World | null;
  readonly adapters: Adapters;
  readonly log: Logger;
  readonly telegramToken: string;
  readonly print: (line: string) => void;
  readonly stops: (() => Promise<unknown>)[];
}): Promise<void> {
  const { config, world, adapters, log, telegramToken, print, stops } = input;
  const usdMint = world?.chain?.usdMint ?? config.usdMint;
  const usd = usdMint === null ? null : address(usdMint);
  const [treasury, genesisHash] = await Promise.all([ensureTreasury(adapters), adapters.chain.genesisHash()]);
  const fundPlayMoney = world?.chain?.airdrop;
  if (fundPlayMoney !== undefined) await fundTreasury(adapters, treasury.address, fundPlayMoney);
  if (config.roles.includes('worker')) await warnOfQuarantine(adapters, treasury.address, print);

  const wellKnown = wellKnownTokens(genesisHash === MAINNET_GENESIS, usd);
  const services = createServices({
    ...adapters,
    log: log.child({ module: 'engine' }),
    pause,
    owner: adapters.ids.ulid(),
    treasury,
    feeBps: bps(config.feeBps),
    referralShareBps: bps(config.referralShareBps),
    payoutMinLamports: config.payoutMinLamports,
    guardRules: {
      // Play money on one's own machine needs no waiting.
      delayMs: 1_000 * (config.addressDelaySeconds ?? (world?.chain ? 0 : ADDRESS_DELAY_SECONDS)),
      dailyCapLamports: config.dailyCapLamports,
    },
    maxWallets: config.maxWallets,
    usdMint: usd,
    wellKnown,
  });
  const explorerUrl =
    config.explorerUrl ??
    (world?.chain && world.telegram ? `${world.telegram.chatUrl}tx/{signature}` : MAINNET_EXPLORER);
  const bot = createBot({
    ...adapters,
    log: log.child({ module: 'bot' }),
    nudge: services.relay.nudge,
    solPrice: services.solPrice,
    trade: services.trade,
    withdrawals: services.withdrawals,
    guard: services.guard,
    backups: services.backups,
    ...(fundPlayMoney === undefined
      ? {}
      : { faucet: async (to: Address, lamports: bigint) => void (await fundPlayMoney(to, lamports)) }),
    options: {
      token: telegramToken,
      ...(world?.telegram ? { apiRoot: world.telegram.botApiUrl } : {}),
      name: LOCAL_BOT_NAME,
      transport: config.bot,
      maxWallets: config.maxWallets,
      feeBps: config.feeBps,
      referralShareBps: config.referralShareBps,
      explorerUrl,
      sourceUrl: config.sourceUrl,
      // A person at one's own machine clicks as fast as they like.
      rateLimit: world?.telegram ? { updates: 100, windowMs: 1_000 } : { updates: 3, windowMs: 2_000 },
    },
  });

  if (config.roles.includes('worker')) {
    const worker = await createWorker({
      runner: adapters.runner,
      services: { ...services, deliverNotice: services.createDeliverNotice(bot.notifier) },
      log: log.child({ module: 'worker' }),
      concurrency: WORKER_CONCURRENCY,
    }).start();
    stops.push(worker.stop);
  }
  if (config.roles.includes('bot')) {
    await bot.start();
    stops.push(bot.stop);
  }
  const api = config.roles.includes('api') ? await startApiRole(config, adapters, wellKnown, log) : null;
  if (api !== null) stops.push(api.stop);
  await announce({ config, world, adapters, treasury: treasury.address, api, print });
}

/** The REST API. Without a secret for its keys, production serves the open host alone. */
function startApiRole(
  config: Config,
  adapters: Adapters,
  wellKnown: readonly WellKnownToken[],
  log: Logger,
): Promise<RunningApi> {
  const { api } = config;
  const { clock, ids, apiKeys: keys } = adapters;
  const swap = { ...adapters, wellKnown };
  const secret =
    api.keySecret !== null
      ? secretFromText(api.keySecret, 'API_KEY_SECRET')
      : config.production
        ? null
        : secretFromFile(`${config.local.dir}/api-key-secret`);
  const secrets = secret === null ? null : createHmacSecrets(secret);
  return startApi(
    {
      buildSwap: (request) => buildSwap(swap, request),
      quoteSwap: (request) => quoteSwap(swap, request),
      clock,
      ids,
      log: log.child({ module: 'api' }),
    },
    {
      ...api,
      open: { kind: 'open', ratePerSecond: api.ratePerSecond, burst: api.burst },
      pro:
        secrets === null
          ? null
          : { kind: 'pro', checkKey: (text) => checkApiKey({ keys, secrets, clock }, text) },
    },
  );
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

/** The embedded defaults that the configuration did not replace; null when it replaced them all. */
async function openWorld(config: Config, print: (line: string) => void): Promise<World | null> {
  const missing = {
    chain: config.rpcUrls === null,
    postgres: config.databaseUrl === null,
    telegram: config.telegramToken === null,
  };
  if (!missing.chain && !missing.postgres && !missing.telegram) return null;
  const { startWorld, assertNotRunning } = await import('./local/world.ts');
  assertNotRunning(config.local.dir);
  print('Starting…');
  return startWorld({
    dir: config.local.dir,
    nodeEnv: config.production ? 'production' : 'development',
    chain: missing.chain
      ? { port: config.local.chainPort, slotMs: config.local.slotMs, programsDir: config.local.programsDir }
      : null,
    postgres: missing.postgres,
    telegram: missing.telegram
      ? {
          port: config.local.chatPort,
          databaseUrl: config.databaseUrl,
          rpcUrl: config.rpcUrls?.[0] ?? null,
          hasProductionMasterKey: config.kek.kind !== 'local',
        }
      : null,
  });
}

/** Play money for the treasury of a local chain, so that fees and payouts work from the first trade on. */
async function fundTreasury(
  { chain }: Pick<Adapters, 'chain'>,
  treasury: Address,
  airdrop: (address: string, lamports: bigint) => Promise<unknown>,
): Promise<void> {
  if ((await chain.balance(treasury)) < LAMPORTS_PER_SOL / 10n) await airdrop(treasury, LAMPORTS_PER_SOL);
}

async function announce(input: {
  readonly config: Config;
  readonly world: World | null;
  readonly adapters: Adapters;
  readonly treasury: Address;
  readonly api: RunningApi | null;
  readonly print: (line: string) => void;
}): Promise<void> {
  const { config, world, adapters, treasury, api, print } = input;
  const balance = await adapters.chain.balance(treasury);
  if (balance < RENT_EXEMPT_MINIMUM) {
    print(
      `Treasury ${treasury} holds ${formatUnits(balance, SOL_DECIMALS)} SOL. Fund it with at least 0.01 SOL: until then trades carry no platform fee and rewards wait.`,
    );
  }
  if (world?.telegram) print(`Chat page   ${world.telegram.chatUrl}`);
  if (api !== null) {
    print(`REST API    ${api.openUrl}/docs`);
    print(
      api.proUrl === null
        ? 'Pro API     not served: set API_KEY_SECRET to 64 hexadecimal digits.'
        : `Pro API     ${api.proUrl}   (needs an x-api-key)`,
    );
  }
  if (world?.chain) print(`Solana RPC  ${world.chain.rpcUrl}   (WebSocket ${world.chain.wsUrl})`);
  print(
    `Tradepost is ready (${config.roles.join(', ')}). ${world === null ? '' : 'Ctrl-C stops it; '}${world === null ? '' : `state is kept in ${config.local.dir}.`}`.trimEnd(),
  );
  world?.publish({ openApiUrl: api?.openUrl ?? null, proApiUrl: api?.proUrl ?? null });
}

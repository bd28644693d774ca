import type { LocalWorld, openWorld } from './compose/open-world.ts';
import { serveProbes } from './compose/serve-probes.ts';
import type { Product } from './compose/start-roles.ts';
import type { Config } from './config/index.ts';
import { AppError } from './core/errors/app-error.ts';
import { guardRulesOf } from './modules/guard/rules/guard-rules.ts';
import { VERSION } from './modules/operations/rules/version.ts';
import { createCertificateCheck, type LateCheck } from './platform/certificate-check.ts';
import { createLogger } from './platform/log/create-logger.ts';
import type { CertificateCheck } from './platform/ports/certificates.ts';
import type { ChatSeals } from './platform/ports/chat-seals.ts';
import type { Logger } from './platform/ports/logger.ts';

export type App = {
  readonly stop: () => Promise<void>;
  /** The verbs that the roles of this process use: for benches and tests that act without a chat. */
  readonly product: Product;
};

/** An API alone talks to no one in Telegram and needs no right to; its bot is built and never started. */
const NO_BOT = '0:none';

/**
 * Composes and starts the parts that the configuration asks for; embedded stand-ins for those it does not name. When it resolves,
 * everything answers. `tell` gets the lines a person should read; in production they are log lines like all others. Throws an AppError per
 * foreseeable failure, or the reason of `stopping` when it is aborted meanwhile, with everything that was started by then stopped again.
 * `open` is for tests whose stand-ins run elsewhere.
 */
export async function startApp(
  config: Config,
  tell: (line: string) => void,
  stopping: AbortSignal,
  open: typeof openWorld = loadWorld,
): Promise<App> {
  const log = createLogger(config.logLevel);
  // A program that collects the lines of a production service reads one format.
  const print = config.production ? (line: string): void => log.info({}, line) : tell;
  stopping.addEventListener('abort', () => print('Stopping…'), { once: true });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    // In reverse: a closed part must have no user.
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    const probes =
      config.health === null
        ? null
        : await serveProbes({ ...config.health, steadyMs: () => performance.now() });
    if (probes !== null) stops.push(probes.stop);
    // The stand-ins start in processes of their own while this one loads the product: reading its modules takes about as
    // long. They go first, for that reading keeps this process too busy to start anything.
    const opening = await open(config, print);
    const product = loadProduct();
    product.catch(() => undefined);
    const world = await opening.ready;
    if (world !== null) stops.push(world.stop);
    stopping.throwIfAborted();
    const [{ createAdapters }, { openKeys, openSigner }, { startRoles }, { openChatSeals }] = await product;
    // First: without the key, or a signer that has it, there is no reason to open anything.
    const keys = await openKeys(config, { print, stopping });
    stops.push(async () => keys.close());
    const { telegramToken, databaseUrl } = servicesOf(config, world);
    const site = { url: config.metadata.publicUrl };
    const certificates = certificatesTold(log);
    const own = { databaseUrl, chatSeals: openChatSeals(config), certificates, site, log };
    const opened = await createAdapters(adapterOptions(config, world, own));
    stops.push(opened.close);
    stopping.throwIfAborted();
    const guardRules = guardRulesOf(config, world?.chain != null);
    const signer = await openSigner(keys, opened, {
      config,
      log: log.child({ module: 'signer' }),
      guardRules,
      certificates,
      print,
    });
    stops.push(signer.stop);
    const adapters = { ...opened, ...signer.opened };
    const shared = { config, world, adapters, site, log, telegramToken, print, stops, stopping };
    const { checks, product: started } = await startRoles(shared);
    probes?.ready(checks);
    stopping.throwIfAborted();
    return { stop, product: started };
  } catch (error) {
    await stop();
    throw error;
  }
}

function certificatesTold(log: Logger): LateCheck {
  return createCertificateCheck((row) =>
    log.error(row, 'a person or a wallet was not certified by the signer, or changed since: nothing moves'),
  );
}

/** The modules of the product, which take a second to read. */
function loadProduct() {
  return Promise.all([
    import('./compose/adapters.ts'),
    import('./compose/open-signer.ts'),
    import('./compose/start-roles.ts'),
    import('./compose/open-chat-seals.ts'),
  ]);
}

/** The bot's token and the database that the configuration or the stand-ins give. Throws CONFIG_INVALID where neither gives one. */
function servicesOf(
  config: Config,
  world: LocalWorld | null,
): { readonly telegramToken: string; readonly databaseUrl: string } {
  const telegramToken = config.telegramToken ?? world?.telegram?.token ?? tokenOfNoBot(config);
  const databaseUrl = config.databaseUrl ?? world?.databaseUrl;
  if (telegramToken === undefined || databaseUrl === undefined || databaseUrl === null) {
    throw new AppError('CONFIG_INVALID', { problems: ['neither a real service nor a stand-in is there'] });
  }
  return { telegramToken, databaseUrl };
}

function tokenOfNoBot({ roles }: Config): string | undefined {
  return roles.includes('bot') || roles.includes('worker') ? undefined : NO_BOT;
}

type AdapterOptions = Parameters<typeof import('./compose/adapters.ts')['createAdapters']>[0];

/** Real services where the configuration names them, stand-ins where it does not. `site.url` is read late: it may be known only when the API listens. */
function adapterOptions(
  config: Config,
  world: LocalWorld | null,
  own: {
    readonly databaseUrl: string;
    readonly chatSeals: ChatSeals;
    readonly certificates: CertificateCheck;
    readonly site: { readonly url: string | null };
    readonly log: Logger;
  },
): AdapterOptions {
  const { databaseUrl, chatSeals, certificates, site, log } = own;
  const wsUrls = config.wsUrls ?? (config.rpcUrls === null && world?.chain ? [world.chain.wsUrl] : null);
  // A chain behind a provider that it plays is read like a foreign node.
  const isOwnNode = world?.chain != null && config.local.provider === null;
  return {
    process: { roles: config.roles.join(','), version: VERSION },
    databaseUrl,
    redisUrl: config.redisUrl,
    chatSeals,
    certificates,
    rpcUrls: config.rpcUrls ?? (world?.chain ? [world.chain.rpcUrl] : []),
    networkFolder: config.rpcUrls === null ? null : config.journalDir,
    hot: { wsUrls, pools: config.hotPools, maxAgeMs: config.api.quoteMaxAgeMs },
    tape: {
      databaseUrl: config.index.databaseUrl ?? databaseUrl,
      clickHouseUrl: config.index.clickHouseUrl,
      source: config.roles.includes('indexer') ? { ...config.index, isLocal: isOwnNode, wsUrls } : null,
    },
    launchFeed: config.roles.includes('worker')
      ? { rpcPerSecond: config.feedRpcPerSecond, isLocal: isOwnNode, wsUrls }
      : null,
    deskUrl: world?.chain?.deskUrl ?? null,
    // On one's own machine it costs nothing.
    countsHolders: config.market.countsHolders || isOwnNode,
    pads: config.pads,
    metadata: { ...config.metadata, publicUrl: () => site.url },
    aggregators: config.aggregators,
    senders: config.senders,
    routerProgram: config.routerProgram,
    builtVersion: config.builtVersion,
    log: log.child({ module: 'adapters' }),
  };
}

/** A module of its own when bundled, so that the tests of the production shape can put another in its place. */
const loadWorld: typeof openWorld = async (config, print) =>
  (await import('./compose/open-world.ts')).openWorld(config, print);

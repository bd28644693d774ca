import { type Address, LAMPORTS_PER_SOL } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { markOf } from '../core/time/elapsed.ts';
import { runBeat } from '../core/time/run-beat.ts';
import { awaitTreasury, ensureTreasury } from '../engine/fees/use/ensure-treasury.ts';
import { guardSigning } from '../engine/signing/use/guard-signing.ts';
import { pausableAggregators, pausableVenues } from '../engine/switches/use/pausable.ts';
import { createSwitchBoard, type SwitchBoard } from '../engine/switches/use/switch-board.ts';
import { assertBoundedRole } from '../modules/operations/rules/database-role.ts';
import type { PartChecks } from '../modules/operations/use/ask-parts.ts';
import { readChainTime } from '../modules/operations/use/chain-time.ts';
import { createClockWatch } from '../modules/operations/use/clock-watch.ts';
import { detectRestore } from '../modules/operations/use/detect-restore.ts';
import { MAINNET_GENESIS } from '../modules/tokens/rules/well-known.ts';
import { pause } from '../platform/clock/clock.ts';
import type { Mark } from '../platform/ports/clock.ts';
import type { Logger } from '../platform/ports/logger.ts';
import { announce } from './announce.ts';
import type { RunningBot } from './bot.ts';
import { botUrl, explorerUrl, makeBot } from './make-bot.ts';
import { makeWorld } from './make-world.ts';
import type { LocalWorld } from './open-world.ts';
import { type Opened, runWatch, type Start, type Stops } from './role.ts';
import { createServices, type Services } from './services.ts';
import { startApiRole } from './start-api-role.ts';
import { startIndexer } from './start-indexer.ts';
import { startWorker } from './start-worker.ts';

/** A process that sends nothing asks nothing of replicas. */
const NO_STANDBYS = { assertSafe: () => undefined, stop: async () => undefined };

const TELEGRAM_SILENCE_MS = 45_000;
/** Between two blockhashes that a worker hears: some twenty blocks. */
const BLOCKHASH_BEAT_MS = 5_000;

/** The world of the process, and its verbs. */
export type Product = { readonly world: ReturnType<typeof makeWorld>['world']; readonly services: Services };

type Started = { readonly checks: PartChecks; readonly product: Product };

type StartInput = {
  readonly config: Config;
  readonly world: LocalWorld | null;
  readonly adapters: Opened;
  /** Where the open host is reached. Filled in here when it is not configured and this process serves it. */
  readonly site: { url: string | null };
  readonly log: Logger;
  readonly telegramToken: string;
  readonly print: (line: string) => void;
  readonly stops: Stops;
  /** Aborted when the process shall end, also while it still starts. */
  readonly stopping: AbortSignal;
};

/**
 * Starts the roles of the configuration over opened adapters; each pushes its end on `stops`. When it resolves, all of them answer and the
 * operator's lines are printed; `checks` asks the parts that they need, and `product` has the verbs that the roles use.
 */
export async function startRoles(input: StartInput): Promise<Started> {
  const { config, world: local, site, log, telegramToken, print, stops, stopping } = input;
  const { assertSafe, assertWell, assertStandbys } = await watchSafety(input);
  const vault = guardSigning(input.adapters.vault, assertSafe);
  const { adapters, board } = pausable({ ...input.adapters, vault }, log);
  const { treasury, genesisHash } = await openTreasury({ ...input, adapters });
  const start: Start = { config, local, adapters, site, log, stops };
  const { world, facts } = makeWorld(start, { treasury, genesisHash });
  const services = createServices(world);
  const product = { world, services, facts };
  const bot = makeBot(start, services, facts, telegramToken);

  // Before the roles that hand out its address.
  const api = config.roles.includes('api')
    ? await startApiRole(start, product, board, {
        isPlayMoney: local?.chain != null,
        sourceUrl: config.sourceUrl,
        transactionUrl: (signature) => explorerUrl(start).replace('{signature}', signature),
        botUrl: (payload) => botUrl(config.botUsername ?? bot.username(), payload, local),
      })
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
    await startWorker(start, product, bot, { assertSafe, assertWell });
  }
  if (config.roles.includes('indexer')) {
    const known = { config, isLocal: local?.chain != null, genesisHash, usd: world.usdMint };
    const { wellKnown, hubs } = world;
    stops.push(
      await startIndexer(adapters, { ...known, wellKnown, hubs, log: log.child({ module: 'indexer' }) }),
    );
  }
  if (config.roles.includes('bot')) await startBot(bot, stops, stopping);
  await announce({ config, world: local, chain: adapters.chain, treasury: treasury.address, api, print });
  const telegram = (): Promise<void> => answeredLately(bot.lastAnswerAt(), markOf(adapters.clock));
  const polls = config.roles.includes('bot') && config.bot.mode === 'polling';
  return {
    product,
    checks: {
      ...adapters.health,
      standby: async () => assertStandbys(),
      clock: async () => assertWell(),
      ...(polls ? { telegram } : {}),
    },
  };
}

/** Looks at the standbys of a worker and at the clock until the process ends. Each answer throws while a thing may not be done. */
async function watchSafety({
  config,
  adapters,
  log,
  stops,
}: Pick<Start, 'config' | 'adapters' | 'log' | 'stops'>) {
  const standbys = config.roles.includes('worker')
    ? await adapters.watchStandbys(config.standbys)
    : NO_STANDBYS;
  stops.push(standbys.stop);
  const clocks = createClockWatch({
    beat: adapters.heartbeat.beat,
    // A chain of one's own goes at its own pace.
    chainTime: config.rpcUrls === null ? async () => null : () => readChainTime(adapters.chain),
    now: () => adapters.clock.now(),
    pause,
    compared: adapters.clock.compared,
    log: log.child({ module: 'clocks' }),
  });
  // Before anything begins; /readyz reports a database that takes no write.
  await clocks.look().catch(() => undefined);
  stops.push(clocks.start());
  const assertWell = (): void => clocks.assertWell();
  /** One question before work and before a signature: is a commit kept, and is this clock right. */
  const assertSafe = (): void => {
    standbys.assertSafe();
    assertWell();
  };
  return { assertSafe, assertWell, assertStandbys: (): void => standbys.assertSafe() };
}

/** The treasury, which is made or waited for, and the name of the chain. Throws CONFIG_INVALID for a database role that may do too much. */
async function openTreasury({
  config,
  world: local,
  adapters,
  print,
  stopping,
}: Omit<StartInput, 'site' | 'log'>) {
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
  const fundPlayMoney = local?.chain?.airdrop;
  if (fundPlayMoney !== undefined) await fundTreasury(adapters, treasury.address, fundPlayMoney);
  if (config.roles.includes('worker')) await warnOfQuarantine(adapters, treasury.address, print);
  return { treasury, genesisHash };
}

/** Takes updates from now on. Telegram may be away for hours: a process that shall end does not wait for it. */
async function startBot(bot: RunningBot, stops: Stops, stopping: AbortSignal): Promise<void> {
  stops.push(() => bot.stop());
  stopping.addEventListener('abort', () => void bot.stop(), { once: true });
  await bot.start();
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

/** The same adapters, with the operator's pauses on them; every part that prices or routes gets these. */
function pausable(adapters: Opened, log: Logger): { readonly adapters: Opened; readonly board: SwitchBoard } {
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

/** Before a worker of a restored database could sign anything, it knows that it must not. */
async function warnOfQuarantine(
  adapters: Opened,
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
  { chain }: Pick<Opened, 'chain'>,
  treasury: Address,
  airdrop: (address: string, lamports: bigint) => Promise<unknown>,
): Promise<void> {
  if ((await chain.balance(treasury)) < LAMPORTS_PER_SOL / 10n) await airdrop(treasury, LAMPORTS_PER_SOL);
}

import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { steadyOf } from '../core/time/elapsed.ts';
import { createHistoryWatch } from '../modules/follows/use/read-histories.ts';
import { createFollowWatch } from '../modules/follows/use/watch-follows.ts';
import { launchPasses } from '../modules/launches/use/launch-figures.ts';
import { createLaunchNews } from '../modules/launches/use/tell-launches.ts';
import { createLaunchWatch } from '../modules/launches/use/watch-launches.ts';
import { indexTokens } from '../modules/market/use/index-tokens.ts';
import { keepTape, moveMarketWindows } from '../modules/market/use/keep-tape.ts';
import { createTrending, type TrendingDeps } from '../modules/market/use/work-out-trending.ts';
import { createPartsCheck } from '../modules/operations/use/ask-parts.ts';
import { createHealthSampler } from '../modules/operations/use/sample-health.ts';
import { ranked } from '../platform/chain/call-turns.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { RunningBot } from './bot.ts';
import { createWorker } from './create-worker.ts';
import type { Facts } from './make-world.ts';
import { type Opened, runWatch, type Start, type Stops } from './role.ts';
import type { Services } from './services.ts';
import type { World } from './world.ts';

/** Jobs that one worker process runs at the same time. */
const WORKER_CONCURRENCY = 20;

/** The parts of the product that a worker carries out. */
type Work = { readonly world: World; readonly services: Services; readonly facts: Facts };

type Rounds = Parameters<typeof runWatch>[0];

/** Throws while a thing may not be done. */
type Safety = { readonly assertSafe: () => void; readonly assertWell: () => void };

/** Takes jobs and runs the watches of all nouns. Resolves when the first job may come. */
export async function startWorker(
  { config, adapters, log, stops }: Start,
  work: Work,
  bot: RunningBot,
  { assertSafe, assertWell }: Safety,
): Promise<void> {
  const { world, services, facts } = work;
  const worker = await createWorker({
    ...adapters,
    relay: services.relay,
    watch: services.watch,
    services: {
      ...services,
      ...tapeKeeper(adapters, config, log),
      ...tokenKeeper(
        adapters,
        { market: facts.market, wellKnown: world.wellKnown, hubs: world.hubs },
        log,
        stops,
      ),
      deliverNotice: services.createDeliverNotice(bot.notifier),
    },
    log: log.child({ module: 'worker' }),
    concurrency: WORKER_CONCURRENCY,
    assertSafe,
    onOutage: adapters.outages.suspect,
    ranked,
  }).start();
  stops.push(() => worker.stop());
  const watches: Readonly<Record<string, Rounds>> = {
    ...services.watches,
    follows: leaderWatch(adapters, work, log),
    histories: createHistoryWatch({
      ...adapters,
      money: moneyOf(work),
      isFirst: () => services.watch.isFirst(),
      log: log.child({ module: 'follows' }),
    }),
    ...(adapters.launchFeed === null
      ? {}
      : { launches: launchWatch(adapters, adapters.launchFeed, work, log) }),
  };
  for (const [module, watch] of Object.entries(watches)) {
    const rounds = runWatch(watch, log.child({ module }), assertSafe);
    stops.push(() => rounds.stop());
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
    assertWell,
  );
  stops.push(() => sampling.stop());
}

/** SOL first, then dollars. */
const moneyOf = ({ world }: Pick<Work, 'world'>): readonly [Address, ...Address[]] => [
  WSOL_MINT,
  ...world.hubs.filter((mint) => mint !== WSOL_MINT),
];

/** Reads the trades of followed wallets from the tape. */
function leaderWatch(adapters: Opened, { world, services }: Work, log: Logger) {
  return createFollowWatch({
    ...adapters,
    feed: adapters.marketFeed,
    solPrice: services.solPrice,
    money: moneyOf({ world }),
    nudge: () => services.relay.nudge(),
    onChange: services.follows.onChange,
    onTrades: () => services.watches.copying.wake(),
    log: log.child({ module: 'follows' }),
  });
}

/** Sees the launches of all people. */
function launchWatch(
  adapters: Opened,
  launchFeed: NonNullable<Opened['launchFeed']>,
  { services, facts }: Work,
  log: Logger,
) {
  return createLaunchWatch({
    ...adapters,
    ...launchFeed,
    isFirst: () => services.watch.isFirst(),
    ...createLaunchNews({
      ...adapters,
      nudge: () => services.relay.nudge(),
      passes: (launch, filter) => launchPasses({ ...adapters, tokens: facts.tokens }, launch, filter),
    }),
    log: log.child({ module: 'launches' }),
  });
}

/** The workers' jobs for the tape. */
function tapeKeeper(adapters: Opened, { market }: Config, log: Logger) {
  const deps = { ...adapters, tapeMaxBytes: market.maxBytes, log: log.child({ module: 'tape' }) };
  return { moveMarketWindows: () => moveMarketWindows(deps), keepTape: () => keepTape(deps) };
}

/** The workers' jobs for the public facts of tokens. */
function tokenKeeper(
  adapters: Opened,
  known: Pick<TrendingDeps, 'market' | 'wellKnown' | 'hubs'>,
  log: Logger,
  stops: Stops,
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

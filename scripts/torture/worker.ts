/** One worker process of the torture: the real jobs on the real adapters, options as JSON in the first argument. */

import { createWorker } from '../../src/compose/create-worker.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import { createDeliverNotice } from '../../src/engine/transactions/use/deliver-notice.ts';
import { createStepIntent, type StepIntent } from '../../src/engine/transactions/use/step-intent.ts';
import { sweep } from '../../src/engine/transactions/use/sweep.ts';
import { runWatch } from '../../src/engine/watch/jobs.ts';
import { createHearNews } from '../../src/engine/watch/use/hear-news.ts';
import { createNews } from '../../src/engine/watch/use/news.ts';
import { createWatch } from '../../src/engine/watch/use/watch-attempts.ts';
import { createOrderWatch } from '../../src/modules/orders/use/watch-orders.ts';
import { collectPayouts } from '../../src/modules/referrals/use/collect-payouts.ts';
import { freshPools } from '../../src/modules/trading/use/fresh-pools.ts';
import { mintsOf } from '../../src/modules/trading/use/own-wallet.ts';
import { createPollFeed } from '../../src/modules/trading/use/poll-pools.ts';
import { composeProcess, PLACES_PER_WORKER, type ProcessOptions } from './compose.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const { deps, runner, queue, orders, orderFeed, trade } = await composeProcess(options);
const { db, clock, relay } = deps;

/** A worker with this many steps is in the middle of more; killed any earlier it would prove nothing and get nowhere. */
const STEPS_BEFORE_DEATH = 4;

const ORDER_LOOKS_PER_SECOND = 20;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

// A real supervisor restarts a process that dies of a bug; here the report must show it.
process.on('uncaughtException', (error) => {
  console.error(`worker bug: ${error.stack ?? error.message}`);
  process.exit(70);
});

const bareStep = createStepIntent(deps, { stretchMs: 2_500 });
let steps = 0;
const step: StepIntent = async (...asked) => {
  const result = await bareStep(...asked);
  steps += 1;
  if (steps === STEPS_BEFORE_DEATH) process.stdout.write('at work\n');
  return result;
};
const sweepNow = (): Promise<void> => sweep({ db, queue, clock, relay });
const watch = createWatch({
  ...deps,
  step,
  onNews: createHearNews({
    clock,
    log: SILENT,
    isFirst: () => watch.isFirst(),
    sweep: sweepNow,
    wakeOrders: () => watchOrders.wake(),
    // No caller submits here.
    wakeSubmissions: () => undefined,
  }),
});
// Each worker evaluates: who holds the shards dies with them, and the next one begins with empty windows.
const watchOrders = createOrderWatch({
  ...orders,
  orderFeed,
  news: createNews(),
  owner: deps.owner,
  tradeFeeBps: () => deps.fees(clock.now()).tradeBps,
  log: SILENT,
  feed: createPollFeed({
    load: (mint) => freshPools(trade, mintsOf('buy', mint))(),
    clock,
    perSecond: ORDER_LOOKS_PER_SECOND,
    onProblem: () => undefined,
  }),
});

await createWorker({
  runner,
  queue,
  clock,
  relay,
  watch,
  services: {
    stepIntent: async (intentId) => {
      const result = await step(intentId);
      return watch.follow(intentId, result) ? { kind: 'done' } : result;
    },
    deliverNotice: createDeliverNotice({
      db,
      clock,
      notifier: { deliver: async () => ({ kind: 'delivered' }) },
    }),
    collectPayouts: () => collectPayouts({ ...deps, minimumLamports: 0n }),
    sendMail: async () => ({ kind: 'done' }),
    sweepMails: async () => undefined,
    // The torture has no dialogues.
    watchBuilds: async () => undefined,
    judgeTrades: async () => undefined,
    refreshPools: async () => undefined,
    moveMarketWindows: async () => undefined,
    indexTokens: async () => undefined,
    workOutTrending: async () => undefined,
    keepTape: async () => undefined,
    watchLaunches: async () => undefined,
    settlePoints: async () => undefined,
    keepPositions: async () => undefined,
    cleanUp: async () => undefined,
    sweep: sweepNow,
  },
  log: SILENT,
  concurrency: PLACES_PER_WORKER,
})
  .start()
  .catch((error: unknown) => {
    // The queue went away while it started: said in a sentence, and the supervisor starts the next one.
    if (!hasCode(error, 'QUEUE_UNREACHABLE')) throw error;
    process.exit(1);
  });

runWatch(watchOrders, SILENT);

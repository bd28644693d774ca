import { createReceivableFee } from '../engine/fees/use/platform-fee.ts';
import { createPlans, SETTLEMENTS } from '../engine/intents/kinds/index.ts';
import { createDeliverNotice } from '../engine/transactions/use/deliver-notice.ts';
import type { TransactionDeps } from '../engine/transactions/use/deps.ts';
import { createRehearse } from '../engine/transactions/use/rehearse-plan.ts';
import { createRelay } from '../engine/transactions/use/relay-outbox.ts';
import { createStepIntent } from '../engine/transactions/use/step-intent.ts';
import { sweep } from '../engine/transactions/use/sweep.ts';
import { createHearNews } from '../engine/watch/use/hear-news.ts';
import { createWatch } from '../engine/watch/use/watch-attempts.ts';
import { createAlerts } from '../modules/alerts/index.ts';
import { createAutoBuy } from '../modules/auto-buy/index.ts';
import { createConvert } from '../modules/convert/index.ts';
import { createCopying } from '../modules/copying/index.ts';
import { createDeposits } from '../modules/deposits/index.ts';
import { createFollows } from '../modules/follows/index.ts';
import { createGames } from '../modules/games/index.ts';
import { createGroups } from '../modules/groups/index.ts';
import { createGuard, createSpending } from '../modules/guard/index.ts';
import { createKeys } from '../modules/keys/index.ts';
import { createLaunch } from '../modules/launch/index.ts';
import { createMail } from '../modules/mail/index.ts';
import { createMarket } from '../modules/market/index.ts';
import { createMint } from '../modules/mint/index.ts';
import { createOperations } from '../modules/operations/index.ts';
import { createOrders } from '../modules/orders/index.ts';
import { TRIGGER_PRICE_MS } from '../modules/orders/use/order-deps.ts';
import { createPaper } from '../modules/paper/index.ts';
import { createPersonalKeys } from '../modules/personal-keys/index.ts';
import { createPoints } from '../modules/points/index.ts';
import { createPositions } from '../modules/positions/index.ts';
import { createReferrals } from '../modules/referrals/index.ts';
import { createSettings } from '../modules/settings/index.ts';
import { createSubmissions } from '../modules/submissions/index.ts';
import { createTokens } from '../modules/tokens/index.ts';
import { createPricing, createTrading } from '../modules/trading/index.ts';
import { createWallets } from '../modules/wallets/index.ts';
import { createWebhooks } from '../modules/webhooks/index.ts';
import { createWithdrawals } from '../modules/withdrawals/index.ts';
import type { JobResult } from '../platform/ports/job-queue.ts';
import type { Notifier } from '../platform/ports/notifier.ts';
import type { World } from './world.ts';

/** A step does one thing after the other for this long before it gives its place back. */
const STRETCH_MS = 2_500;

/** What money runs on: prices, the gate of spending, the plans of each kind of intent, and the steps that carry one out. */
function createMoneyPath(world: World) {
  const relay = createRelay(world);
  const market = createMarket(world);
  const points = createPoints(world);
  const pricing = createPricing(world, { points });
  const spending = createSpending(world, { relay, pricing });
  const receivableFee = createReceivableFee({ ...world, treasury: world.treasury.address });
  const rehearse = createRehearse(world);
  const mint = createMint(world, { spending, receivableFee, rehearse });
  const launch = createLaunch(world, { relay, receivableFee, rehearse });
  const plans = createPlans({ ...world, trade: pricing.trade, mint: mint.plans, launch: launch.plans });
  const transactions: TransactionDeps = { ...world, plans, settlements: SETTLEMENTS, relay };
  const step = createStepIntent(transactions, { stretchMs: STRETCH_MS });
  return { relay, market, pricing, spending, mint, launch, transactions, step };
}

/** The nouns of a person, and the upkeep. */
function createNouns(world: World, money: MoneyPath) {
  const { relay, market, pricing, spending, transactions } = money;
  const guard = createGuard(world, { relay });
  const tokens = createTokens(world);
  const paper = createPaper(world, { pricing });
  const triggerPrice = market.solPriceWithin(TRIGGER_PRICE_MS);
  const orders = createOrders(world, { transactions, spending, pricing, triggerPrice });
  return {
    guard,
    tokens,
    paper,
    orders,
    settings: createSettings(world, { guard }),
    wallets: createWallets(world, { relay, guard }),
    withdrawals: createWithdrawals(world, { relay, guard }),
    referrals: createReferrals(world, { relay, guard }),
    trading: createTrading(world, { pricing, spending, market }),
    autoBuy: createAutoBuy(world),
    positions: createPositions(world, { pricing, market, spending }),
    alerts: createAlerts(world, { relay, pricing, triggerPrice }),
    follows: createFollows(world),
    copying: createCopying(world, { orders, pricing }),
    groups: createGroups(world, { paper }),
    personalKeys: createPersonalKeys(world, { relay, spending, pricing, orders }),
    games: createGames(world),
    convert: createConvert(world, { relay }),
    keys: createKeys(world, { relay }),
    mail: createMail(world),
    operations: createOperations(world),
    webhooks: createWebhooks(world, { relay }),
  };
}

/** The watch of the sent attempts, and the nouns whose rounds ask it whose a thing is. */
function createWatching(world: World, { relay, step }: MoneyPath, { orders, webhooks, positions }: Nouns) {
  const submissions = createSubmissions(world, {
    owns: (signature) => watch.owns(signature),
    onEvent: () => webhooks.watch.wake(),
  });
  const deposits = createDeposits(world, { relay, positions, owns: (walletId) => watch.owns(walletId) });
  const sweepNow = (): Promise<void> => sweep({ ...world, relay });
  const watch = createWatch({
    ...world,
    step,
    onNews: createHearNews({
      ...world,
      isFirst: () => watch.isFirst(),
      sweep: sweepNow,
      wakeOrders: () => orders.watch.wake(),
      wakeSubmissions: () => submissions.watch.wake(),
    }),
  });
  return { watch, sweep: sweepNow, submissions, deposits };
}

type MoneyPath = ReturnType<typeof createMoneyPath>;
type Nouns = ReturnType<typeof createNouns>;
type Watching = ReturnType<typeof createWatching>;

/** The verbs of the chat. */
function chatVerbs({ launch, market, mint, spending }: MoneyPath, nouns: Nouns) {
  const { guard, positions, wallets } = nouns;
  return {
    trade: { ...nouns.trading, ...nouns.tokens, ...nouns.paper },
    orders: nouns.orders.verbs,
    alerts: nouns.alerts,
    follows: nouns.follows,
    copying: nouns.copying,
    groups: nouns.groups,
    personalKeys: nouns.personalKeys,
    autoBuy: nouns.autoBuy,
    positions: positions.positions,
    emptyAccounts: positions.emptyAccounts,
    mint: mint.verbs,
    launch: { ...launch.verbs, confirmLaunch: mint.confirmLaunch },
    funds: wallets.funds,
    backups: wallets.backups,
    withdrawals: nouns.withdrawals,
    guard: {
      ...guard.verbs,
      ...nouns.settings,
      whyPin: spending.whyPin,
      chooseCode: nouns.referrals.chooseCode,
      assertMaySwitch: wallets.assertMaySwitch,
    },
    games: nouns.games,
    convert: nouns.convert,
    keyReview: nouns.keys.review,
    solPrice: market.solPrice,
  };
}

export type ChatVerbs = ReturnType<typeof chatVerbs>;

/** The work of the jobs. */
function jobVerbs({ step, mint, launch, market }: MoneyPath, nouns: Nouns, { watch, sweep }: Watching) {
  const { games, convert, operations } = nouns;
  return {
    stepIntent: async (intentId: string): Promise<JobResult> => {
      const result = await step(intentId);
      return watch.follow(intentId, result) ? { kind: 'done' } : result;
    },
    sweep,
    sendMail: nouns.keys.sendMail,
    sweepMails: nouns.mail.sweepMails,
    collectPayouts: nouns.referrals.collectPayouts,
    watchLaunches: launch.watchLaunches,
    keepPositions: nouns.positions.keep,
    /** Finishes the open work in points: rounds that were left between bet and result, convert periods. */
    settlePoints: async () => {
      await games.settleStarted();
      await convert.advance();
    },
    refreshPools: market.refreshPools,
    judgeTrades: nouns.trading.judgeTrades,
    watchBuilds: operations.watchBuilds,
    cleanUp: async () => {
      await operations.clearAway();
      // Last: it asks the chain, which may be away.
      await mint.settleDocuments();
    },
  };
}

/**
 * The use cases of one process: those of the chat, of the jobs and of the host of the API. Nothing runs yet. A role starts the watches and
 * the jobs that are its own.
 */
export function createServices(world: World) {
  const money = createMoneyPath(world);
  const nouns = createNouns(world, money);
  const watching = createWatching(world, money, nouns);
  const { guard, orders, alerts, groups, copying, keys, personalKeys, webhooks } = nouns;
  return {
    relay: money.relay,
    /** Looks after the sent attempts. */
    watch: watching.watch,
    ...chatVerbs(money, nouns),
    ...jobVerbs(money, nouns, watching),
    createDeliverNotice: (notifier: Notifier) =>
      createDeliverNotice({ ...world, notifier, alsoTell: guard.mailNotice }),
    /** The rounds of a worker, by the module that logs them. */
    watches: {
      orders: orders.watch,
      alerts: alerts.watch,
      submissions: watching.submissions.watch,
      groups: groups.watch,
      copying: copying.watch,
      'personal-keys': personalKeys.watch,
      deposits: watching.deposits.watch,
    },
    /** Of the process that serves the API: its secret signs the events. */
    watchWebhooks: webhooks.watch,
    /** For the host of the API. */
    desks: { keys: keys.desk, programs: personalKeys.desk, webhooks: webhooks.desk },
    stopByMail: guard.stopByMail,
    poolQuarantine: money.pricing.trade.poolQuarantine,
  };
}

export type Services = ReturnType<typeof createServices>;

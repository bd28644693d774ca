import type { Address } from '../core/address/address.ts';
import type { FeesAt } from '../core/fees/fee-table.ts';
import type { GameName } from '../core/games/tables.ts';
import type { GuardRules } from '../core/guard/guard.ts';
import type { KeyGrant, KeyRequest } from '../core/keys/key-request.ts';
import type { Order, OrderGroup } from '../core/orders/order.ts';
import type { Chain, MessageCompiler } from '../core/ports/chain.ts';
import type { ChainHistory } from '../core/ports/chain-history.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { DialogStore } from '../core/ports/dialog-store.ts';
import type { GameSeeds } from '../core/ports/game-seeds.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { JobQueue, JobResult } from '../core/ports/job-queue.ts';
import type { Launchpad } from '../core/ports/launchpad.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { LookupTables } from '../core/ports/lookup-tables.ts';
import type { MetadataStore } from '../core/ports/metadata-store.ts';
import type { MintKeys } from '../core/ports/mint-keys.ts';
import type { Notifier } from '../core/ports/notifier.ts';
import type { RecoveryCodes } from '../core/ports/one-time-codes.ts';
import type { OrderFeedStore } from '../core/ports/order-feed-store.ts';
import type { PoolCatalogue } from '../core/ports/pool-catalogue.ts';
import type { Programs } from '../core/ports/programs.ts';
import type { RetentionStore } from '../core/ports/retention-store.ts';
import type { RpcMeter } from '../core/ports/rpc-meter.ts';
import type { Database } from '../core/ports/stores.ts';
import type { Vault } from '../core/ports/vault.ts';
import type { Venue } from '../core/ports/venue.ts';
import type { WalletFeed } from '../core/ports/wallet-feed.ts';
import type { ReferralAction } from '../core/referrals/required-for.ts';
import type { WellKnownToken } from '../core/tokens/safety.ts';
import { isBackupText } from '../core/wallets/backup-text.ts';
import type { Wallet } from '../core/wallets/wallet.ts';
import { createPlans, SETTLEMENTS } from '../intents/index.ts';
import type { LaunchParams } from '../intents/launch/params.ts';
import type { AggregatorQuotes } from './aggregators/aggregator-quotes.ts';
import type { AlertDeps } from './alerts/alert-deps.ts';
import { type PlaceAlertInput, placeAlert, rearmAlert, removeAlert } from './alerts/place-alert.ts';
import { priceNow, resolveAlert } from './alerts/resolve-alert.ts';
import { createAlertWatch } from './alerts/watch-alerts.ts';
import { proposedGrant } from './api-keys/grant-of.ts';
import {
  askBack,
  grantRequest,
  type Reviewer,
  refuseRequest,
  reviewedRequest,
  waitingRequests,
} from './api-keys/review-request.ts';
import { type SendMailDeps, sendMail } from './api-keys/send-mail.ts';
import { boughtLately } from './auto-buy/bought-lately.ts';
import {
  assertPassphrase,
  authorizeExport,
  type BackupDeps,
  exportWallet,
  importWallet,
} from './backups/wallet-backups.ts';
import { advanceConvert } from './convert/advance-convert.ts';
import { convertOverview } from './convert/convert-overview.ts';
import { type EnterConvertInput, enterConvert } from './convert/enter-convert.ts';
import { createDepositWatch } from './deposits/watch-deposits.ts';
import { openRound } from './games/open-round.ts';
import { playRound } from './games/play-round.ts';
import { settleStarted } from './games/settle-round.ts';
import type { Bet } from './games/start-round.ts';
import { addAddress, blockAddress, listAddresses, removeAddress } from './guard/address-book.ts';
import { changeCap } from './guard/change-cap.ts';
import { deleteWallet } from './guard/delete-wallet.ts';
import { createDoubtToken } from './guard/doubt-token.ts';
import { freezeAccount, unfreezeAccount } from './guard/freeze-account.ts';
import { guardOverview } from './guard/guard-overview.ts';
import { createSpendingIntent, whyPin } from './guard/guard-spending.ts';
import {
  beginRecoveryCodes,
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
} from './guard/second-factor.ts';
import { beginPinChange, hashPin, setPin } from './guard/set-pin.ts';
import { lockTrades, unlockTrades } from './guard/unlock-trades.ts';
import { launchProgress, watchLaunches } from './launch/launch-progress.ts';
import { type LaunchRequest, quoteLaunch } from './launch/quote-launch.ts';
import { sweepMails } from './mail/sweep-mails.ts';
import type { LoadUsdPrices } from './market/load-usd-prices.ts';
import { refreshPools } from './market/refresh-pools.ts';
import { createSolPrice } from './market/sol-price.ts';
import { settleDocuments } from './metadata/settle-documents.ts';
import { type ConfirmMintInput, confirmCreateToken, confirmRevokeAuthority } from './mint/confirm-mint.ts';
import { finishToken } from './mint/finish-token.ts';
import { createMetadataWay } from './mint/metadata-way.ts';
import { quoteCreateToken } from './mint/quote-create-token.ts';
import { quoteRevokeAuthority } from './mint/quote-revoke-authority.ts';
import { clearAway } from './operations/clear-away.ts';
import { legsOf } from './orders/bracket.ts';
import { type BuyWithLegsInput, buyWithLegs } from './orders/buy-with-legs.ts';
import { cancelOrder, changeAllOrders, pauseOrder, resumeOrder } from './orders/change-order.ts';
import type { DraftGroup } from './orders/draft.ts';
import { type EditOrderInput, editOrder, viewEdit } from './orders/edit-order.ts';
import { entryPrice } from './orders/entry-price.ts';
import { createFireMarket } from './orders/fire-market.ts';
import { type OrderDeps, TRIGGER_PRICE_MS } from './orders/order-deps.ts';
import { type PlaceOrdersInput, placeOrders, viewDraft } from './orders/place-orders.ts';
import { createPollFeed } from './orders/poll-pools.ts';
import { resolveBand, resolvePrice } from './orders/resolve-price.ts';
import { trailHigh } from './orders/trail-high.ts';
import { createOrderNews, createOrderWatch } from './orders/watch-orders.ts';
import { type PaperOrder, paperQuote } from './paper/paper-quote.ts';
import { collectPayouts } from './payouts/collect-payouts.ts';
import { createFeeDiscount } from './points/fee-discount.ts';
import {
  type ConfirmCleanUpInput,
  confirmCleanUp,
  findEmptyAccounts,
  quoteCleanUp,
} from './portfolio/clean-up.ts';
import { createPositionServices } from './portfolio/index.ts';
import { lookUpToken } from './tokens/look-up-token.ts';
import { suggestTokens } from './tokens/suggest-tokens.ts';
import { type ConfirmTradeInput, confirmTrade } from './trading/confirm-trade.ts';
import { createExitCheck } from './trading/exit-check.ts';
import { freshPools } from './trading/fresh-pools.ts';
import { marketDepth } from './trading/market-depth.ts';
import { mintsOf } from './trading/own-wallet.ts';
import { createPoolQuarantine } from './trading/pool-quarantine.ts';
import { quoteTrade } from './trading/quote-trade.ts';
import { tradeCard } from './trading/trade-card.ts';
import type { TradeRequest } from './trading/trade-quote.ts';
import type { TradeDeps } from './trading/trading-deps.ts';
import { cancelIntent } from './transactions/cancel-intent.ts';
import { createDeliverNotice } from './transactions/deliver-notice.ts';
import type { TransactionDeps } from './transactions/deps.ts';
import { createRehearse } from './transactions/rehearse-plan.ts';
import { createRelay } from './transactions/relay-outbox.ts';
import { createStepIntent } from './transactions/step-intent.ts';
import { sweep } from './transactions/sweep.ts';
import { createPlatformFee, createReceivableFee } from './treasury/platform-fee.ts';
import { createHearNews } from './watch/hear-news.ts';
import { createWatch, type Outages } from './watch/watch-attempts.ts';
import { confirmWithdrawal } from './withdrawals/confirm-withdrawal.ts';
import { prepareWithdrawal } from './withdrawals/prepare-withdrawal.ts';
import { tokenValue } from './withdrawals/token-value.ts';
import { withdrawalRecipient } from './withdrawals/withdrawal-recipient.ts';

export type ServiceDeps = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly dialogs: DialogStore;
  readonly chain: Chain;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly compiler: MessageCompiler;
  readonly programs: Programs;
  readonly venues: readonly Venue[];
  readonly catalogue: PoolCatalogue;
  readonly rpcMeter: RpcMeter;
  readonly vault: Vault;
  readonly mintKeys: MintKeys;
  readonly metadata: MetadataStore;
  readonly retention: RetentionStore;
  readonly codes: RecoveryCodes;
  readonly gameSeeds: GameSeeds;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Absent: what looks repeatedly logs an outage itself. */
  readonly outages?: Outages;
  readonly pause: (ms: number) => Promise<void>;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly treasury: Wallet;
  readonly fees: FeesAt;
  /** Those that are configured and that the cluster has. */
  readonly launchpads: readonly Launchpad[];
  /** What people need a referral account for. */
  readonly referralRequiredFor: ReadonlySet<ReferralAction>;
  readonly payoutMinLamports: bigint;
  readonly guardRules: GuardRules;
  readonly maxWallets: number;
  readonly usdMint: Address | null;
  /** The dollars of the market data; absent: SOL is priced from its pools as they are now. */
  readonly usdPrices?: LoadUsdPrices;
  readonly wellKnown: readonly WellKnownToken[];
  /** Tokens of a local chain's own: neither young nor home-made, whatever the chain says. */
  readonly seededMints: readonly Address[];
  /** Aggregators that compete with our own router; absent when none is switched on. */
  readonly aggregatorQuotes?: AggregatorQuotes;
  /** The operator's own; absent means none. */
  readonly lookupTables?: LookupTables;
  readonly routerProgram?: boolean;
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  /** Keys by request and mail. */
  readonly keys: Pick<SendMailDeps, 'mailer' | 'tokens' | 'secrets' | 'keyMail' | 'siteUrl' | 'operators'> & {
    readonly maxRate: number;
  };
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
  /** Lamports that a person's orders may spend within 24 hours. */
  readonly autoSpendCapLamports: bigint;
  readonly orderFeed: OrderFeedStore;
  readonly walletFeed: WalletFeed;
  /** Looks at tokens with open orders, at most per second. */
  readonly ordersPerSecond: number;
};

/** A step does one thing after the other for this long before it gives its place back. */
const STRETCH_MS = 2_500;

/** The use cases, bound to one process's dependencies. */
export function createServices(deps: ServiceDeps) {
  const { db, queue, chain, programs, venues, clock, ids, treasury } = deps;
  const relay = createRelay({ db, queue, clock, log: deps.log });
  const poolQuarantine = createPoolQuarantine({ clock, log: deps.log.child({ module: 'trading' }) });
  const exitCheck = createExitCheck({ ...deps, treasury: treasury.address });
  const trade: TradeDeps = {
    exitCheck,
    chain,
    venues,
    programs,
    clock,
    treasury: treasury.address,
    platformFee: createPlatformFee({
      chain,
      clock,
      treasury: treasury.address,
      fees: deps.fees,
      discountBps: createFeeDiscount({ db, clock }),
    }),
    wellKnown: deps.wellKnown,
    hubs: deps.hubs,
    maxStateAgeMs: deps.maxStateAgeMs,
    poolQuarantine,
    ...(deps.aggregatorQuotes === undefined ? {} : { aggregatorQuotes: deps.aggregatorQuotes }),
    ...(deps.lookupTables === undefined ? {} : { lookupTables: deps.lookupTables }),
    ...(deps.routerProgram === undefined ? {} : { routerProgram: deps.routerProgram }),
  };
  const receivableFee = createReceivableFee({ chain, clock, treasury: treasury.address });
  const rehearse = createRehearse(deps);
  const mint = {
    ...deps,
    treasury: treasury.address,
    receivableFee,
    metadataWay: createMetadataWay({ chain, clock }),
    rehearse,
    createFeeLamports: () => deps.fees(clock.now()).createLamports,
  };
  const launch = {
    ...deps,
    treasury: treasury.address,
    receivableFee,
    rehearse,
    launchFeeLamports: () => deps.fees(clock.now()).launchLamports,
  };
  const plans = createPlans({ chain, programs, trade, mint, launch });
  const settlements = SETTLEMENTS;
  const transactions: TransactionDeps = { ...deps, plans, settlements, relay };
  const step = createStepIntent(transactions, { stretchMs: STRETCH_MS });
  const knownMints = new Set([...deps.hubs, ...deps.wellKnown.map(({ mint }) => mint), ...deps.seededMints]);
  const intents = {
    db,
    clock,
    ids,
    relay,
    vault: deps.vault,
    guardRules: deps.guardRules,
    doubtToken: createDoubtToken({ ...deps, exitCheck, knownMints }),
  };
  const confirmingFor = (action: ReferralAction) => ({
    db,
    needsReferralAccount: deps.referralRequiredFor.has(action),
    createIntent: (input: Parameters<typeof createSpendingIntent>[1]) => createSpendingIntent(intents, input),
  });
  const games = { db, seeds: deps.gameSeeds, clock, ids };
  const guarded: BackupDeps = { ...deps, settlements, relay };
  const review = { db, clock, ids, operators: deps.keys.operators, nudge: () => relay.nudge() };
  const solPrice = createSolPrice(deps);
  const triggerPrice = createSolPrice({ ...deps, atMostMs: TRIGGER_PRICE_MS });

  const positions = createPositionServices({ ...deps, trade, solPrice });

  const orderNews = createOrderNews();
  const orders: OrderDeps = {
    ...transactions,
    ...intents,
    pause: deps.pause,
    trade,
    market: createFireMarket(trade),
    solPrice: triggerPrice,
    autoSpendCapLamports: deps.autoSpendCapLamports,
    ordersChanged: () => orderNews.changed(),
  };

  const watchOrders = createOrderWatch({
    ...orders,
    orderFeed: deps.orderFeed,
    news: orderNews,
    owner: deps.owner,
    tradeFeeBps: () => deps.fees(clock.now()).tradeBps,
    feed: createPollFeed({
      load: (mint) => freshPools(trade, mintsOf('buy', mint))(),
      now: () => clock.now(),
      perSecond: deps.ordersPerSecond,
      onProblem: (mint, err) => deps.log.warn({ mint, err }, 'pools of a watched token could not be read'),
    }),
  });
  const sweepNow = (): Promise<void> => sweep({ db, queue, clock, relay });
  const watch = createWatch({
    ...deps,
    step,
    onNews: createHearNews({
      clock,
      log: deps.log,
      isFirst: () => watch.isFirst(),
      sweep: sweepNow,
      wakeOrders: () => watchOrders.wake(),
    }),
  });

  const alertNews = createOrderNews();
  const alerts: AlertDeps = {
    db,
    clock,
    ids,
    trade,
    solPrice: triggerPrice,
    nudge: () => relay.nudge(),
    alertsChanged: () => alertNews.changed(),
  };

  return {
    relay,
    solPrice,
    alerts: {
      priceNow: (mint: Address) => priceNow(alerts, mint),
      resolve: (asked: Parameters<typeof resolveAlert>[1]) => resolveAlert(alerts, asked),
      place: (input: PlaceAlertInput) => placeAlert(alerts, input),
      remove: (input: Parameters<typeof removeAlert>[1]) => removeAlert(alerts, input),
      rearm: (input: Parameters<typeof rearmAlert>[1]) => rearmAlert(alerts, input),
    },
    autoBuy: {
      lately: async (input: Parameters<typeof boughtLately>[1]) => ({
        ...(await boughtLately({ db, clock }, input)),
        capUnasked: deps.autoSpendCapLamports,
      }),
    },
    /** Compares alerts with prices while it runs. */
    watchAlerts: createAlertWatch({
      ...alerts,
      log: deps.log,
      onChange: (listener) => alertNews.onChange(listener),
      feed: createPollFeed({
        load: (mint) => freshPools(trade, mintsOf('buy', mint))(),
        now: () => clock.now(),
        // Alerts are no money: a quarter of what orders may look.
        perSecond: Math.max(1, deps.ordersPerSecond / 4),
        onProblem: (mint, err) => deps.log.warn({ mint, err }, 'pools of a watched token could not be read'),
      }),
    }),
    orders: {
      viewDraft: (draft: DraftGroup) => viewDraft(orders, draft),
      resolvePrice: (asked: Parameters<typeof resolvePrice>[1]) => resolvePrice(orders, asked),
      entryPrice: (asked: Parameters<typeof entryPrice>[1]) => entryPrice(orders, asked),
      /** What the evaluator saw last. */
      marks: (mints: readonly Address[]) => deps.orderFeed.marks(mints),
      trailHigh: (group: OrderGroup, order: Order) =>
        trailHigh({ ...orders, orderFeed: deps.orderFeed }, group, order),
      place: (input: PlaceOrdersInput) => placeOrders(orders, input),
      cancel: (input: Parameters<typeof cancelOrder>[1]) => cancelOrder(orders, input),
      pause: (input: Parameters<typeof pauseOrder>[1]) => pauseOrder(orders, input),
      resume: (input: Parameters<typeof resumeOrder>[1]) => resumeOrder(orders, input),
      changeAll: (input: Parameters<typeof changeAllOrders>[1]) => changeAllOrders(orders, input),
      resolveBand: (asked: Parameters<typeof resolveBand>[1]) => resolveBand(orders, asked),
      viewEdit: (input: EditOrderInput) => viewEdit(orders, input),
      edit: (input: EditOrderInput) => editOrder(orders, input),
      /** The orders that wait for what this entry buys; null where none do. */
      legsOf: (entryOrderId: string) => legsOf(db.orders, entryOrderId),
      /** A purchase with the orders that sell what it brings. */
      buyWithLegs: (input: BuyWithLegsInput) =>
        buyWithLegs(
          {
            ...orders,
            confirming: { ...trade, ...confirmingFor('trade') },
            createSpendingIntent: (request) => createSpendingIntent(intents, request),
          },
          input,
        ),
    },
    /** Evaluates orders while it runs. */
    watchOrders,
    positions,
    /** Tells what people's wallets receive while it runs. */
    watchDeposits: createDepositWatch({
      ...deps,
      feed: deps.walletFeed,
      owns: (walletId) => watch.owns(walletId),
      worthOf: positions.worthOf,
      nudge: () => relay.nudge(),
    }),
    keepPositions: async () => {
      try {
        await positions.snapshotDay();
      } finally {
        // Neither may keep the other from its turn.
        await positions.reconcileDue();
      }
    },
    emptyAccounts: {
      find: (wallet: Address) => findEmptyAccounts({ chain }, wallet),
      quote: (input: Parameters<typeof quoteCleanUp>[1]) => quoteCleanUp({ chain, db }, input),
      confirm: (input: ConfirmCleanUpInput) => confirmCleanUp(confirmingFor('trade'), input),
    },
    poolQuarantine,
    trade: {
      lookUpToken: (text: string) => lookUpToken({ chain, venues, catalogue: deps.catalogue }, text),
      suggestTokens: (wallet: Address) => suggestTokens({ chain, venues }, wallet),
      tradeCard: (input: Parameters<typeof tradeCard>[1]) => tradeCard({ ...trade, solPrice }, input),
      quoteTrade: (request: TradeRequest) => quoteTrade(trade, request),
      paperQuote: (order: PaperOrder) => paperQuote({ ...trade, fees: deps.fees }, order),
      marketDepth: (mintAddress: Address) => marketDepth(trade, mintAddress),
      confirmTrade: (input: ConfirmTradeInput) =>
        confirmTrade({ ...trade, ...confirmingFor('trade') }, input),
    },
    mint: {
      quoteCreateToken: (request: Parameters<typeof quoteCreateToken>[1]) => quoteCreateToken(mint, request),
      confirmCreateToken: (input: Parameters<typeof confirmCreateToken>[1]) =>
        confirmCreateToken(confirmingFor('create'), input),
      finishToken: (input: Parameters<typeof finishToken>[1]) => finishToken(confirmingFor('create'), input),
      quoteRevokeAuthority: (request: Parameters<typeof quoteRevokeAuthority>[1]) =>
        quoteRevokeAuthority({ db, programs }, request),
      confirmRevokeAuthority: (input: Parameters<typeof confirmRevokeAuthority>[1]) =>
        confirmRevokeAuthority(confirmingFor('create'), input),
    },
    launch: {
      /** What this cluster has; empty where there is none. */
      launchpads: deps.launchpads.map(({ name, label, limits }) => ({ name, label, limits })),
      quoteLaunch: (request: LaunchRequest) => quoteLaunch(launch, request),
      confirmLaunch: (input: ConfirmMintInput<LaunchParams>) =>
        confirmCreateToken(confirmingFor('launch'), input),
      launchProgress: (mintAddress: Address) => launchProgress(deps, mintAddress),
    },
    watchLaunches: () => watchLaunches({ ...deps, relay }),
    withdrawals: {
      checkRecipient: (sender: Address, text: string) => withdrawalRecipient(chain, sender, text),
      prepareWithdrawal: (request: Parameters<typeof prepareWithdrawal>[1]) =>
        prepareWithdrawal({ db, chain, programs }, request),
      confirmWithdrawal: (input: Parameters<typeof confirmWithdrawal>[1]) =>
        confirmWithdrawal({ ...deps, relay, tokenValue: (params) => tokenValue(deps, params) }, input),
      cancelIntent: (input: Parameters<typeof cancelIntent>[1]) => cancelIntent(guarded, input),
    },
    guard: {
      overview: (input: Parameters<typeof guardOverview>[1]) => guardOverview(guarded, input),
      hashPin: (input: Parameters<typeof hashPin>[1]) => hashPin(guarded, input),
      beginPinChange: (input: Parameters<typeof beginPinChange>[1]) => beginPinChange(guarded, input),
      setPin: (input: Parameters<typeof setPin>[1]) => setPin(guarded, input),
      beginSecondFactor: (input: Parameters<typeof beginSecondFactor>[1]) =>
        beginSecondFactor(guarded, input),
      beginRecoveryCodes: (input: Parameters<typeof beginRecoveryCodes>[1]) =>
        beginRecoveryCodes(guarded, input),
      confirmSecondFactor: (input: Parameters<typeof confirmSecondFactor>[1]) =>
        confirmSecondFactor(guarded, input),
      endSecondFactor: (input: Parameters<typeof endSecondFactor>[1]) => endSecondFactor(guarded, input),
      changeCap: (input: Parameters<typeof changeCap>[1]) => changeCap(guarded, input),
      whyPin: (input: Parameters<typeof whyPin>[1]) => whyPin(intents, input),
      unlockTrades: (input: Parameters<typeof unlockTrades>[1]) => unlockTrades(guarded, input),
      lockTrades: (input: Parameters<typeof lockTrades>[1]) => lockTrades(guarded, input),
      /** Here because a wallet with money in it takes the PIN. */
      deleteWallet: (input: Parameters<typeof deleteWallet>[1]) => deleteWallet({ ...guarded, chain }, input),
      freeze: (input: Parameters<typeof freezeAccount>[1]) => freezeAccount(guarded, input),
      unfreeze: (input: Parameters<typeof unfreezeAccount>[1]) => unfreezeAccount(guarded, input),
      listAddresses: (input: Parameters<typeof listAddresses>[1]) => listAddresses(guarded, input),
      addAddress: (input: Parameters<typeof addAddress>[1]) => addAddress(guarded, input),
      removeAddress: (input: Parameters<typeof removeAddress>[1]) => removeAddress(guarded, input),
      blockAddress: (input: Parameters<typeof blockAddress>[1]) => blockAddress(guarded, input),
    },
    backups: {
      assertPassphrase,
      isBackupFile: isBackupText,
      hashPassphrase: (userId: string, text: string) => deps.vault.draft({ userId, text }),
      samePassphrase: (userId: string, draft: string, text: string) =>
        deps.vault.isDrafted({ userId, draft, text }),
      authorizeExport: (input: Parameters<typeof authorizeExport>[1]) => authorizeExport(guarded, input),
      exportWallet: (input: Parameters<typeof exportWallet>[1]) => exportWallet(guarded, input),
      importWallet: (input: Parameters<typeof importWallet>[1]) => importWallet(guarded, input),
    },
    games: {
      openRound: (userId: string, game: GameName) => openRound(games, userId, game),
      playRound: (bet: Bet) => playRound(games, bet),
    },
    convert: {
      overview: (userId: string) => convertOverview({ db, clock }, userId),
      enter: (input: EnterConvertInput) => enterConvert({ db, clock, ids }, input),
    },
    /** Requests for API keys, for operators. All but the first two throw NOT_OPERATOR. */
    keyReview: {
      isOperator: (telegramId: bigint) => deps.keys.operators.has(telegramId),
      proposed: (request: KeyRequest) => proposedGrant(request, deps.keys.maxRate),
      waiting: (by: Reviewer) => waitingRequests(review, by),
      find: (by: Reviewer, id: string) => reviewedRequest(review, by, id),
      grant: (by: Reviewer, id: string, granted: KeyGrant) => grantRequest(review, by, id, granted),
      refuse: (by: Reviewer, id: string, reason: string) => refuseRequest(review, by, id, reason),
      ask: (by: Reviewer, id: string, question: string) => askBack(review, by, id, question),
    },
    sendMail: (mailId: string) => sendMail({ ...deps, ...deps.keys, nudge: review.nudge }, mailId),
    sweepMails: () => sweepMails(deps),
    /** Finishes what is under way in points: rounds that were left between bet and result, convert periods. */
    settlePoints: async () => {
      await settleStarted(games);
      await advanceConvert({ db, clock, ids, nudge: () => relay.nudge() });
    },
    watch,
    stepIntent: async (intentId: string): Promise<JobResult> => {
      const result = await step(intentId);
      return watch.follow(intentId, result) ? { kind: 'done' } : result;
    },
    createDeliverNotice: (notifier: Notifier) => createDeliverNotice({ db, notifier, clock }),
    collectPayouts: () =>
      collectPayouts({ db, chain, clock, ids, treasury, minimumLamports: deps.payoutMinLamports, relay }),
    refreshPools: () => refreshPools(deps),
    sweep: sweepNow,
    cleanUp: async () => {
      await clearAway(deps);
      // Last: it asks the chain, which may be away.
      await settleDocuments({ metadata: deps.metadata, chain, programs, clock });
    },
  };
}

export type Services = ReturnType<typeof createServices>;

import type { Address } from '../core/address/address.ts';
import type { FeesAt } from '../engine/fees/rules/fee-table.ts';
import { createPlatformFee, createReceivableFee } from '../engine/fees/use/platform-fee.ts';
import { createPlans, SETTLEMENTS } from '../engine/intents/kinds/index.ts';
import type { LaunchParams } from '../engine/intents/kinds/launch/params.ts';
import type { TipRules } from '../engine/signing/rules/kind-policy.ts';
import { cancelIntent } from '../engine/transactions/use/cancel-intent.ts';
import { createDeliverNotice } from '../engine/transactions/use/deliver-notice.ts';
import type { TransactionDeps } from '../engine/transactions/use/deps.ts';
import { createRehearse } from '../engine/transactions/use/rehearse-plan.ts';
import { createRelay } from '../engine/transactions/use/relay-outbox.ts';
import { createStepIntent } from '../engine/transactions/use/step-intent.ts';
import { sweep } from '../engine/transactions/use/sweep.ts';
import { createHearNews } from '../engine/watch/use/hear-news.ts';
import { createWatch, type Outages } from '../engine/watch/use/watch-attempts.ts';
import type { AlertDeps } from '../modules/alerts/use/alert-deps.ts';
import {
  type PlaceAlertInput,
  placeAlert,
  rearmAlert,
  removeAlert,
} from '../modules/alerts/use/place-alert.ts';
import { priceNow, resolveAlert } from '../modules/alerts/use/resolve-alert.ts';
import { createAlertWatch } from '../modules/alerts/use/watch-alerts.ts';
import { boughtLately } from '../modules/auto-buy/use.ts';
import { advanceConvert } from '../modules/convert/use/advance-convert.ts';
import { convertOverview } from '../modules/convert/use/convert-overview.ts';
import { type EnterConvertInput, enterConvert } from '../modules/convert/use/enter-convert.ts';
import type { CopyDeps } from '../modules/copying/use/copy-deps.ts';
import { copyOf, switchOff, switchOn } from '../modules/copying/use/switch-copy.ts';
import { viewCopy } from '../modules/copying/use/view-copy.ts';
import { createCopyWatch } from '../modules/copying/use/watch-copies.ts';
import { createAgreement } from '../modules/deposits/use/agree.ts';
import { createDepositWatch } from '../modules/deposits/use/watch-deposits.ts';
import {
  changeFollow,
  type FollowDeps,
  followWallet,
  leaderOf,
  ownFollow,
  unfollow,
} from '../modules/follows/use/follow-wallet.ts';
import type { GameName } from '../modules/games/rules/tables.ts';
import { openRound } from '../modules/games/use/open-round.ts';
import { playRound } from '../modules/games/use/play-round.ts';
import { settleStarted } from '../modules/games/use/settle-round.ts';
import type { Bet } from '../modules/games/use/start-round.ts';
import type { GroupCall } from '../modules/groups/rules/group-call.ts';
import { enterSoon } from '../modules/groups/use/scan-token.ts';
import { createCallWatch } from '../modules/groups/use/watch-calls.ts';
import type { GuardRules } from '../modules/guard/rules/guard.ts';
import { addAddress, blockAddress, listAddresses, removeAddress } from '../modules/guard/use/address-book.ts';
import { changeCap } from '../modules/guard/use/change-cap.ts';
import { deleteWallet } from '../modules/guard/use/delete-wallet.ts';
import { createDoubtToken } from '../modules/guard/use/doubt-token.ts';
import { freezeAccount, unfreezeAccount } from '../modules/guard/use/freeze-account.ts';
import { guardOverview } from '../modules/guard/use/guard-overview.ts';
import { assertProgramMaySpend, createSpendingIntent, whyPin } from '../modules/guard/use/guard-spending.ts';
import { letReceive } from '../modules/guard/use/let-receive.ts';
import { mailNotice } from '../modules/guard/use/mail-notice.ts';
import { askNoticeMail, confirmNoticeMail, removeNoticeMail } from '../modules/guard/use/notice-mail.ts';
import { assertMayAct } from '../modules/guard/use/pass-gate.ts';
import { givePermit } from '../modules/guard/use/permit.ts';
import { renameWallet } from '../modules/guard/use/rename-wallet.ts';
import {
  beginRecoveryCodes,
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
} from '../modules/guard/use/second-factor.ts';
import { beginPinChange, hashPin, setPin } from '../modules/guard/use/set-pin.ts';
import { stopActs } from '../modules/guard/use/stop-acts.ts';
import { createStopDesk } from '../modules/guard/use/stop-by-mail.ts';
import { stopChanges } from '../modules/guard/use/stop-changes.ts';
import { switchActOf, switchWallet } from '../modules/guard/use/switch-wallet.ts';
import { lockTrades, unlockTrades } from '../modules/guard/use/unlock-trades.ts';
import { createUsualPrice } from '../modules/guard/use/usual-price.ts';
import type { KeyGrant, KeyRequest } from '../modules/keys/rules/key-request.ts';
import { proposedGrant } from '../modules/keys/use/grant-of.ts';
import {
  askBack,
  grantRequest,
  type Reviewer,
  refuseRequest,
  reviewedRequest,
  waitingRequests,
} from '../modules/keys/use/review-request.ts';
import { type SendMailDeps, sendMail } from '../modules/keys/use/send-mail.ts';
import { launchProgress, watchLaunches } from '../modules/launch/use/launch-progress.ts';
import { type LaunchRequest, quoteLaunch } from '../modules/launch/use/quote-launch.ts';
import { sweepMails } from '../modules/mail/use/sweep-mails.ts';
import type { MarketStore } from '../modules/market/store/market-store-port.ts';
import type { PoolCatalogue } from '../modules/market/store/pool-catalogue-port.ts';
import type { LoadUsdPrices } from '../modules/market/use/load-usd-prices.ts';
import { createSeedPlanter } from '../modules/market/use/plant-seeds.ts';
import { refreshPools } from '../modules/market/use/refresh-pools.ts';
import { createHistorySearch } from '../modules/market/use/search-history.ts';
import { createHoldersSearch } from '../modules/market/use/search-holders.ts';
import { createSolPrice } from '../modules/market/use/sol-price.ts';
import {
  type ConfirmMintInput,
  confirmCreateToken,
  confirmRevokeAuthority,
} from '../modules/mint/use/confirm-mint.ts';
import { finishToken } from '../modules/mint/use/finish-token.ts';
import { createMetadataWay } from '../modules/mint/use/metadata-way.ts';
import { quoteCreateToken } from '../modules/mint/use/quote-create-token.ts';
import { quoteRevokeAuthority } from '../modules/mint/use/quote-revoke-authority.ts';
import { settleDocuments } from '../modules/mint/use/settle-documents.ts';
import type { RetentionStore } from '../modules/operations/store/retention-store-port.ts';
import { clearAway } from '../modules/operations/use/clear-away.ts';
import { watchBuilds } from '../modules/operations/use/watch-builds.ts';
import type { Order, OrderGroup } from '../modules/orders/rules/order.ts';
import type { OrderFeedStore } from '../modules/orders/store/order-feed-store-port.ts';
import { legsOf } from '../modules/orders/use/bracket.ts';
import { type BuyWithLegsInput, buyWithLegs } from '../modules/orders/use/buy-with-legs.ts';
import { cancelOrder, changeAllOrders, pauseOrder } from '../modules/orders/use/change-order.ts';
import type { DraftGroup } from '../modules/orders/use/draft.ts';
import { type EditOrderInput, editOrder, viewEdit } from '../modules/orders/use/edit-order.ts';
import { entryPrice } from '../modules/orders/use/entry-price.ts';
import { createFireMarket } from '../modules/orders/use/fire-market.ts';
import { type OrderDeps, TRIGGER_PRICE_MS } from '../modules/orders/use/order-deps.ts';
import { createOrderEvents } from '../modules/orders/use/order-events.ts';
import { type PlaceOrdersInput, placeOrders, viewDraft } from '../modules/orders/use/place-orders.ts';
import { createPollFeed } from '../modules/orders/use/poll-pools.ts';
import { resolveBand, resolvePrice } from '../modules/orders/use/resolve-price.ts';
import { resumeOrder } from '../modules/orders/use/resume-order.ts';
import { trailHigh } from '../modules/orders/use/trail-high.ts';
import { createOrderNews, createOrderWatch } from '../modules/orders/use/watch-orders.ts';
import { type PaperOrder, paperQuote } from '../modules/paper/use/paper-quote.ts';
import type { PersonalKey } from '../modules/personal-keys/rules/personal-key.ts';
import { endOrder } from '../modules/personal-keys/use/end-order.ts';
import { addKey, assertKeyFits, endKey, listKeys } from '../modules/personal-keys/use/manage-keys.ts';
import { tradeByKey } from '../modules/personal-keys/use/trade-by-key.ts';
import { createUseWatch } from '../modules/personal-keys/use/watch-uses.ts';
import { createFeeDiscount } from '../modules/points/use/fee-discount.ts';
import {
  type ConfirmCleanUpInput,
  confirmCleanUp,
  findEmptyAccounts,
  quoteCleanUp,
} from '../modules/positions/use/clean-up.ts';
import { createPositionServices } from '../modules/positions/use/portfolio.ts';
import type { ReferralAction } from '../modules/referrals/rules/required-for.ts';
import { chooseCode } from '../modules/referrals/use/choose-code.ts';
import { collectPayouts } from '../modules/referrals/use/collect-payouts.ts';
import type { Sending } from '../modules/settings/rules/settings.ts';
import { changeSettings } from '../modules/settings/use/change-settings.ts';
import type { SubmissionStore } from '../modules/submissions/store-port.ts';
import { createSubmissionWatch } from '../modules/submissions/use/watch-submissions.ts';
import type { WellKnownToken } from '../modules/tokens/rules/safety.ts';
import { lookUpToken } from '../modules/tokens/use/look-up-token.ts';
import { suggestTokens } from '../modules/tokens/use/suggest-tokens.ts';
import type { VerdictStore } from '../modules/trading/store/verdict-store-port.ts';
import type { AggregatorQuotes } from '../modules/trading/use/aggregator-quotes.ts';
import { slippageNow } from '../modules/trading/use/auto-slippage.ts';
import { type ConfirmTradeInput, confirmTrade } from '../modules/trading/use/confirm-trade.ts';
import { createExitCheck } from '../modules/trading/use/exit-check.ts';
import { findSandwich } from '../modules/trading/use/find-sandwich.ts';
import { freshPools } from '../modules/trading/use/fresh-pools.ts';
import { judgeTrades } from '../modules/trading/use/judge-trades.ts';
import { marketDepth } from '../modules/trading/use/market-depth.ts';
import { offerTip } from '../modules/trading/use/offer-tip.ts';
import { mintsOf } from '../modules/trading/use/own-wallet.ts';
import { createPoolQuarantine } from '../modules/trading/use/pool-quarantine.ts';
import { createPoolRehearsal } from '../modules/trading/use/pool-rehearsal.ts';
import { quoteAsAsked } from '../modules/trading/use/quote-as-asked.ts';
import { quoteTrade } from '../modules/trading/use/quote-trade.ts';
import { liquidity, tradeCard } from '../modules/trading/use/trade-card.ts';
import type { TradeRequest } from '../modules/trading/use/trade-quote.ts';
import type { TradeDeps } from '../modules/trading/use/trading-deps.ts';
import { isBackupText } from '../modules/wallets/rules/backup-text.ts';
import { assertPassphrase } from '../modules/wallets/rules/passphrase.ts';
import type { Wallet } from '../modules/wallets/rules/wallet.ts';
import { createAgreedFunds } from '../modules/wallets/use/agreed-funds.ts';
import { assertMayAskKey, exportCalls, openExport } from '../modules/wallets/use/key-exports.ts';
import { ownWallet } from '../modules/wallets/use/own-wallet.ts';
import { type BackupDeps, importWallet } from '../modules/wallets/use/wallet-backups.ts';
import type { WebhookStore } from '../modules/webhooks/store-port.ts';
import { createWebhookWatch } from '../modules/webhooks/use/deliver-webhooks.ts';
import { confirmWithdrawal } from '../modules/withdrawals/use/confirm-withdrawal.ts';
import type { GuardedWithdrawal } from '../modules/withdrawals/use/guard-withdrawal.ts';
import { mayWithdraw } from '../modules/withdrawals/use/may-withdraw.ts';
import { prepareWithdrawal } from '../modules/withdrawals/use/prepare-withdrawal.ts';
import { tokenValue } from '../modules/withdrawals/use/token-value.ts';
import { withdrawalRecipient } from '../modules/withdrawals/use/withdrawal-recipient.ts';
import type { BlockhashLooks } from '../platform/ports/blockhash-looks.ts';
import type { Chain, MessageCompiler } from '../platform/ports/chain.ts';
import type { ChainHistory } from '../platform/ports/chain-history.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { DialogStore } from '../platform/ports/dialog-store.ts';
import type { GameSeeds } from '../platform/ports/game-seeds.ts';
import type { Ids } from '../platform/ports/ids.ts';
import type { JobQueue, JobResult } from '../platform/ports/job-queue.ts';
import type { Launchpad } from '../platform/ports/launchpad.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { LookupTables } from '../platform/ports/lookup-tables.ts';
import type { MetadataStore } from '../platform/ports/metadata-store.ts';
import type { MintKeys } from '../platform/ports/mint-keys.ts';
import type { Notifier } from '../platform/ports/notifier.ts';
import type { RecoveryCodes } from '../platform/ports/one-time-codes.ts';
import type { Deployment, ProgramBuilds } from '../platform/ports/program-builds.ts';
import type { Programs } from '../platform/ports/programs.ts';
import type { RpcMeter } from '../platform/ports/rpc-meter.ts';
import type { SeedFile } from '../platform/ports/seed-file.ts';
import type { Sender } from '../platform/ports/sender.ts';
import type { Database } from '../platform/ports/stores.ts';
import type { TapeStore } from '../platform/ports/tape-store.ts';
import type { TokenHolders } from '../platform/ports/token-holders.ts';
import type { Vault } from '../platform/ports/vault.ts';
import type { Venue } from '../platform/ports/venue.ts';
import type { WalletFeed } from '../platform/ports/wallet-feed.ts';
import type { WebhookSender } from '../platform/ports/webhook-sender.ts';

export type ServiceDeps = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly dialogs: DialogStore;
  readonly chain: Chain;
  readonly tape: Pick<TapeStore, 'candlesOf' | 'cursor' | 'firstTradeBefore' | 'trades' | 'tradesAfter'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  /** Absent: pools are not searched among holders. */
  readonly holders?: Pick<TokenHolders, 'largest'>;
  readonly compiler: MessageCompiler;
  readonly programs: Programs;
  readonly venues: readonly Venue[];
  readonly catalogue: PoolCatalogue;
  /** Absent: no pools are named by an operator. */
  readonly poolSeeds?: SeedFile | null;
  readonly deployments: readonly Deployment[];
  readonly programBuilds: ProgramBuilds;
  readonly rpcMeter: RpcMeter;
  readonly senders: readonly Sender[];
  readonly tips: TipRules;
  readonly vault: Vault;
  readonly mintKeys: MintKeys;
  readonly metadata: MetadataStore;
  readonly submissions: SubmissionStore;
  readonly webhooks: WebhookStore;
  readonly webhookSender: WebhookSender;
  readonly blockhashes: BlockhashLooks;
  readonly retention: RetentionStore;
  readonly verdicts: VerdictStore;
  readonly codes: RecoveryCodes;
  readonly gameSeeds: GameSeeds;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Absent: each repeated look logs an outage itself. */
  readonly outages?: Outages;
  readonly pause: (ms: number) => Promise<void>;
  /** Name of this process in leases. */
  readonly owner: string;
  readonly treasury: Wallet;
  readonly fees: FeesAt;
  /** Those that are configured and that the cluster has. */
  readonly launchpads: readonly Launchpad[];
  /** The actions that need a referral account. */
  readonly referralRequiredFor: ReadonlySet<ReferralAction>;
  readonly payoutMinLamports: bigint;
  readonly guardRules: GuardRules;
  readonly maxWallets: number;
  readonly usdMint: Address | null;
  /** The dollars of the market data; absent: SOL is priced from its pools as they are now. */
  readonly usdPrices?: LoadUsdPrices;
  readonly wellKnown: readonly WellKnownToken[];
  /** Tokens of a local chain's own: neither young nor home-made, whichever facts the chain shows. */
  readonly seededMints: readonly Address[];
  /** Aggregators that compete with our own router; absent when none is switched on. */
  readonly aggregatorQuotes?: AggregatorQuotes;
  /** The operator's own; absent means none. */
  readonly lookupTables?: LookupTables;
  readonly routerProgram?: boolean;
  /** Tokens that most pools are against, SOL first. */
  readonly hubs: readonly Address[];
  /** Keys by request and mail. */
  readonly keys: Pick<
    SendMailDeps,
    'mailer' | 'tokens' | 'secrets' | 'keyMail' | 'siteUrl' | 'operators' | 'letters'
  > & {
    readonly maxRate: number;
  };
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
  /** Lamports that a person's orders may spend within 24 hours. */
  readonly autoSpendCapLamports: bigint;
  /** Whether followed wallets are copied. */
  readonly copyTrading: boolean;
  /** The host that requests of personal keys are signed for; null: none are taken. */
  readonly personalKeysHost: string | null;
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
    poolRehearsal: createPoolRehearsal({ ...deps, treasury: treasury.address }),
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
  const plantSeeds = createSeedPlanter(deps, deps.poolSeeds ?? null);
  const searchHistory = createHistorySearch(deps);
  const { holders } = deps;
  const searchHolders = holders === undefined ? undefined : createHoldersSearch({ ...deps, holders });
  const knownMints = new Set([...deps.hubs, ...deps.wellKnown.map(({ mint }) => mint), ...deps.seededMints]);
  const intents = {
    db,
    clock,
    ids,
    relay,
    vault: deps.vault,
    guardRules: deps.guardRules,
    doubtToken: createDoubtToken({ ...deps, exitCheck, knownMints }),
    usualPrice: createUsualPrice(deps),
  };
  const confirmingFor = (action: ReferralAction) => ({
    db,
    needsReferralAccount: deps.referralRequiredFor.has(action),
    createIntent: (input: Parameters<typeof createSpendingIntent>[1]) => createSpendingIntent(intents, input),
  });
  const games = { db, seeds: deps.gameSeeds, clock, ids };
  const guarded: BackupDeps = { ...deps, settlements, relay };
  const review = { db, clock, ids, operators: deps.keys.operators, nudge: () => relay.nudge() };
  const mailing = {
    ...guarded,
    tokens: deps.keys.tokens,
    hasMail: () => deps.keys.mailer !== null && deps.keys.siteUrl() !== null,
    nudge: review.nudge,
  };
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
    events: createOrderEvents({
      ...deps,
      pools: async (mint: Address) => (await freshPools(trade, mintsOf('sell', mint))()).pools,
      depth: liquidity,
    }),
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
      clock,
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
      wakeSubmissions: () => watchSubmissions.wake(),
    }),
  });

  const watchWebhooks = createWebhookWatch({
    ...deps,
    secrets: deps.keys.secrets,
    sender: deps.webhookSender,
    nudge: () => relay.nudge(),
  });
  const watchSubmissions = createSubmissionWatch({
    ...deps,
    owns: (signature) => watch.owns(signature),
    onEvent: () => watchWebhooks.wake(),
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

  const followNews = createOrderNews();
  const calling = {
    db,
    clock,
    log: deps.log,
    pause: deps.pause,
    slotMs: () => chain.slotMs(),
    quote: (order: PaperOrder) => paperQuote({ ...trade, fees: deps.fees }, order),
  };
  const following: FollowDeps = { db, chain, clock, ids, followsChanged: () => followNews.changed() };

  const copies: CopyDeps = {
    ...orders,
    vault: deps.vault,
    isOn: deps.copyTrading,
    log: deps.log.child({ module: 'copying' }),
    quote: (request) => quoteTrade(trade, request),
    dice: Math.random,
    landed: (signature) => chain.landed(signature),
    copiesChanged: () => watchCopies.wake(),
  };
  const watchCopies = createCopyWatch(copies);

  const personalKeys = { ...intents, host: deps.personalKeysHost, nudge: () => relay.nudge() };

  return {
    relay,
    solPrice,
    copying: {
      find: (asked: Parameters<typeof copyOf>[1]) => copyOf({ db }, asked),
      view: (asked: Parameters<typeof viewCopy>[1]) =>
        viewCopy({ ...deps, ...copies, tradeFeeBps: () => deps.fees(clock.now()).tradeBps }, asked),
      switchOn: (input: Parameters<typeof switchOn>[1]) => switchOn(copies, input),
      switchOff: (input: Parameters<typeof switchOff>[1]) => switchOff(copies, input),
    },
    /** Copies the trades of leaders while it runs. */
    watchCopies,
    personalKeys: {
      host: personalKeys.host,
      list: (userId: string) => listKeys(personalKeys, userId),
      assertFits: (asked: Parameters<typeof assertKeyFits>[1]) => assertKeyFits(personalKeys, asked),
      add: (input: Parameters<typeof addKey>[1]) => addKey(personalKeys, input),
      end: (input: Parameters<typeof endKey>[1]) => endKey(personalKeys, input),
      /** For a program that signed with the key. */
      endOrder: (key: PersonalKey, orderId: string) =>
        endOrder({ ...orders, nudge: personalKeys.nudge }, key, orderId),
      makeTrade: (key: PersonalKey, asked: Parameters<typeof tradeByKey>[2]) =>
        tradeByKey(
          {
            ...trade,
            ...confirmingFor('trade'),
            ids,
            vault: deps.vault,
            quote: (request) =>
              quoteAsAsked({ ...trade, db, tape: deps.tape, markets: deps.markets }, request),
            assertMaySpend: (request) => assertProgramMaySpend(intents, request),
            createSpendingIntent: (input) => createSpendingIntent(intents, input),
          },
          key,
          asked,
        ),
    },
    /** Notifies people of the uses of their keys while it runs. */
    watchKeyUses: createUseWatch({
      ...personalKeys,
      isOn: personalKeys.host !== null,
      log: deps.log.child({ module: 'personal-keys' }),
    }),
    follows: {
      leaderOf: (text: string) => leaderOf({ chain }, text),
      follow: (input: Parameters<typeof followWallet>[1]) => followWallet(following, input),
      own: (asked: Parameters<typeof ownFollow>[1]) => ownFollow({ db }, asked),
      change: (input: Parameters<typeof changeFollow>[1]) => changeFollow({ db }, input),
      unfollow: (input: Parameters<typeof unfollow>[1]) => unfollow(following, input),
      /** Followed wallets were changed in this process. */
      onChange: (listener: () => void) => followNews.onChange(listener),
    },
    groups: { enterSoon: (call: GroupCall) => void enterSoon(calling, call) },
    watchCalls: createCallWatch(calling),
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
        clock,
        // Alerts move no money: a quarter of the looks of orders.
        perSecond: Math.max(1, deps.ordersPerSecond / 4),
        onProblem: (mint, err) => deps.log.warn({ mint, err }, 'pools of a watched token could not be read'),
      }),
    }),
    orders: {
      viewDraft: (draft: DraftGroup) => viewDraft(orders, draft),
      resolvePrice: (asked: Parameters<typeof resolvePrice>[1]) => resolvePrice(orders, asked),
      entryPrice: (asked: Parameters<typeof entryPrice>[1]) => entryPrice(orders, asked),
      /** The evaluator's last view. */
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
      /** The orders that wait for the tokens of this entry; null where none do. */
      legsOf: (entryOrderId: string) => legsOf(db.orders, entryOrderId),
      /** A purchase with the orders that sell its tokens. */
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
    watchSubmissions,
    watchWebhooks,
    positions,
    /** Reports people's deposits while it runs. */
    watchDeposits: createDepositWatch({
      ...deps,
      feed: deps.walletFeed,
      // The local chain's own node is the chain: no second node exists, and it cannot be wrong.
      agree: createAgreement({ chain, pause: deps.pause, nodeIsChain: deps.seededMints.length > 0 }),
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
      quoteTrade: (request: TradeRequest) =>
        quoteAsAsked({ ...trade, db, tape: deps.tape, markets: deps.markets }, request),
      slippageNow: (asked: Parameters<typeof slippageNow>[1]) => slippageNow({ ...deps, chain }, asked),
      findSandwich: (trade: Parameters<typeof findSandwich>[1]) => findSandwich(deps, trade),
      offerTip: (sending: Sending) =>
        offerTip({ ...deps, tipCapLamports: deps.tips.capLamports, random: Math.random }, sending),
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
        quoteRevokeAuthority({ db, chain, programs }, request),
      confirmRevokeAuthority: (input: Parameters<typeof confirmRevokeAuthority>[1]) =>
        confirmRevokeAuthority(confirmingFor('create'), input),
    },
    launch: {
      /** The launchpads of this cluster; empty where there is none. */
      launchpads: deps.launchpads.map(({ name, label, limits }) => ({ name, label, limits })),
      quoteLaunch: (request: LaunchRequest) => quoteLaunch(launch, request),
      confirmLaunch: (input: ConfirmMintInput<LaunchParams>) =>
        confirmCreateToken(confirmingFor('launch'), input),
      launchProgress: (mintAddress: Address) => launchProgress(deps, mintAddress),
    },
    watchLaunches: () => watchLaunches({ ...deps, relay }),
    funds: createAgreedFunds({ chain, clock, pause: deps.pause }),
    withdrawals: {
      checkRecipient: (sender: Address, text: string) => withdrawalRecipient(chain, sender, text),
      prepareWithdrawal: (request: Parameters<typeof prepareWithdrawal>[1]) =>
        prepareWithdrawal({ db, chain, programs }, request),
      mayWithdraw: (input: GuardedWithdrawal) =>
        mayWithdraw({ ...guarded, chain, tokenValue: (params) => tokenValue(deps, params) }, input),
      confirmWithdrawal: (input: Parameters<typeof confirmWithdrawal>[1]) =>
        confirmWithdrawal({ ...deps, relay, tokenValue: (params) => tokenValue(deps, params) }, input),
      cancelIntent: (input: Parameters<typeof cancelIntent>[1]) => cancelIntent(guarded, input),
    },
    guard: {
      overview: (input: Parameters<typeof guardOverview>[1]) => guardOverview(guarded, input),
      /** For the screen before: throws the refusal that the act would meet now. */
      mayAct: (asked: Parameters<typeof assertMayAct>[2]) => assertMayAct(db, guarded, asked),
      stopChanges: (input: Parameters<typeof stopChanges>[1]) => stopChanges(guarded, input),
      /** Whether this service can send mails at all. */
      hasMail: mailing.hasMail,
      askNoticeMail: (input: Parameters<typeof askNoticeMail>[1]) => askNoticeMail(mailing, input),
      confirmNoticeMail: (input: Parameters<typeof confirmNoticeMail>[1]) =>
        confirmNoticeMail(mailing, input),
      removeNoticeMail: (input: Parameters<typeof removeNoticeMail>[1]) => removeNoticeMail(mailing, input),
      changeSettings: (input: Parameters<typeof changeSettings>[1]) => changeSettings(guarded, input),
      renameWallet: (input: Parameters<typeof renameWallet>[1]) => renameWallet({ ...guarded, chain }, input),
      chooseCode: (input: Parameters<typeof chooseCode>[1]) => chooseCode(guarded, input),
      letReceive: (input: Parameters<typeof letReceive>[1]) => letReceive(guarded, input),
      switchWallet: (input: Parameters<typeof switchWallet>[1]) => switchWallet(guarded, input),
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
      assertMaySwitch: async (input: { readonly userId: string; readonly walletId: string }) =>
        assertMayAct(db, guarded, {
          act: switchActOf(await ownWallet(db.wallets, input)),
          userId: input.userId,
        }),
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
      openExport: (input: Parameters<typeof openExport>[1]) => openExport(guarded, input),
      assertMayAskKey: (input: Parameters<typeof assertMayAskKey>[1]) => assertMayAskKey(guarded, input),
      ...exportCalls({ vault: deps.vault, nudge: () => relay.nudge() }),
      /** Throws the refusal that an import would meet now, before the PIN and the key are asked. */
      assertMayImport: (userId: string) => assertMayAct(db, guarded, { act: 'wallet-import', userId }),
      permitImport: (input: { readonly userId: string; readonly pin: string }) =>
        givePermit(guarded, { ...input, act: 'wallet-import' }),
      importWallet: async (input: Parameters<typeof importWallet>[1]) => {
        const wallet = await importWallet(guarded, input);
        relay.nudge();
        return wallet;
      },
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
    /** The page behind the link of a notice's mail. */
    stopByMail: createStopDesk({ ...mailing, acts: stopActs({ ...mailing, vault: deps.vault }) }),
    sweepMails: () => sweepMails(deps),
    /** Finishes the open work in points: rounds that were left between bet and result, convert periods. */
    settlePoints: async () => {
      await settleStarted(games);
      await advanceConvert({ db, clock, ids, nudge: () => relay.nudge() });
    },
    watch,
    stepIntent: async (intentId: string): Promise<JobResult> => {
      const result = await step(intentId);
      return watch.follow(intentId, result) ? { kind: 'done' } : result;
    },
    createDeliverNotice: (notifier: Notifier) =>
      createDeliverNotice({ db, notifier, clock, alsoTell: (told) => mailNotice(mailing, told) }),
    collectPayouts: () =>
      collectPayouts({
        db,
        chain,
        clock,
        ids,
        treasury,
        minimumLamports: deps.payoutMinLamports,
        capLamports: deps.guardRules.payoutsLamports,
        relay,
      }),
    refreshPools: async () => {
      await plantSeeds();
      return refreshPools({
        ...deps,
        searchHistory,
        ...(searchHolders === undefined ? {} : { searchHolders }),
      });
    },
    watchBuilds: () => watchBuilds(deps),
    judgeTrades: () => judgeTrades(deps),
    sweep: sweepNow,
    cleanUp: async () => {
      await clearAway(deps);
      // Last: it asks the chain, which may be away.
      await settleDocuments({ metadata: deps.metadata, chain, programs, clock });
    },
  };
}

export type Services = ReturnType<typeof createServices>;

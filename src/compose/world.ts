import type { Address } from '@tradepost/solana';
import type { Launchpad } from '@tradepost/venues';
import type { FeesAt } from '../engine/fees/rules/fee-table.ts';
import type { TipRules } from '../engine/signing/rules/kind-policy.ts';
import type { Outages } from '../engine/watch/use/watch-attempts.ts';
import type { GuardRules } from '../modules/guard/rules/guard.ts';
import type { SendMailDeps } from '../modules/keys/use/send-mail.ts';
import type { MarketStore } from '../modules/market/store/market-store-port.ts';
import type { PoolCatalogue } from '../modules/market/store/pool-catalogue-port.ts';
import type { LoadUsdPrices } from '../modules/market/use/load-usd-prices.ts';
import type { RetentionStore } from '../modules/operations/store/retention-store-port.ts';
import type { OrderFeedStore } from '../modules/orders/store/order-feed-store-port.ts';
import type { ReferralAction } from '../modules/referrals/rules/required-for.ts';
import type { SubmissionStore } from '../modules/submissions/store-port.ts';
import type { WellKnownToken } from '../modules/tokens/rules/safety.ts';
import type { VerdictStore } from '../modules/trading/store/verdict-store-port.ts';
import type { AggregatorQuotes } from '../modules/trading/use/aggregator-quotes.ts';
import type { Wallet } from '../modules/wallets/rules/wallet.ts';
import type { WebhookStore } from '../modules/webhooks/store-port.ts';
import type { BlockhashLooks } from '../platform/ports/blockhash-looks.ts';
import type { Chain, MessageCompiler } from '../platform/ports/chain.ts';
import type { ChainHistory } from '../platform/ports/chain-history.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { DialogStore } from '../platform/ports/dialog-store.ts';
import type { GameSeeds } from '../platform/ports/game-seeds.ts';
import type { Ids } from '../platform/ports/ids.ts';
import type { JobQueue } from '../platform/ports/job-queue.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { LookupTables } from '../platform/ports/lookup-tables.ts';
import type { MetadataStore } from '../platform/ports/metadata-store.ts';
import type { MintKeys } from '../platform/ports/mint-keys.ts';
import type { RecoveryCodes } from '../platform/ports/one-time-codes.ts';
import type { PoolChanges } from '../platform/ports/pool-feed.ts';
import type { Deployment, ProgramBuilds } from '../platform/ports/program-builds.ts';
import type { Programs } from '../platform/ports/programs.ts';
import type { RpcMeter } from '../platform/ports/rpc-meter.ts';
import type { SeedFile } from '../platform/ports/seed-file.ts';
import type { Sender } from '../platform/ports/sender.ts';
import type { SignatureChecks } from '../platform/ports/signature-checks.ts';
import type { Database } from '../platform/ports/stores.ts';
import type { TapeStore } from '../platform/ports/tape-store.ts';
import type { TokenHolders } from '../platform/ports/token-holders.ts';
import type { Vault } from '../platform/ports/vault.ts';
import type { Venue } from '../platform/ports/venue.ts';
import type { WalletFeed } from '../platform/ports/wallet-feed.ts';
import type { WebhookSender } from '../platform/ports/webhook-sender.ts';

/** The platform and the terms of the operator, for every noun of one process. Each face takes it as its first argument. */
export type World = {
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
  readonly signatureChecks: SignatureChecks;
  readonly programs: Programs;
  readonly venues: readonly Venue[];
  /** Absent or null: no pool is followed. */
  readonly poolChanges?: PoolChanges | null;
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

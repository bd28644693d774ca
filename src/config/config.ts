import type { Address } from '@tradepost/solana';
import type { FeeTable } from '../engine/fees/rules/fee-table.ts';
import type { Rate } from '../modules/guard/rules/acts.ts';
import type { RateRule } from '../modules/guard/rules/judge-act.ts';
import type { StandbyRules } from '../modules/operations/rules/replication.ts';
import type { ReferralAction } from '../modules/referrals/rules/required-for.ts';
import type { SenderSettings } from '../platform/ports/sender.ts';
import type { AggregatorConfig } from './aggregators.ts';
import type { ApiConfig } from './api.ts';
import type { IndexConfig } from './chain.ts';
import type { KekConfig, TlsPlaceConfig } from './keys.ts';
import type { LocalConfig } from './local.ts';
import type { MailConfig } from './mail.ts';
import type { MarketConfig } from './market.ts';
import type { MetadataConfig } from './metadata.ts';
import type { Role } from './process.ts';
import type { BotConfig } from './telegram.ts';

/** `null` in a world field means: start the embedded stand-in. */
export type Config = {
  readonly production: boolean;
  readonly roles: readonly Role[];
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly telegramToken: string | null;
  /** A Bot API server of the operator's own; null = Telegram's. */
  readonly botApiRoot: string | null;
  readonly bot: BotConfig;
  /** The keys that seal buttons and dialogues, the former key behind the present one; null = the state folder's, or this process's own. */
  readonly chatKeys: readonly [string, ...string[]] | null;
  readonly rpcUrls: readonly string[] | null;
  /** Web-socket addresses of the nodes; null = where their HTTP addresses say by convention. */
  readonly wsUrls: readonly string[] | null;
  /** Pools that are followed by subscription instead of being read for each quote; 0 = none. */
  readonly hotPools: number;
  readonly index: IndexConfig;
  readonly senders: SenderSettings;
  /** Calls of the launch feed to the nodes; null = 5, and no limit on the embedded local chain. */
  readonly feedRpcPerSecond: number | null;
  /** Calls that the audit and the reconciliation make of the nodes; null = 10, and no limit on a local chain. */
  readonly auditRpcPerSecond: number | null;
  readonly databaseUrl: string | null;
  /** `own`: every process must have a role that is bounded by grants; `one`: none must; null: on mainnet. */
  readonly databaseRoles: 'own' | 'one' | null;
  /** The server on which a drill makes its scratch database; null = that of the database in use. */
  readonly scratchDatabaseUrl: string | null;
  /** How the database may be followed by other servers. */
  readonly standbys: StandbyRules;
  readonly redisUrl: string | null;
  /** Where the signer listens, and the other roles ask it; null = this process holds the keys itself. */
  readonly signerSocket: string | null;
  /** The folder in which a signer listens at a socket for each role; null = at `signerSocket`, for all. */
  readonly signerSockets: string | null;
  /** Signers on the network that the other roles ask; none = the socket. */
  readonly signerUrls: readonly TlsPlaceConfig[];
  /** Where the signer listens on the network; null = nowhere. */
  readonly signerListen: TlsPlaceConfig | null;
  /** The other signers with this one's journal; none = it signs alone. */
  readonly signerPeers: readonly TlsPlaceConfig[];
  /** Where copies of the journal are kept without the master key. */
  readonly signerWitnesses: readonly TlsPlaceConfig[];
  /** Seals new wallets; null = another process holds it, the signer. */
  readonly kek: KekConfig | null;
  /** Keys that still open older wallets, until `npm run ops -- kek rotate` has re-wrapped them. */
  readonly olderKeks: readonly KekConfig[];
  /** The folder where the process with the keys writes down its signatures. */
  readonly journalDir: string;
  /** The published fees with this operator's own numbers in their place. */
  readonly feeTable: FeeTable;
  /** The actions that need a referral account. */
  readonly referralRequiredFor: ReadonlySet<ReferralAction>;
  /** The accounts that launchpads are offered under; null = that one is not. */
  readonly pads: { readonly meteoraDbcConfig: Address | null; readonly launchlabPlatform: Address | null };
  /** Whether choosing a referral code takes a voucher of the shop. */
  readonly codeNeedsVoucher: boolean;
  /** Whether convert periods take points. */
  readonly convert: boolean;
  /** Whether the games with points take bets. */
  readonly games: boolean;
  readonly payoutMinLamports: bigint;
  readonly payoutsLamports: bigint;
  /** Of these, the most for debts that the signer cannot prove. */
  readonly unprovedLamports: bigint;
  readonly maxWallets: number;
  /** How long a new withdrawal address waits; null = 7200, and 0 on the embedded local chain. */
  readonly addressDelaySeconds: number | null;
  /** How long a new PIN ripens and a key's way out waits; null = 86400, and 0 on the embedded local chain. */
  readonly longDelaySeconds: number | null;
  readonly dailyCapLamports: bigint;
  /** Messages and taps of one person within two seconds, on every cluster: a limit that only production had was never met. */
  readonly chatUpdates: number;
  /** The most that a chat may spend within 24 hours without its PIN. */
  readonly spendCapLamports: bigint;
  /** The most that one person may spend within 24 hours in all, with the PIN too, and of it on doubted tokens. */
  readonly allSpendingLamports: bigint;
  readonly doubtedLamports: bigint;
  /** The most that a chat may spend without its PIN since the last right PIN, where there is a ripe one. */
  readonly sinceRightPinLamports: bigint;
  /** How often acts may be done within a span; an absent act keeps its usual rate. */
  readonly actRates: Partial<Record<Rate, RateRule>>;
  readonly orders: {
    /** Lamports that a person's orders may spend within 24 hours. */
    readonly capLamports: bigint;
    /** Looks at tokens with open orders, at most per second. */
    readonly looksPerSecond: number;
  };
  /** Whether followed wallets can be copied. */
  readonly copyTrading: boolean;
  /** The keyed host as programs name it, where requests of personal keys are taken; null = they are not. */
  readonly personalKeysHost: string | null;
  readonly usdMint: string | null;
  /** The bot's name in links of the web pages; null = the one that Telegram names, where the bot runs in the same process. */
  readonly botUsername: string | null;
  /** Contains `{signature}`; null = the local explorer on a local chain, else explorer.solana.com. */
  readonly explorerUrl: string | null;
  readonly sourceUrl: string | null;
  /** The address where every role reports whether it lives and can work; null = nowhere. */
  readonly health: { readonly host: string; readonly port: number } | null;
  readonly api: ApiConfig;
  readonly market: MarketConfig;
  /** Telegram ids of those who review requests for API keys. */
  readonly operators: ReadonlySet<bigint>;
  /** Null: the stand-in beside the chat page, and in production no mail and no form for keys. */
  readonly mail: MailConfig | null;
  /** The content of a granted request's mail: a link behind which the key is made, or the key itself. */
  readonly keyMail: 'link' | 'key';
  readonly aggregators: AggregatorConfig;
  /** Whether routes may go through the public router program, where the cluster has it. */
  readonly routerProgram: boolean;
  /** The newest version of transactions that is built where the cluster takes it. */
  readonly builtVersion: 0 | 1;
  readonly metadata: MetadataConfig;
  readonly local: LocalConfig;
};

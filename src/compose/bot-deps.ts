import type { Address } from '../core/address/address.ts';
import type { FeesAt } from '../engine/fees/rules/fee-table.ts';
import type { Intent } from '../engine/intents/rules/intent.ts';
import type { LaunchReads } from '../modules/launches/use/launch-figures.ts';
import type { loadChart } from '../modules/market/use/load-chart.ts';
import type { SolPrice } from '../modules/market/use/sol-price.ts';
import type { TokenData } from '../modules/market/use/token-data.ts';
import type { PaperOrder, PaperQuote } from '../modules/paper/use/paper-quote.ts';
import type { ReferralAction } from '../modules/referrals/rules/required-for.ts';
import type { Sending } from '../modules/settings/rules/settings.ts';
import type { Token } from '../modules/tokens/rules/token.ts';
import type { AutoSlippage } from '../modules/trading/rules/auto-slippage.ts';
import type { Sandwich } from '../modules/trading/rules/sandwich.ts';
import type { slippageNow } from '../modules/trading/use/auto-slippage.ts';
import type { ConfirmTradeInput } from '../modules/trading/use/confirm-trade.ts';
import type { findSandwich } from '../modules/trading/use/find-sandwich.ts';
import type { MarketDepth } from '../modules/trading/use/market-depth.ts';
import type { TipOffer } from '../modules/trading/use/offer-tip.ts';
import type { TradeCard } from '../modules/trading/use/trade-card.ts';
import type { TradeQuote, TradeRequest } from '../modules/trading/use/trade-quote.ts';
import type { AgreedFunds } from '../modules/wallets/use/agreed-funds.ts';
import type { confirmWithdrawal } from '../modules/withdrawals/use/confirm-withdrawal.ts';
import type { GuardedWithdrawal } from '../modules/withdrawals/use/guard-withdrawal.ts';
import type { prepareWithdrawal } from '../modules/withdrawals/use/prepare-withdrawal.ts';
import type { WithdrawalQuote } from '../modules/withdrawals/use/withdrawal-quote.ts';
import type { Chain } from '../platform/ports/chain.ts';
import type { Charts } from '../platform/ports/charts.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { DialogStore } from '../platform/ports/dialog-store.ts';
import type { Ids } from '../platform/ports/ids.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { QrCodes } from '../platform/ports/qr-codes.ts';
import type { Database } from '../platform/ports/stores.ts';
import type { Vault } from '../platform/ports/vault.ts';
import type { OpenForms } from '../platform/telegram/dialog/open-forms.ts';
import type { RateLimit } from '../platform/telegram/middleware/rate-limit.ts';
import type { SecretPrompts } from '../platform/telegram/secret/prompts.ts';
import type { ButtonStates } from '../platform/telegram/ui/state.ts';
import type { Services } from './services.ts';

/** The bot's needs from the world. Everything is handed in by the composition root. */
export type BotDeps = {
  readonly db: Database;
  readonly dialogs: DialogStore;
  readonly chain: Pick<
    Chain,
    'balance' | 'epoch' | 'holding' | 'holdings' | 'latestBlockhash' | 'rentExemption' | 'slotMs' | 'token'
  >;
  /** The holdings of wallets, as screens show them. */
  readonly funds: AgreedFunds;
  readonly vault: Pick<Vault, 'create' | 'openPerson'>;
  readonly qr: QrCodes;
  readonly charts: Charts;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly options: BotOptions;
  /** Wakes the outbox relay after a commit; may be lost without harm. */
  readonly nudge?: () => void;
  /** Play money for one's own deposit wallet: only on a local chain. Throws when the faucet refuses. */
  readonly faucet?: (address: Address, lamports: bigint) => Promise<void>;
  readonly solPrice: SolPrice;
  /** The newest bars of a token; null where none of its trades has been seen. */
  readonly loadChart: (wanted: Parameters<typeof loadChart>[1]) => ReturnType<typeof loadChart>;
  readonly tokens: TokenData;
  /** The figures of launches are read from these. */
  readonly launchReads: LaunchReads;
  readonly trade: TradeServices;
  readonly withdrawals: WithdrawalServices;
  readonly guard: GuardServices;
  readonly backups: BackupServices;
  readonly mint: MintServices;
  readonly launch: LaunchServices;
  readonly games: GameServices;
  readonly convert: Services['convert'];
  readonly orders: Services['orders'];
  readonly alerts: Services['alerts'];
  readonly follows: Services['follows'];
  readonly groups: Services['groups'];
  readonly copying: Services['copying'];
  readonly personalKeys: Services['personalKeys'];
  readonly autoBuy: Services['autoBuy'];
  readonly positions: Services['positions'];
  /** Token accounts of a wallet that are empty, and the lamports that closing them returns. */
  readonly emptyAccounts: Services['emptyAccounts'];
  /** Requests for API keys, for operators. */
  readonly keyReview: Services['keyReview'];
  /** The public page where a round can be checked; null while the open host's address is unknown. */
  readonly roundUrl: (roundId: string) => string | null;
  /** Checks, re-encodes and keeps a picture; `uri` is its public address. */
  readonly storePicture: (bytes: Uint8Array) => Promise<{ readonly uri: string }>;
  /** The page of a token on the open host; null while its address is unknown. */
  readonly passportUrl: (mint: Address) => string | null;
  /** The page that shows a new authenticator's secret once; null where a secret may not be shown. */
  readonly secondFactorUrl: (token: string) => string | null;
};

/** Use cases of trading, bound to their own dependencies. */
type TradeServices = {
  readonly lookUpToken: (text: string) => Promise<Token>;
  readonly suggestTokens: (wallet: Address) => Promise<readonly Token[]>;
  readonly tradeCard: (input: { readonly wallet: Address; readonly mint: Address }) => Promise<TradeCard>;
  readonly quoteTrade: (request: TradeRequest) => Promise<TradeQuote>;
  /** The slippage that a trade of a token would have now, worked out from its market's moves. */
  readonly slippageNow: (asked: Parameters<typeof slippageNow>[1]) => Promise<AutoSlippage>;
  /** The trades of another wallet around a landed one; null where the tape shows none. */
  readonly findSandwich: (trade: Parameters<typeof findSandwich>[1]) => Promise<Sandwich | null>;
  readonly offerTip: (sending: Sending) => Promise<TipOffer>;
  readonly confirmTrade: (input: ConfirmTradeInput) => Promise<CreatedIntent>;
  readonly paperQuote: (order: PaperOrder) => Promise<PaperQuote>;
  /** Null for a token that no pool trades against SOL. */
  readonly marketDepth: (mint: Address) => Promise<MarketDepth | null>;
};

/** Use cases of withdrawals, bound to their own dependencies. */
export type WithdrawalServices = {
  /** The address when it is an ordinary wallet other than `sender`; throws the recipient's errors. */
  readonly checkRecipient: (sender: Address, text: string) => Promise<{ readonly address: Address }>;
  readonly prepareWithdrawal: (request: Parameters<typeof prepareWithdrawal>[1]) => Promise<WithdrawalQuote>;
  /** Throws the refusal that it would meet now. */
  readonly mayWithdraw: (input: GuardedWithdrawal) => Promise<void>;
  readonly confirmWithdrawal: (input: Parameters<typeof confirmWithdrawal>[1]) => Promise<CreatedIntent>;
  readonly cancelIntent: (input: {
    readonly intentId: string;
    readonly userId: string;
  }) => Promise<{ readonly cancelled: boolean; readonly forgotten: boolean; readonly intent: Intent }>;
};

/** Use cases of the withdrawal guard and of backups, bound to their own dependencies. */
export type GuardServices = Services['guard'];
export type BackupServices = Services['backups'];
/** Use cases of making tokens, bound to their own dependencies. */
export type MintServices = Services['mint'];
export type LaunchServices = Services['launch'];
export type GameServices = Services['games'];

export type CreatedIntent = { readonly intent: Intent; readonly created: boolean };

type BotOptions = {
  readonly token: string;
  /** Without a trailing slash; absent means Telegram itself. */
  readonly apiRoot?: string;
  /** The service's own name. */
  readonly name: string;
  readonly transport: BotTransport;
  readonly maxWallets: number;
  readonly fees: FeesAt;
  /** The actions that need a referral account. */
  readonly referralRequiredFor: ReadonlySet<ReferralAction>;
  /** Whether choosing a referral code takes a voucher of the shop. */
  readonly codeNeedsVoucher: boolean;
  /** Whether games take bets. */
  readonly games: boolean;
  /** Whether convert periods take points. */
  readonly convert: boolean;
  /** Smallest reward that is paid; 0 = every amount that a wallet can receive. */
  readonly payoutMinLamports: bigint;
  readonly payoutsLamports: bigint;
  /** An explorer's page for a transaction, with `{signature}` where it goes. */
  readonly explorerUrl: string;
  readonly sourceUrl: string | null;
  readonly rateLimit: RateLimit;
};

/** Polling needs no public address and runs in one process; a webhook serves several. */
type BotTransport =
  | { readonly mode: 'polling' }
  | { readonly mode: 'webhook'; readonly url: string; readonly secret: string; readonly port: number };

/** The input of features: the world, and the states behind buttons. */
export type FeatureDeps = BotDeps & {
  readonly states: ButtonStates;
  readonly secrets: SecretPrompts;
  readonly openForms: OpenForms;
};

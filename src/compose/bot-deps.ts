import type { Address } from '@tradepost/solana';
import type { FeesAt } from '../engine/fees/rules/fee-table.ts';
import type { Intent } from '../engine/intents/rules/intent.ts';
import type { LaunchReads } from '../modules/launches/use/launch-figures.ts';
import type { loadChart } from '../modules/market/use/load-chart.ts';
import type { TokenData } from '../modules/market/use/token-data.ts';
import type { ReferralAction } from '../modules/referrals/rules/required-for.ts';
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
import type { ChatVerbs } from './services.ts';

/** The bot's needs from the world. Everything is handed in by the composition root. */
export type BotDeps = ChatVerbs & {
  readonly db: Database;
  readonly dialogs: DialogStore;
  readonly chain: Pick<
    Chain,
    'balance' | 'epoch' | 'holding' | 'holdings' | 'latestBlockhash' | 'rentExemption' | 'slotMs' | 'token'
  >;
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
  /** The newest bars of a token; null where none of its trades has been seen. */
  readonly loadChart: (wanted: Parameters<typeof loadChart>[1]) => ReturnType<typeof loadChart>;
  readonly tokens: TokenData;
  /** The figures of launches are read from these. */
  readonly launchReads: LaunchReads;
  /** The public page where a round can be checked; null while the open host's address is unknown. */
  readonly roundUrl: (roundId: string) => string | null;
  /** Checks, re-encodes and keeps a picture; `uri` is its public address. */
  readonly storePicture: (bytes: Uint8Array) => Promise<{ readonly uri: string }>;
  /** The page of a token on the open host; null while its address is unknown. */
  readonly passportUrl: (mint: Address) => string | null;
  /** The page that shows a new authenticator's secret once; null where a secret may not be shown. */
  readonly secondFactorUrl: (token: string) => string | null;
};

/** Use cases by noun, bound to their own dependencies. */
export type WithdrawalServices = ChatVerbs['withdrawals'];
export type LaunchServices = ChatVerbs['launch'];

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

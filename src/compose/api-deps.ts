import type { Address } from '@tradepost/solana';
import type { Bps } from '../core/amounts/bps.ts';
import type { Pause } from '../engine/switches/rules.ts';
import type { SecondFactorDeps } from '../modules/guard/api/serve-second-factor.ts';
import type { StopPageDeps } from '../modules/guard/api/serve-stop.ts';
import type { IdempotencyStore } from '../modules/keys/store/idempotency-store-port.ts';
import type { IpBlocks } from '../modules/keys/store/ip-blocks-port.ts';
import type { KeyCheck } from '../modules/keys/use/check-api-key.ts';
import type { UsageCounter } from '../modules/keys/use/count-usage.ts';
import type { KeyDesk } from '../modules/keys/use/key-desk.ts';
import type { Deprecation, OrderBookLimits } from '../modules/market/rules/terms.ts';
import type { MarketData } from '../modules/market/use/market-data.ts';
import type { TokenData } from '../modules/market/use/token-data.ts';
import type { TradeStream } from '../modules/market/use/trade-stream.ts';
import type { TokenDraft } from '../modules/mint/rules/token-draft.ts';
import type { BuiltToken } from '../modules/mint/use/build-token.ts';
import type { StoredPicture } from '../modules/mint/use/store-picture.ts';
import type { PartChecks, PartsAnswer } from '../modules/operations/use/ask-parts.ts';
import type { ProgramDesk } from '../modules/personal-keys/use/program-desk.ts';
import type { Submission } from '../modules/submissions/rules/submission.ts';
import type { SubmissionStream } from '../modules/submissions/use/submission-stream.ts';
import type { SubmitRequest, SubmitResult } from '../modules/submissions/use/submit-transaction.ts';
import type { AskedTip, SenderFacts } from '../modules/trading/use/asked-tip.ts';
import type { SwapResult } from '../modules/trading/use/build-swap.ts';
import type { SwapQuote } from '../modules/trading/use/quote-swap.ts';
import type { PriceRequest, SwapRequest } from '../modules/trading/use/swap-terms.ts';
import type { PnlWindow } from '../modules/wallet-data/rules/wallet-pnl.ts';
import type { FlowPlace } from '../modules/wallet-data/store-port.ts';
import type { WalletHoldings } from '../modules/wallet-data/use/read-holdings.ts';
import type { WalletPnl, WalletTrades } from '../modules/wallet-data/use/read-wallet-trades.ts';
import type { WebhookDesk } from '../modules/webhooks/use/manage-webhooks.ts';
import type { FrameFacts } from '../platform/http/look/frame.ts';
import type { SiteDeps } from '../platform/http/site/page.ts';
import type { ApiLimiter } from '../platform/ports/api-limiter.ts';
import type { Clock } from '../platform/ports/clock.ts';
import type { Ids } from '../platform/ports/ids.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { RpcMeter } from '../platform/ports/rpc-meter.ts';

/** The parts of the rest of the house that the two hosts need. */
export type ApiDeps = {
  readonly buildSwap: (request: SwapRequest) => Promise<SwapResult>;
  readonly quoteSwap: (request: PriceRequest, referrerFeeBps?: Bps) => Promise<SwapQuote>;
  /** Where swaps may go. */
  readonly venues: readonly { readonly name: string; readonly programId: Address | null }[];
  /** Ways on which transactions are sent, and the tip that one of them is paid. */
  readonly senders: {
    readonly list: readonly SenderFacts[];
    readonly tip: (asked: { readonly sender: string; readonly lamports: bigint }) => AskedTip;
  };
  /** Play SOL for an address, once it is confirmed. Absent on every chain but a local one. */
  readonly airdrop?: (address: string, lamports: bigint) => Promise<{ readonly signature: string }>;
  /** Of the chain, as Actions name it. */
  readonly genesisHash: () => Promise<string>;
  /** Counts an answer's cost in calls to the chain's nodes. */
  readonly rpcMeter: RpcMeter;
  /** `mayStore` throws when the caller's room for documents is used up. */
  readonly buildToken: (draft: TokenDraft, mayStore: () => void) => Promise<BuiltToken>;
  /** Transactions that callers signed. */
  readonly submissions: {
    /** Proves that this transaction was built here; null where nothing is submitted for callers. */
    readonly tokenOf: (transaction: Uint8Array) => string | null;
    /** Changes of the named ones, as long as the way to stop is not called. */
    readonly subscribe: SubmissionStream['subscribe'];
    readonly submit: (request: SubmitRequest) => Promise<SubmitResult>;
    readonly find: (
      signature: string,
      until: { readonly level: 'confirmed' | 'final'; readonly timeoutMs: number } | null,
    ) => Promise<Submission | null>;
  };
  /** Addresses that are notified of them. Asked on the keyed host alone. */
  readonly webhooks: WebhookDesk;
  /** What any address holds, as the chain shows it. */
  readonly walletHoldings: (address: Address) => Promise<WalletHoldings>;
  /** What any address traded and realised, from the sums that the tape keeps. */
  readonly walletTrades: (address: Address, page: FlowPlace) => Promise<WalletTrades>;
  readonly walletPnl: (address: Address, window: PnlWindow) => Promise<WalletPnl>;
  readonly storePicture: (bytes: Uint8Array) => Promise<StoredPicture>;
  /** The public pages, which the open host serves. */
  readonly site: SiteDeps;
  /** The page that shows a new authenticator's secret, on the open host. */
  readonly secondFactor: SecondFactorDeps;
  /** The page with Stop behind a mail, on the open host. */
  readonly stopPage: StopPageDeps;
  /** The checks of `GET /health`. */
  readonly health: PartChecks;
  /** This process's measurements of the network, which it shows. */
  readonly networkFacts: () => object;
  /** The operator's pause of the whole API; null = it is open. */
  readonly pause: () => Promise<Pause | null>;
  /** Counts the requests of keys. */
  readonly usage: UsageCounter;
  /** Requests for keys, claims and accounts; null where no mail can be sent. */
  readonly keyDesk: KeyDesk | null;
  /** Requests that personal keys signed, on the keyed host; null: this service takes none, and has no such path. */
  readonly programDesk: ProgramDesk | null;
  readonly frame: FrameFacts;
  readonly market: MarketData;
  readonly tokens: TokenData;
  readonly tradeStream: TradeStream;
  /** Of the market data under `/v1`. */
  readonly deprecation: Deprecation;
  readonly ipBlocks: IpBlocks;
  readonly orderBookLimits: OrderBookLimits;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
};

/** The same, with what a host asks for all of its paths together. */
export type HostDeps = ApiDeps & {
  /** Whether each part that the service depends on answers. Asked at most once a second, however many ask. */
  readonly parts: () => Promise<PartsAnswer>;
};

export type OpenHost = {
  readonly kind: 'open';
  /** Of one IP address. */
  readonly ratePerSecond: number;
  readonly burst: number;
};

export type ProHost = {
  readonly kind: 'pro';
  readonly checkKey: (text: string) => Promise<KeyCheck>;
  /** Counts the requests of accounts, over all processes. */
  readonly limiter: ApiLimiter;
};

/** The charting datafeed alone, keyless. */
export type ChartsHost = { readonly kind: 'charts' };

export type Host = OpenHost | ProHost | ChartsHost;

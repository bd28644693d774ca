import type { Bps } from '../core/amounts/bps.ts';
import type { Deprecation, OrderBookLimits } from '../core/market/terms.ts';
import type { TokenDraft } from '../core/mint/token-draft.ts';
import type { ApiLimiter } from '../core/ports/api-limiter.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { IdempotencyStore } from '../core/ports/idempotency-store.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { IpBlocks } from '../core/ports/ip-blocks.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RpcMeter } from '../core/ports/rpc-meter.ts';
import type { Pause } from '../core/switches/switch.ts';
import type { KeyCheck } from '../services/api-keys/check-api-key.ts';
import type { UsageCounter } from '../services/api-keys/count-usage.ts';
import type { KeyDesk } from '../services/api-keys/key-desk.ts';
import type { PartChecks } from '../services/health/ask-parts.ts';
import type { MarketData } from '../services/market/market-data.ts';
import type { TokenData } from '../services/market/token-data.ts';
import type { TradeStream } from '../services/market/trade-stream.ts';
import type { StoredPicture } from '../services/metadata/store-picture.ts';
import type { BuiltToken } from '../services/mint/build-token.ts';
import type { SwapResult } from '../services/trading/build-swap.ts';
import type { SwapQuote } from '../services/trading/quote-swap.ts';
import type { PriceRequest, SwapRequest } from '../services/trading/swap-terms.ts';
import type { FrameFacts } from './look/frame.ts';
import type { SecondFactorDeps } from './second-factor/serve-second-factor.ts';
import type { SiteDeps } from './site/page.ts';

/** What the two hosts need of the rest of the house. */
export type ApiDeps = {
  readonly buildSwap: (request: SwapRequest) => Promise<SwapResult>;
  readonly quoteSwap: (request: PriceRequest, referrerFeeBps?: Bps) => Promise<SwapQuote>;
  /** Counts what an answer costs in calls to the chain's nodes. */
  readonly rpcMeter: RpcMeter;
  /** `mayStore` throws when the caller's room for documents is used up. */
  readonly buildToken: (draft: TokenDraft, mayStore: () => void) => Promise<BuiltToken>;
  readonly storePicture: (bytes: Uint8Array) => Promise<StoredPicture>;
  /** The public pages, which the open host serves. */
  readonly site: SiteDeps;
  /** The page that shows a new authenticator's secret, on the open host. */
  readonly secondFactor: SecondFactorDeps;
  /** What `GET /health` asks. */
  readonly health: PartChecks;
  /** What an operator has paused the whole API for; null = it is open. */
  readonly pause: () => Promise<Pause | null>;
  /** Counts what keys ask for. */
  readonly usage: UsageCounter;
  /** Requests for keys, claims and accounts; null where no mail can be sent. */
  readonly keyDesk: KeyDesk | null;
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

export type OpenHost = {
  readonly kind: 'open';
  /** Of one IP address. */
  readonly ratePerSecond: number;
  readonly burst: number;
};

export type ProHost = {
  readonly kind: 'pro';
  readonly checkKey: (text: string) => Promise<KeyCheck>;
  /** Counts what accounts ask for, over all processes. */
  readonly limiter: ApiLimiter;
};

/** The charting datafeed alone, keyless. */
export type ChartsHost = { readonly kind: 'charts' };

export type Host = OpenHost | ProHost | ChartsHost;

// Written by `npm run sdk:types` from the documents of the hosts. A test compares it with them.

export type DeskOrder = {
  readonly id: string;
  /** the name that the chat shows */
  readonly number: number;
  /** orders of one group share its units */
  readonly groupId: string;
  readonly mint: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'LIMIT' | 'TAKE_PROFIT' | 'STOP_LOSS' | 'TRAILING_STOP' | 'STOP_BUY' | 'DCA' | 'DEV_SELLS' | 'LIQUIDITY_FALLS';
  /** `FILLED`, `CANCELLED` and `EXPIRED` are final */
  readonly status: 'WAITING' | 'OPEN' | 'TRIGGERED' | 'PAUSED' | 'FILLED' | 'CANCELLED' | 'EXPIRED';
  /** why it is paused, or was cancelled */
  readonly reason: string | null;
  /** its part of the group */
  readonly amount: {
    /** `fixed`: `units`; `share`: `bps` of the group; `rest`: all that the others leave */
    readonly kind: 'fixed' | 'share' | 'rest';
    /** lamports of a purchase, units of a sale */
    readonly units?: string | undefined;
    readonly bps?: number | undefined;
  };
  /** given so far */
  readonly filled: string;
  /** got for them */
  readonly received: string;
  /** an exact rate: units got for units given; null of an order that waits for no price */
  readonly trigger: {
    readonly got: string;
    readonly given: string;
    /** `USD`: millionths of a dollar stand in the place of lamports */
    readonly unit: 'SOL' | 'USD';
  } | null;
  /** ISO 8601 */
  readonly expiresAt: string;
  /** ISO 8601 */
  readonly createdAt: string;
};

export type DeskOrders = readonly ({
  readonly id: string;
  /** the name that the chat shows */
  readonly number: number;
  /** orders of one group share its units */
  readonly groupId: string;
  readonly mint: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'LIMIT' | 'TAKE_PROFIT' | 'STOP_LOSS' | 'TRAILING_STOP' | 'STOP_BUY' | 'DCA' | 'DEV_SELLS' | 'LIQUIDITY_FALLS';
  readonly status: 'WAITING' | 'OPEN' | 'TRIGGERED' | 'PAUSED';
  /** why it is paused */
  readonly reason: string | null;
  /** its part of the group */
  readonly amount: {
    /** `fixed`: `units`; `share`: `bps` of the group; `rest`: all that the others leave */
    readonly kind: 'fixed' | 'share' | 'rest';
    /** lamports of a purchase, units of a sale */
    readonly units?: string | undefined;
    readonly bps?: number | undefined;
  };
  /** given so far */
  readonly filled: string;
  /** got for them */
  readonly received: string;
  /** an exact rate: units got for units given; null of an order that waits for no price */
  readonly trigger: {
    readonly got: string;
    readonly given: string;
    /** `USD`: millionths of a dollar stand in the place of lamports */
    readonly unit: 'SOL' | 'USD';
  } | null;
  /** ISO 8601 */
  readonly expiresAt: string;
  /** ISO 8601 */
  readonly createdAt: string;
})[];

export type DeskPositions = readonly ({
  readonly mint: string;
  /** smallest units held, those of trades that are not final too */
  readonly units: string;
  /** cost of the units held: average, every fee included */
  readonly costLamports: string;
  /** profit of what was sold */
  readonly realizedLamports: string;
  /** trades in here that a fork may still take back */
  readonly notFinal: number;
})[];

export type DeskTrade = {
  readonly id: string;
  /** the code that the chat shows */
  readonly receipt: string;
  readonly side: 'buy' | 'sell';
  readonly mint: string;
  /** lamports of a purchase, units of a sale, as ordered */
  readonly amountIn: string;
  /** `review`: neither success nor death can be proven, and an operator looks at it */
  readonly status: 'open' | 'succeeded' | 'failed' | 'rejected' | 'expired' | 'cancelled' | 'review';
  /** the order that wanted it; null where a person did */
  readonly orderId: string | null;
  /** change of the wallet’s lamports, every fee and deposit included; null before it landed */
  readonly lamports: string | null;
  /** change of its units of the token; null before it landed */
  readonly units: string | null;
  readonly signature: string | null;
  /** why it did not succeed */
  readonly reason: string | null;
  /** ISO 8601 */
  readonly createdAt: string;
};

export type DeskTrades = {
  /** the newest first */
  readonly trades: readonly ({
    readonly id: string;
    /** the code that the chat shows */
    readonly receipt: string;
    readonly side: 'buy' | 'sell';
    readonly mint: string;
    /** lamports of a purchase, units of a sale, as ordered */
    readonly amountIn: string;
    /** `review`: neither success nor death can be proven, and an operator looks at it */
    readonly status: 'open' | 'succeeded' | 'failed' | 'rejected' | 'expired' | 'cancelled' | 'review';
    /** the order that wanted it; null where a person did */
    readonly orderId: string | null;
    /** change of the wallet’s lamports, every fee and deposit included; null before it landed */
    readonly lamports: string | null;
    /** change of its units of the token; null before it landed */
    readonly units: string | null;
    readonly signature: string | null;
    /** why it did not succeed */
    readonly reason: string | null;
    /** ISO 8601 */
    readonly createdAt: string;
  })[];
  /** the cursor of the next page; null where there is none */
  readonly next: string | null;
};

export type EndedDeskOrder = {
  readonly id: string;
  /** `CANCELLED`; another one where it was over before, or fires at this moment */
  readonly status: 'WAITING' | 'OPEN' | 'TRIGGERED' | 'PAUSED' | 'FILLED' | 'CANCELLED' | 'EXPIRED';
  /** true: its trade was signed before and cannot be recalled; the order ends with it */
  readonly sent: boolean;
};

export type HoldingsResponse = {
  readonly address: string;
  /** SOL in smallest units */
  readonly lamports: string;
  readonly sol: {
    /** US dollars for one whole token; null where it is unknown */
    readonly usdPrice: number | null;
    /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
    readonly confidence: 'high' | 'medium' | 'low' | null;
    /** it rests on a look that is older than a minute */
    readonly stale: boolean | null;
    readonly priceSol: number | null;
    /** twice what could be taken out of all pools whose other side has a price */
    readonly liquidityUsd: number | null;
    /** ISO 8601: the oldest look that it rests on */
    readonly pricedAt: string | null;
    /** of the SOL */
    readonly valueUsd: number | null;
  };
  /** the worthiest first; at most 500 */
  readonly tokens: readonly ({
    readonly mint: string;
    readonly tokenProgram: string;
    readonly decimals: number;
    /** units in all its accounts of the token */
    readonly amount: string;
    /** those of them that the issuer froze */
    readonly frozen: string;
    /** accounts that hold it */
    readonly accounts: number;
    /** US dollars for one whole token; null where it is unknown */
    readonly usdPrice: number | null;
    /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
    readonly confidence: 'high' | 'medium' | 'low' | null;
    /** it rests on a look that is older than a minute */
    readonly stale: boolean | null;
    readonly priceSol: number | null;
    /** twice what could be taken out of all pools whose other side has a price */
    readonly liquidityUsd: number | null;
    /** ISO 8601: the oldest look that it rests on */
    readonly pricedAt: string | null;
    /** null where the price is not known */
    readonly valueUsd: number | null;
  })[];
  /** false: the node’s list was cut, or more tokens are held than are given */
  readonly complete: boolean;
};

export type MadeDeskTrade = {
  readonly id: string;
  /** the code that the chat shows */
  readonly receipt: string;
  readonly side: 'buy' | 'sell';
  readonly mint: string;
  /** lamports of a purchase, units of a sale, as ordered */
  readonly amountIn: string;
  /** `review`: neither success nor death can be proven, and an operator looks at it */
  readonly status: 'open' | 'succeeded' | 'failed' | 'rejected' | 'expired' | 'cancelled' | 'review';
  /** the order that wanted it; null where a person did */
  readonly orderId: string | null;
  /** change of the wallet’s lamports, every fee and deposit included; null before it landed */
  readonly lamports: string | null;
  /** change of its units of the token; null before it landed */
  readonly units: string | null;
  readonly signature: string | null;
  /** why it did not succeed */
  readonly reason: string | null;
  /** ISO 8601 */
  readonly createdAt: string;
};

export type MarketBookResponse = {
  /** 0 before the first trade */
  readonly lastOrderPrice: number;
  /** highest price first */
  readonly bids: readonly ({
    /** quote per base */
    readonly price: number;
    /** base tokens */
    readonly size: number;
    readonly side: 'buy';
  })[];
  /** lowest price first */
  readonly asks: readonly ({
    /** quote per base */
    readonly price: number;
    /** base tokens */
    readonly size: number;
    readonly side: 'sell';
  })[];
  readonly market: string;
  /** made of a pool’s curve: what its own quote gives, fees included, until the price has moved by 5 % */
  readonly synthetic: boolean;
  readonly slot: number;
  readonly asOf: string;
};

export type MarketCandlesResponse = readonly ({
  /** Unix seconds at which it begins */
  readonly t: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly baseVolume: string;
  readonly quoteVolume: string;
  /** quote tokens that bought base */
  readonly buyVolume: string;
  readonly trades: number;
})[];

export type MarketResponse = {
  /** BASE/QUOTE; several markets of one pair share it */
  readonly market: string;
  /** base ticker */
  readonly coin: string;
  /** quote ticker */
  readonly priceCurrency: string;
  readonly address: string;
  readonly baseMint: string;
  readonly quoteMint: string;
  readonly programId: string;
  readonly venue: string;
  /** the market that the name alone means */
  readonly primary: boolean;
  /** the base token is well known, or vouched for by the operator */
  readonly verified: boolean;
  /** US dollars; null where it is unknown */
  readonly liquidityUsd: number | null;
  /** trades may be missing */
  readonly gap: boolean;
  readonly price: string | null;
  readonly priceExact: string | null;
  readonly time: string | null;
  /** US dollars for one base token, from the states of its pools now; null where it is unknown */
  readonly usdPrice: number | null;
  /** rounded to two digits */
  readonly changePercent: number | null;
  readonly partial: boolean | null;
  /** quote tokens in 24 hours */
  readonly totalVolume: number;
  readonly sellVolume: number;
  readonly buyVolume: number;
  /** exact decimal */
  readonly highPrice: string;
  /** exact decimal */
  readonly lowPrice: string;
  readonly baseVolume: number;
  readonly trades: number;
  /** US dollars; null where it is unknown */
  readonly volumeUsd: number | null;
};

export type MarketTradesResponse = readonly ({
  /** in the order of the chain */
  readonly id: number;
  /** quote per base, exactly ten fraction digits, the rest cut off */
  readonly price: string;
  /** base tokens */
  readonly size: string;
  /** BASE/QUOTE; several markets of one pair share it */
  readonly market: string;
  /** of the taker */
  readonly side: 'buy' | 'sell';
  /** ISO 8601 UTC */
  readonly time: string;
  /** the id as text: pools have no orders */
  readonly orderId: string;
  /** quote tokens; 0 where the venue does not say */
  readonly feeCost: string;
  readonly marketAddress: string;
  /** when it was written down */
  readonly createdAt: string;
  /** the same with 18 significant digits */
  readonly priceExact: string;
  /** quote tokens */
  readonly quoteSize: string;
  readonly signature: string;
  readonly slot: number;
  readonly trader: string;
  /** found in a finalized block; a fork may still take others back */
  readonly sealed: boolean;
  /** where feeCost is from: told by the venue, worked out from its rate, or not known */
  readonly feeSource: 'event' | 'rate' | 'unknown';
})[];

export type MarketsResponse = readonly ({
  /** BASE/QUOTE; several markets of one pair share it */
  readonly market: string;
  /** base ticker */
  readonly coin: string;
  /** quote ticker */
  readonly priceCurrency: string;
  readonly address: string;
  readonly baseMint: string;
  readonly quoteMint: string;
  readonly programId: string;
  readonly venue: string;
  /** the market that the name alone means */
  readonly primary: boolean;
  /** the base token is well known, or vouched for by the operator */
  readonly verified: boolean;
  /** US dollars; null where it is unknown */
  readonly liquidityUsd: number | null;
  /** trades may be missing */
  readonly gap: boolean;
  readonly price: string | null;
  readonly priceExact: string | null;
  readonly time: string | null;
  /** US dollars for one base token, from the states of its pools now; null where it is unknown */
  readonly usdPrice: number | null;
  /** rounded to two digits */
  readonly changePercent: number | null;
  readonly partial: boolean | null;
  /** quote tokens in 24 hours */
  readonly totalVolume: number;
  readonly sellVolume: number;
  readonly buyVolume: number;
  /** exact decimal */
  readonly highPrice: string;
  /** exact decimal */
  readonly lowPrice: string;
  readonly baseVolume: number;
  readonly trades: number;
  /** US dollars; null where it is unknown */
  readonly volumeUsd: number | null;
})[];

export type PlacedDeskOrder = {
  readonly id: string;
  /** the name that the chat shows */
  readonly number: number;
  /** orders of one group share its units */
  readonly groupId: string;
  readonly mint: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'LIMIT' | 'TAKE_PROFIT' | 'STOP_LOSS' | 'TRAILING_STOP' | 'STOP_BUY' | 'DCA' | 'DEV_SELLS' | 'LIQUIDITY_FALLS';
  /** `FILLED`, `CANCELLED` and `EXPIRED` are final */
  readonly status: 'WAITING' | 'OPEN' | 'TRIGGERED' | 'PAUSED' | 'FILLED' | 'CANCELLED' | 'EXPIRED';
  /** why it is paused, or was cancelled */
  readonly reason: string | null;
  /** its part of the group */
  readonly amount: {
    /** `fixed`: `units`; `share`: `bps` of the group; `rest`: all that the others leave */
    readonly kind: 'fixed' | 'share' | 'rest';
    /** lamports of a purchase, units of a sale */
    readonly units?: string | undefined;
    readonly bps?: number | undefined;
  };
  /** given so far */
  readonly filled: string;
  /** got for them */
  readonly received: string;
  /** an exact rate: units got for units given; null of an order that waits for no price */
  readonly trigger: {
    readonly got: string;
    readonly given: string;
    /** `USD`: millionths of a dollar stand in the place of lamports */
    readonly unit: 'SOL' | 'USD';
  } | null;
  /** ISO 8601 */
  readonly expiresAt: string;
  /** ISO 8601 */
  readonly createdAt: string;
};

export type QuoteResponse = {
  /** the path and how the amount is divided: one entry per pair of tokens traded, in order of execution */
  readonly bestRouter: {
    /** name of the router used */
    readonly router: string;
    readonly subRouters: readonly ({
      readonly protocol: readonly ({
        /** protocol name */
        readonly name: string;
        /** contribution in percent of the amount sold here, a whole number */
        readonly percent: string;
      })[];
      readonly fromTokenAddress: string;
      readonly toTokenAddress: string;
    })[];
  };
  /** token sold */
  readonly fromTokenAddress: string;
  /** token bought */
  readonly toTokenAddress: string;
  /** input amount to be sold */
  readonly fromTokenAmount: string;
  /** resulting amount to be bought, after every fee */
  readonly toTokenAmount: string;
  /** the most that is sold; the input is exact */
  readonly maxSpendAmount: string;
  /** the least that is received: what the instructions enforce */
  readonly minReceiveAmount: string;
  /** allowed slippage in bps */
  readonly slippage: string;
  /** the requested amount, of the bought token with swapMode exactOut */
  readonly requestAmount: string;
  /** how far the size alone worsens the rate, in percent */
  readonly priceImpactPct: string;
  /** what a route through other tokens leaves in them by the quote: each hop spends what the one before surely brings */
  readonly remainders: readonly ({
    readonly tokenAddress: string;
    /** the amount left in the wallet */
    readonly amount: string;
  })[];
  /** ISO 8601 UTC; until about then the answer is usable */
  readonly expiresAt: string;
  /** slot of the oldest state the quote rests on */
  readonly contextSlot: string;
  readonly quoteId: string;
  /** what this answer cost at the chain’s nodes: calls made for it and accounts read by them; `followed` counts accounts that were known by subscription instead */
  readonly rpc: {
    readonly calls: number;
    readonly accounts: number;
    readonly followed?: number | undefined;
  };
  /** only where a venue could not be asked: asked again, the answer may be better */
  readonly coverage?: 'partial' | undefined;
  /** which venues those are */
  readonly venuesNotAsked?: readonly (string)[] | undefined;
  /** only where a transaction of version 1 would bring at least 0.1 % more */
  readonly better?: {
    readonly version: 1;
    /** what `maxTransactionVersion` 1 would bring, after every fee */
    readonly toTokenAmount: string;
  } | undefined;
  readonly warnings: readonly ({
    readonly code: 'PRICE_IMPACT' | 'HIGH_SLIPPAGE' | 'SIMULATION_DIFFERS' | 'TOKEN_RISK';
    readonly message: string;
  })[];
};

export type RemovedWebhook = {
  readonly id: string;
};

export type ReplayedWebhook = {
  readonly count: number;
};

export type RotateResponse = {
  /** where the link went, shortened */
  readonly mailedTo: string;
};

export type SendersResponse = readonly ({
  readonly name: string;
  /** whether a transaction that goes to it alone is public only after it has landed */
  readonly protects: boolean;
  /** the least tip that it takes a transaction for */
  readonly leastTipLamports: string;
  /** the most that a swap of this service may pay it */
  readonly mostTipLamports: string;
  /** where a tip goes: to any one of them, by a plain transfer */
  readonly tipAccounts: readonly (string)[];
})[];

export type StatusResponse = {
  /** down where a part does not answer */
  readonly status: 'ok' | 'down';
  /** ISO 8601, UTC */
  readonly at: string;
  /** what this process asks, now */
  readonly parts: readonly ({
    readonly name: string;
    readonly state: 'ok' | 'down';
  })[];
  /** by the operator */
  readonly paused: readonly ({
    readonly what: string;
    readonly reason: string;
    /** ISO 8601, UTC */
    readonly since: string;
    /** null: until it is resumed */
    readonly until: string | null;
  })[];
  /** the last 90 days, oldest first; a part and day that is missing was not measured. null: they cannot be read just now */
  readonly days: readonly ({
    readonly part: string;
    /** `2026-01-31`, UTC */
    readonly day: string;
    /** 1 to 1,440 */
    readonly measuredMinutes: number;
    /** of those, the ones in which it did not answer */
    readonly downMinutes: number;
  })[] | null;
  /** as the operator tells them, newest first; null: they cannot be read just now */
  readonly incidents: readonly ({
    readonly id: string;
    readonly title: string;
    readonly parts: readonly (string)[];
    /** ISO 8601, UTC */
    readonly openedAt: string;
    /** null: it goes on */
    readonly closedAt: string | null;
    /** newest first */
    readonly notes: readonly ({
      /** ISO 8601, UTC */
      readonly at: string;
      readonly text: string;
    })[];
  })[] | null;
};

export type Submission = {
  /** first signature of the transaction, by which the chain names it */
  readonly signature: string;
  /** `received`: kept, not sent yet; `sent`: a node took it, or may have; `processed`: one node shows it in a block; `confirmed`: most validators voted for its block; `finalized`, `failed` and `expired` are final; `disputed`: nodes contradict each other, do not build it anew */
  readonly status: 'received' | 'sent' | 'processed' | 'confirmed' | 'finalized' | 'failed' | 'expired' | 'disputed';
  /** true where the status never changes again */
  readonly final: boolean;
  /** grows with each change: of two records the higher one is newer */
  readonly version: number;
  /** the chain's error; null where it worked or has not landed. Only the network fee is gone then */
  readonly err: unknown;
  readonly slot: string | null;
  /** its first signer */
  readonly feePayer: string;
  readonly blockhash: string;
  readonly lastValidBlockHeight: string | null;
  /** where its bytes go, by the names of `GET /dex/senders`; with `revertProtection` the protecting one alone */
  readonly senders: readonly (string)[];
  /** how often the bytes went there */
  readonly sends: number;
  /** your own name for it */
  readonly reference: string | null;
  /** ISO 8601, UTC */
  readonly receivedAt: string;
  /** ISO 8601, UTC */
  readonly changedAt: string;
};

export type SwapInstructionsResponse = {
  /** the path and how the amount is divided: one entry per pair of tokens traded, in order of execution */
  readonly bestRouter: {
    /** name of the router used */
    readonly router: string;
    readonly subRouters: readonly ({
      readonly protocol: readonly ({
        /** protocol name */
        readonly name: string;
        /** contribution in percent of the amount sold here, a whole number */
        readonly percent: string;
      })[];
      readonly fromTokenAddress: string;
      readonly toTokenAddress: string;
    })[];
  };
  /** token sold */
  readonly fromTokenAddress: string;
  /** token bought */
  readonly toTokenAddress: string;
  /** input amount to be sold */
  readonly fromTokenAmount: string;
  /** resulting amount to be bought, after every fee */
  readonly toTokenAmount: string;
  /** the most that is sold; the input is exact */
  readonly maxSpendAmount: string;
  /** the least that is received: what the instructions enforce */
  readonly minReceiveAmount: string;
  /** allowed slippage in bps */
  readonly slippage: string;
  /** the requested amount, of the bought token with swapMode exactOut */
  readonly requestAmount: string;
  /** how far the size alone worsens the rate, in percent */
  readonly priceImpactPct: string;
  /** what a route through other tokens leaves in them by the quote: each hop spends what the one before surely brings */
  readonly remainders: readonly ({
    readonly tokenAddress: string;
    /** the amount left in the wallet */
    readonly amount: string;
  })[];
  /** ISO 8601 UTC; until about then the answer is usable */
  readonly expiresAt: string;
  /** slot of the oldest state the quote rests on */
  readonly contextSlot: string;
  readonly quoteId: string;
  /** what this answer cost at the chain’s nodes: calls made for it and accounts read by them; `followed` counts accounts that were known by subscription instead */
  readonly rpc: {
    readonly calls: number;
    readonly accounts: number;
    readonly followed?: number | undefined;
  };
  /** only where a venue could not be asked: asked again, the answer may be better */
  readonly coverage?: 'partial' | undefined;
  /** which venues those are */
  readonly venuesNotAsked?: readonly (string)[] | undefined;
  /** only where a transaction of version 1 would bring at least 0.1 % more */
  readonly better?: {
    readonly version: 1;
    /** what `maxTransactionVersion` 1 would bring, after every fee */
    readonly toTokenAmount: string;
  } | undefined;
  readonly warnings: readonly ({
    readonly code: 'PRICE_IMPACT' | 'HIGH_SLIPPAGE' | 'SIMULATION_DIFFERS' | 'TOKEN_RISK';
    readonly message: string;
  })[];
  /** wallet address of the requester */
  readonly requester: string;
  /** limit and price of the compute units, as the whole was simulated */
  readonly computeBudget: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** the referrer’s part of SOL that is sold */
  readonly feesIn: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** accounts that are opened, and SOL that is wrapped */
  readonly setup: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** the swaps */
  readonly swap: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** accounts that are closed again */
  readonly cleanup: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** the referrer’s part of what was bought */
  readonly feesOut: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** the tip to `sender`; empty where none was asked for */
  readonly tip: readonly ({
    readonly programId: string;
    readonly accounts: readonly ({
      readonly address: string;
      readonly signer: boolean;
      readonly writable: boolean;
    })[];
    /** base64 */
    readonly data: string;
  })[];
  /** tables without which the whole may not fit a transaction, with their contents */
  readonly lookupTables: readonly ({
    readonly address: string;
    readonly addresses: readonly (string)[];
  })[];
  readonly blockhash: string;
  /** the blockhash is taken up to this block height */
  readonly lastValidBlockHeight: string;
  /** who must sign: the fee payer first where that is another wallet, and the requester */
  readonly signers: readonly (string)[];
  readonly fees: {
    /** signatures and priority fee */
    readonly networkFeeLamports: string;
    /** rent of the token account that the swap opens for the requester */
    readonly newAccountRentLamports: string;
    /** rent that comes back from the account that the swap closes; 0 without `closeEmptiedAccount` */
    readonly returnedRentLamports: string;
    /** what the referrer receives, net of a transfer fee that the token withholds */
    readonly referrerFee: string;
    /** the amount sent to the referrer, the withheld fee included */
    readonly referrerFeeSent: string;
    /** token of the referrer fee; wrapped SOL means SOL */
    readonly referrerFeeTokenAddress: string | null;
    /** tip to the sender that was named, by the last instruction; 0 where none was asked for */
    readonly tipLamports: string;
  };
};

export type SwapQuoteResponse = {
  /** the path and how the amount is divided: one entry per pair of tokens traded, in order of execution */
  readonly bestRouter: {
    /** name of the router used */
    readonly router: string;
    readonly subRouters: readonly ({
      readonly protocol: readonly ({
        /** protocol name */
        readonly name: string;
        /** contribution in percent of the amount sold here, a whole number */
        readonly percent: string;
      })[];
      readonly fromTokenAddress: string;
      readonly toTokenAddress: string;
    })[];
  };
  /** token sold */
  readonly fromTokenAddress: string;
  /** token bought */
  readonly toTokenAddress: string;
  /** input amount to be sold */
  readonly fromTokenAmount: string;
  /** resulting amount to be bought, after every fee */
  readonly toTokenAmount: string;
  /** the most that is sold; the input is exact */
  readonly maxSpendAmount: string;
  /** the least that is received: what the instructions enforce */
  readonly minReceiveAmount: string;
  /** allowed slippage in bps */
  readonly slippage: string;
  /** the requested amount, of the bought token with swapMode exactOut */
  readonly requestAmount: string;
  /** how far the size alone worsens the rate, in percent */
  readonly priceImpactPct: string;
  /** what a route through other tokens leaves in them by the quote: each hop spends what the one before surely brings */
  readonly remainders: readonly ({
    readonly tokenAddress: string;
    /** the amount left in the wallet */
    readonly amount: string;
  })[];
  /** ISO 8601 UTC; until about then the answer is usable */
  readonly expiresAt: string;
  /** slot of the oldest state the quote rests on */
  readonly contextSlot: string;
  readonly quoteId: string;
  /** what this answer cost at the chain’s nodes: calls made for it and accounts read by them; `followed` counts accounts that were known by subscription instead */
  readonly rpc: {
    readonly calls: number;
    readonly accounts: number;
    readonly followed?: number | undefined;
  };
  /** only where a venue could not be asked: asked again, the answer may be better */
  readonly coverage?: 'partial' | undefined;
  /** which venues those are */
  readonly venuesNotAsked?: readonly (string)[] | undefined;
  /** only where a transaction of version 1 would bring at least 0.1 % more */
  readonly better?: {
    readonly version: 1;
    /** what `maxTransactionVersion` 1 would bring, after every fee */
    readonly toTokenAmount: string;
  } | undefined;
  readonly warnings: readonly ({
    readonly code: 'PRICE_IMPACT' | 'HIGH_SLIPPAGE' | 'SIMULATION_DIFFERS' | 'TOKEN_RISK';
    readonly message: string;
  })[];
  /** wallet address of the requester */
  readonly requester: string;
};

export type SwapResponse = {
  /** the path and how the amount is divided: one entry per pair of tokens traded, in order of execution */
  readonly bestRouter: {
    /** name of the router used */
    readonly router: string;
    readonly subRouters: readonly ({
      readonly protocol: readonly ({
        /** protocol name */
        readonly name: string;
        /** contribution in percent of the amount sold here, a whole number */
        readonly percent: string;
      })[];
      readonly fromTokenAddress: string;
      readonly toTokenAddress: string;
    })[];
  };
  /** token sold */
  readonly fromTokenAddress: string;
  /** token bought */
  readonly toTokenAddress: string;
  /** input amount to be sold */
  readonly fromTokenAmount: string;
  /** resulting amount to be bought, after every fee */
  readonly toTokenAmount: string;
  /** the most that is sold; the input is exact */
  readonly maxSpendAmount: string;
  /** the least that is received: what the instructions enforce */
  readonly minReceiveAmount: string;
  /** allowed slippage in bps */
  readonly slippage: string;
  /** the requested amount, of the bought token with swapMode exactOut */
  readonly requestAmount: string;
  /** how far the size alone worsens the rate, in percent */
  readonly priceImpactPct: string;
  /** what a route through other tokens leaves in them by the quote: each hop spends what the one before surely brings */
  readonly remainders: readonly ({
    readonly tokenAddress: string;
    /** the amount left in the wallet */
    readonly amount: string;
  })[];
  /** ISO 8601 UTC; until about then the answer is usable */
  readonly expiresAt: string;
  /** slot of the oldest state the quote rests on */
  readonly contextSlot: string;
  readonly quoteId: string;
  /** what this answer cost at the chain’s nodes: calls made for it and accounts read by them; `followed` counts accounts that were known by subscription instead */
  readonly rpc: {
    readonly calls: number;
    readonly accounts: number;
    readonly followed?: number | undefined;
  };
  /** only where a venue could not be asked: asked again, the answer may be better */
  readonly coverage?: 'partial' | undefined;
  /** which venues those are */
  readonly venuesNotAsked?: readonly (string)[] | undefined;
  /** only where a transaction of version 1 would bring at least 0.1 % more */
  readonly better?: {
    readonly version: 1;
    /** what `maxTransactionVersion` 1 would bring, after every fee */
    readonly toTokenAmount: string;
  } | undefined;
  readonly warnings: readonly ({
    readonly code: 'PRICE_IMPACT' | 'HIGH_SLIPPAGE' | 'SIMULATION_DIFFERS' | 'TOKEN_RISK';
    readonly message: string;
  })[];
  /** wallet address of the requester */
  readonly requester: string;
  /** base58 of the serialized transaction, for the requester to sign and submit: of version 0, or of version 1 where that was allowed and needed */
  readonly tx: string;
  /** the bytes of `tx` in base64 */
  readonly txBase64: string;
  /** lets `POST /transactions` take it without a key for five minutes; null where this service submits nothing for callers */
  readonly submitToken: string | null;
  /** who still must sign: the fee payer first where that is another wallet, and the requester */
  readonly signers: readonly (string)[];
  /** the transaction is worthless above this block height */
  readonly lastValidBlockHeight: string;
  readonly fees: {
    /** signatures and priority fee */
    readonly networkFeeLamports: string;
    /** rent of the token account that the swap opens for the requester */
    readonly newAccountRentLamports: string;
    /** rent that comes back from the account that the swap closes; 0 without `closeEmptiedAccount` */
    readonly returnedRentLamports: string;
    /** what the referrer receives, net of a transfer fee that the token withholds */
    readonly referrerFee: string;
    /** the amount sent to the referrer, the withheld fee included */
    readonly referrerFeeSent: string;
    /** token of the referrer fee; wrapped SOL means SOL */
    readonly referrerFeeTokenAddress: string | null;
    /** tip to the sender that was named, by the last instruction; 0 where none was asked for */
    readonly tipLamports: string;
  };
};

export type TokenPricesResponse = readonly ({
  readonly mint: string;
  /** US dollars for one whole token; null where it is unknown */
  readonly usdPrice: number | null;
  /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** it rests on a look that is older than a minute */
  readonly stale: boolean | null;
  readonly priceSol: number | null;
  /** twice what could be taken out of all pools whose other side has a price */
  readonly liquidityUsd: number | null;
  /** ISO 8601: the oldest look that it rests on */
  readonly pricedAt: string | null;
})[];

export type TokenProfileResponse = {
  readonly mint: string;
  /** made fit to show; proves nothing */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** well known, or vouched for by the operator */
  readonly verified: boolean;
  /** mint of the better known token that it can be taken for */
  readonly imitates: string | null;
  /** US dollars for one whole token; null where it is unknown */
  readonly usdPrice: number | null;
  /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** it rests on a look that is older than a minute */
  readonly stale: boolean | null;
  readonly priceSol: number | null;
  /** twice what could be taken out of all pools whose other side has a price */
  readonly liquidityUsd: number | null;
  /** ISO 8601: the oldest look that it rests on */
  readonly pricedAt: string | null;
  readonly volume24hUsd: number | null;
  readonly primaryMarket: string | null;
  /** ISO 8601: when this desk first saw it */
  readonly createdAt: string;
  /** percent, of the price in dollars; null where no price is that old, or it was not known in dollars */
  readonly change: {
    readonly '5m': number | null;
    readonly '1h': number | null;
    readonly '6h': number | null;
    readonly '24h': number | null;
  };
  /** percent, of the price in its primary market’s quote token */
  readonly changeQuote: {
    readonly '5m': number | null;
    readonly '1h': number | null;
    readonly '6h': number | null;
    readonly '24h': number | null;
  };
  readonly traders24h: number | null;
  /** price × full supply, what creators and pools hold included */
  readonly marketCapUsd: number | null;
  /** whole tokens, exact decimal */
  readonly supply: string;
  /** owners of some of it; null where the desk does not count them */
  readonly holders: number | null;
  /** of the supply, in the ten largest accounts that are no pool’s */
  readonly top10Percent: number | null;
  /** of the mint and of its market: `SMALL` below $5,000 of liquidity, `YOUNG` below a day, `FEW_HOLDERS` below 50, `NOT_ENOUGH_KNOWN` where one of these is not known; a verified token is judged by its mint alone */
  readonly safety: {
    readonly level: 'OK' | 'CAREFUL' | 'BLOCK';
    readonly warnings: readonly ({
      readonly code: string;
      readonly severity: 'NOTE' | 'CAREFUL' | 'BLOCK';
    })[];
  };
  /** of a token that was launched here */
  readonly launch: {
    readonly pad: string;
    readonly bondedPercent: number;
    readonly graduated: boolean;
  } | null;
  readonly passportUrl: string | null;
  /** the deepest first */
  readonly markets: readonly ({
    readonly address: string;
    readonly market: string;
    readonly venue: string;
    readonly liquidityUsd: number | null;
    readonly primary: boolean;
    readonly gap: boolean;
  })[];
  /** ISO 8601: the moment of the market figures */
  readonly asOf: string;
};

export type TokenResponse = {
  /** public key of the payer */
  readonly payer: string;
  readonly token: {
    /** mint address */
    readonly address: string;
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
    /** URI of the metadata */
    readonly metadata: string;
    /** public key, or empty when it was given up or never given */
    readonly mintAuthority: string;
    /** public key, or empty when it was given up or never given */
    readonly freezeAuthority: string;
    /** total minted, in whole tokens as in the request */
    readonly mintSupply: string;
    /** public key that receives the tokens */
    readonly mintTo: string;
    readonly program: 'token' | 'token2022';
    readonly transferFeeConfigAuthority?: string | undefined;
    readonly transferFeeWithdrawalAuthority?: string | undefined;
    readonly transferFeeBps?: number | undefined;
    readonly transferFeeMax?: string | undefined;
    readonly permanentDelegate?: string | undefined;
    readonly defaultAccountState?: {
      readonly state: 'initialized' | 'frozen';
    } | undefined;
    readonly interestBearingAuthority?: string | undefined;
    /** basis points, 0 to 10000 */
    readonly interestBearingPercent?: number | undefined;
    readonly mintCloseAuthority?: string | undefined;
    readonly nonTransferableMint?: boolean | undefined;
  };
  /** base58 of the serialized v0 transaction, signed by a generated mint, for the payer (and a mint of its own) to sign and submit */
  readonly tx: string;
  /** the bytes of `tx` in base64 */
  readonly txBase64: string;
  /** lets `POST /transactions` take it without a key for five minutes; null where this service submits nothing for callers */
  readonly submitToken: string | null;
  /** the transaction is worthless above this block height */
  readonly lastValidBlockHeight: string;
  /** ISO 8601 UTC; until about then the transaction is usable */
  readonly expiresAt: string;
  readonly fees: {
    /** signatures and priority fee */
    readonly networkFeeLamports: string;
    /** locked in the accounts that are opened */
    readonly rentLamports: string;
    /** the metadata program's own fee */
    readonly metadataFeeLamports: string;
  };
  /** powers over the holders of this token */
  readonly powers: readonly ({
    readonly code: string;
    readonly holder: string | null;
    readonly message: string;
  })[];
  readonly warnings: readonly ({
    readonly code: string;
    readonly message: string;
  })[];
};

export type TokensNewResponse = readonly ({
  readonly mint: string;
  /** made fit to show; proves nothing */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** well known, or vouched for by the operator */
  readonly verified: boolean;
  /** mint of the better known token that it can be taken for */
  readonly imitates: string | null;
  /** US dollars for one whole token; null where it is unknown */
  readonly usdPrice: number | null;
  /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** it rests on a look that is older than a minute */
  readonly stale: boolean | null;
  readonly priceSol: number | null;
  /** twice what could be taken out of all pools whose other side has a price */
  readonly liquidityUsd: number | null;
  /** ISO 8601: the oldest look that it rests on */
  readonly pricedAt: string | null;
  /** percent, of the price in dollars; null where that was not known 24 hours ago */
  readonly change24h: number | null;
  /** percent, of the price in its primary market’s quote token; null where it has no price that old */
  readonly change24hQuote: number | null;
  readonly volume24hUsd: number | null;
  readonly primaryMarket: string | null;
  /** ISO 8601: when this desk first saw it */
  readonly createdAt: string;
  /** of its curve sold, of a token that was launched here */
  readonly bondedPercent: number | null;
  readonly graduated: boolean | null;
})[];

export type TokensResponse = readonly ({
  readonly mint: string;
  /** made fit to show; proves nothing */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** well known, or vouched for by the operator */
  readonly verified: boolean;
  /** mint of the better known token that it can be taken for */
  readonly imitates: string | null;
  /** US dollars for one whole token; null where it is unknown */
  readonly usdPrice: number | null;
  /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** it rests on a look that is older than a minute */
  readonly stale: boolean | null;
  readonly priceSol: number | null;
  /** twice what could be taken out of all pools whose other side has a price */
  readonly liquidityUsd: number | null;
  /** ISO 8601: the oldest look that it rests on */
  readonly pricedAt: string | null;
  /** percent, of the price in dollars; null where that was not known 24 hours ago */
  readonly change24h: number | null;
  /** percent, of the price in its primary market’s quote token; null where it has no price that old */
  readonly change24hQuote: number | null;
  readonly volume24hUsd: number | null;
  readonly primaryMarket: string | null;
  /** ISO 8601: when this desk first saw it */
  readonly createdAt: string;
})[];

export type TokensSearchResponse = readonly ({
  readonly mint: string;
  /** made fit to show; proves nothing */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** well known, or vouched for by the operator */
  readonly verified: boolean;
  /** mint of the better known token that it can be taken for */
  readonly imitates: string | null;
  /** US dollars for one whole token; null where it is unknown */
  readonly usdPrice: number | null;
  /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** it rests on a look that is older than a minute */
  readonly stale: boolean | null;
  readonly priceSol: number | null;
  /** twice what could be taken out of all pools whose other side has a price */
  readonly liquidityUsd: number | null;
  /** ISO 8601: the oldest look that it rests on */
  readonly pricedAt: string | null;
  /** percent, of the price in dollars; null where that was not known 24 hours ago */
  readonly change24h: number | null;
  /** percent, of the price in its primary market’s quote token; null where it has no price that old */
  readonly change24hQuote: number | null;
  readonly volume24hUsd: number | null;
  readonly primaryMarket: string | null;
  /** ISO 8601: when this desk first saw it */
  readonly createdAt: string;
})[];

export type TokensTrendingResponse = readonly ({
  readonly mint: string;
  /** made fit to show; proves nothing */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** well known, or vouched for by the operator */
  readonly verified: boolean;
  /** mint of the better known token that it can be taken for */
  readonly imitates: string | null;
  /** US dollars for one whole token; null where it is unknown */
  readonly usdPrice: number | null;
  /** `high`: $50,000 in two pools that agree within 2 %; `medium`: one of both; `low`: the rest, also a token whose pools all hold less than 2 SOL or $500 */
  readonly confidence: 'high' | 'medium' | 'low' | null;
  /** it rests on a look that is older than a minute */
  readonly stale: boolean | null;
  readonly priceSol: number | null;
  /** twice what could be taken out of all pools whose other side has a price */
  readonly liquidityUsd: number | null;
  /** ISO 8601: the oldest look that it rests on */
  readonly pricedAt: string | null;
  /** percent, of the price in dollars; null where that was not known 24 hours ago */
  readonly change24h: number | null;
  /** percent, of the price in its primary market’s quote token; null where it has no price that old */
  readonly change24hQuote: number | null;
  readonly volume24hUsd: number | null;
  readonly primaryMarket: string | null;
  /** ISO 8601: when this desk first saw it */
  readonly createdAt: string;
  /** the rules are public: see the documentation of market data */
  readonly score: number;
  /** people who traded it in the window, each once */
  readonly traders: number;
  /** bought and sold in the window */
  readonly volumeUsd: number;
  /** bought less sold */
  readonly netUsd: number;
})[];

export type UsageResponse = {
  /** limits and usage belong to the account, over all of its keys */
  readonly account: string;
  /** requests per second that the account may keep up */
  readonly ratePerSecond: number;
  /** requests that it may make at once */
  readonly burst: number;
  /** the last 30 days, newest first; refused requests count once the key was accepted */
  readonly usage: readonly ({
    /** UTC */
    readonly day: string;
    /** the public part of the key */
    readonly key: string;
    readonly route: string;
    readonly requests: number;
  })[];
};

export type VenuesResponse = readonly ({
  readonly name: string;
  /** null where a swap is made of plain transfers */
  readonly programId: string | null;
})[];

export type WalletPnlResponse = {
  readonly address: string;
  readonly window: '1d' | '7d' | '30d' | '90d' | '180d';
  /** ISO 8601: the beginning of the first day */
  readonly from: string;
  /** ISO 8601: the end of today */
  readonly to: string;
  /** ISO 8601: from here on trades are in the sums, for 180 days at most; null before anything was read */
  readonly since: string | null;
  /** markets whose trades are missing from a slot on, whether this address traded there or not; at most 100 */
  readonly gaps: readonly ({
    readonly market: string;
    readonly sinceSlot: string;
    /** lost: the node had forgotten trades; unread: a trade cannot be read yet */
    readonly reason: 'lost' | 'unread';
  })[];
  /** false: gaps, trades without a value or days before `since` may change the figures */
  readonly complete: boolean;
  /** over all tokens: a trade between two of them counts in both. SOL and dollars are not added up */
  readonly total: {
    /** of the SOL that was paid and got, rounded down; a loss is below 0 */
    readonly realisedLamports: string;
    /** of the dollar tokens that were paid and got, rounded down */
    readonly realisedUsd: string;
    /** SOL paid for them, in lamports */
    readonly costLamports: string;
    /** dollar tokens paid for them, as whole dollars */
    readonly costUsd: string;
    /** SOL got for them, in lamports */
    readonly proceedsLamports: string;
    /** dollar tokens got for them, as whole dollars */
    readonly proceedsUsd: string;
    /** all of its trades, those without a value too */
    readonly trades: number;
    /** trades against a token that is neither SOL nor a dollar: their units are in no sum */
    readonly unvalued: number;
  };
  /** those traded in the window, the most often traded first; at most 500 */
  readonly tokens: readonly ({
    readonly mint: string;
    /** of the SOL that was paid and got, rounded down; a loss is below 0 */
    readonly realisedLamports: string;
    /** of the dollar tokens that were paid and got, rounded down */
    readonly realisedUsd: string;
    /** units sold beyond those whose purchase is known, over all kept days; they are in no profit */
    readonly uncountedUnits: string;
    /** smallest units of the token */
    readonly bought: string;
    /** SOL paid for them, in lamports */
    readonly costLamports: string;
    /** dollar tokens paid for them, as whole dollars */
    readonly costUsd: string;
    /** smallest units of the token */
    readonly sold: string;
    /** SOL got for them, in lamports */
    readonly proceedsLamports: string;
    /** dollar tokens got for them, as whole dollars */
    readonly proceedsUsd: string;
    /** all of its trades, those without a value too */
    readonly trades: number;
    /** trades against a token that is neither SOL nor a dollar: their units are in no sum */
    readonly unvalued: number;
  })[];
  /** tokens that an answer has no room for; they are in the total */
  readonly tokensLeftOut: number;
};

export type WalletTradesResponse = {
  readonly address: string;
  /** ISO 8601: from here on trades are in the sums, for 180 days at most; null before anything was read */
  readonly since: string | null;
  /** markets whose trades are missing from a slot on, whether this address traded there or not; at most 100 */
  readonly gaps: readonly ({
    readonly market: string;
    readonly sinceSlot: string;
    /** lost: the node had forgotten trades; unread: a trade cannot be read yet */
    readonly reason: 'lost' | 'unread';
  })[];
  /** the newest day first, then by mint */
  readonly days: readonly ({
    /** UTC */
    readonly day: string;
    readonly mint: string;
    /** smallest units of the token */
    readonly bought: string;
    /** SOL paid for them, in lamports */
    readonly costLamports: string;
    /** dollar tokens paid for them, as whole dollars */
    readonly costUsd: string;
    /** smallest units of the token */
    readonly sold: string;
    /** SOL got for them, in lamports */
    readonly proceedsLamports: string;
    /** dollar tokens got for them, as whole dollars */
    readonly proceedsUsd: string;
    /** all of its trades, those without a value too */
    readonly trades: number;
    /** trades against a token that is neither SOL nor a dollar: their units are in no sum */
    readonly unvalued: number;
  })[];
};

export type WebhookDeliveries = readonly ({
  /** the `webhook-id` of every try; the same event has the same id */
  readonly id: string;
  readonly type: string;
  /** `waiting`: it goes again at `nextTryAt`; the others are over */
  readonly status: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextTryAt: string | null;
  /** status of the last answer; null where none came */
  readonly answer: number | null;
  /** why the last try did not work */
  readonly error: string | null;
  /** ISO 8601, UTC */
  readonly createdAt: string;
})[];

export type WebhookDelivery = {
  /** the `webhook-id` of every try; the same event has the same id */
  readonly id: string;
  readonly type: string;
  /** `waiting`: it goes again at `nextTryAt`; the others are over */
  readonly status: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextTryAt: string | null;
  /** status of the last answer; null where none came */
  readonly answer: number | null;
  /** why the last try did not work */
  readonly error: string | null;
  /** ISO 8601, UTC */
  readonly createdAt: string;
};

export type WebhookWithSecret = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly ('transaction.confirmed' | 'transaction.finalized' | 'transaction.failed' | 'transaction.expired' | 'transaction.disputed')[];
  /** ISO 8601, UTC */
  readonly createdAt: string;
  /** since when no try has worked; null where the last one did. After five days it is disabled */
  readonly failingSince: string | null;
  /** nothing is sent from then on; a replay takes it up again */
  readonly disabledAt: string | null;
  /** `failing`: no try worked for five days; `gone`: it answered 410 */
  readonly disabledFor: 'failing' | 'gone' | null;
  /** signs each delivery. It is in this answer alone: keep it where the receiver can read it */
  readonly secret: string;
};

export type Webhooks = readonly ({
  readonly id: string;
  readonly url: string;
  readonly events: readonly ('transaction.confirmed' | 'transaction.finalized' | 'transaction.failed' | 'transaction.expired' | 'transaction.disputed')[];
  /** ISO 8601, UTC */
  readonly createdAt: string;
  /** since when no try has worked; null where the last one did. After five days it is disabled */
  readonly failingSince: string | null;
  /** nothing is sent from then on; a replay takes it up again */
  readonly disabledAt: string | null;
  /** `failing`: no try worked for five days; `gone`: it answered 410 */
  readonly disabledFor: 'failing' | 'gone' | null;
})[];

export type Operations = {
  /** A swap transaction, ready to sign */
  createSwapTransaction: {
    input: {
      /** wallet address of the user who initiates the swap */
      readonly userWalletAddress: string;
      /** amount to swap, in the sold token's smallest unit; with swapMode exactOut the least that must arrive, in the bought token's */
      readonly amount: string;
      /** exactIn sells exactly `amount`; exactOut sells the least whose certain output is `amount`, and needs slippageBps */
      readonly swapMode?: 'exactIn' | 'exactOut' | null | undefined;
      /** public key of the token sold; wrapped SOL means SOL */
      readonly fromTokenAddress: string;
      /** public key of the token bought; wrapped SOL means SOL */
      readonly toTokenAddress: string;
      /** allowed slippage in basis points */
      readonly slippageBps?: number | null | undefined;
      /** wallet that receives the referrer fee */
      readonly referrerWalletAddress?: string | null | undefined;
      /** referrer fee in basis points; at most 300 on the open host, on the pro host what the key allows */
      readonly referrerFeeBps?: number | null | undefined;
      /** only these venues, by their names in `GET /dex/venues`; no aggregator is asked */
      readonly venues?: readonly (string)[] | null | undefined;
      /** none of these venues; no aggregator is asked. Not together with `venues` */
      readonly excludeVenues?: readonly (string)[] | null | undefined;
      /** only pools of the two tokens, several at once allowed; no aggregator is asked */
      readonly directOnly?: boolean | null | undefined;
      readonly maxTransactionVersion?: 0 | 1 | null | undefined;
      /** how much the network may take for a place in the next blocks; `normal` when left out */
      readonly priority?: 'economy' | 'normal' | 'fast' | 'turbo' | null | undefined;
      /** the most for priority, where that is less than what the tier allows */
      readonly maxPriorityFeeLamports?: string | null | undefined;
      /** wallet that receives the output in its associated account, which the requester pays where it is missing; SOL goes to a token account only */
      readonly destinationWalletAddress?: string | null | undefined;
      /** existing token account that receives the output; for SOL one of wrapped SOL. Not together with `destinationWalletAddress` */
      readonly destinationTokenAccount?: string | null | undefined;
      /** wallet that signs first and pays the network fee and nothing else; the requester when left out */
      readonly feePayerAddress?: string | null | undefined;
      /** false: wrapped SOL is a token in its associated account; no SOL is wrapped or unwrapped, and no aggregator is asked. true when left out */
      readonly wrapAndUnwrapSol?: boolean | null | undefined;
      /** blocks for which the transaction is taken, or a few more: an older blockhash is used where this service heard one; `lastValidBlockHeight` is exact. 150 when left out */
      readonly expiresInBlocks?: number | null | undefined;
      /** true: where the swap sells all of the requester’s associated account, it closes that account and its rent comes back. A unit that arrives before it lands fails the swap. false when left out */
      readonly closeEmptiedAccount?: boolean | null | undefined;
      /** accounts that the transaction may name at most, those of lookup tables included; no aggregator is asked. 64 when left out */
      readonly maxAccounts?: number | null | undefined;
      /** lamports that the last instruction pays to `sender`, which then takes the transaction; between its least tip and the operator’s cap, as `GET /dex/senders` says. None when left out */
      readonly tipLamports?: string | null | undefined;
      /** whom the tip is for, by a name of `GET /dex/senders`; required with a tip */
      readonly sender?: string | null | undefined;
    };
    output: SwapResponse;
    code: 'ADDRESS_INVALID' | 'AMOUNT_ABOVE_DEPTH' | 'AMOUNT_DUST' | 'AMOUNT_INVALID' | 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'DESTINATION_INVALID' | 'DESTINATION_NEEDS_TOKEN_ACCOUNT' | 'FEE_PAYER_INVALID' | 'FIELDS_EXCLUSIVE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'IDEMPOTENCY_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_INVALID' | 'INSUFFICIENT_LAMPORTS' | 'INSUFFICIENT_LIQUIDITY' | 'INSUFFICIENT_TOKENS' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'NO_ROUTE' | 'PAUSED' | 'PRICE_MOVED' | 'PRIORITY_INVALID' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'REFERRER_FEE_INVALID' | 'REFERRER_FEE_REQUIRED' | 'REFERRER_FEE_TOO_HIGH' | 'REFERRER_NOT_A_WALLET' | 'REFERRER_UNFUNDED' | 'REFERRER_WALLET_REQUIRED' | 'RENT_REMAINDER' | 'ROUTE_TOO_LARGE' | 'SAME_TOKEN' | 'SEARCHING' | 'SENDER_UNKNOWN' | 'SIMULATION_FAILED' | 'SLIPPAGE_OUT_OF_RANGE' | 'TIP_INVALID' | 'TIP_TOO_SMALL' | 'TOKEN_ACCOUNT_NOT_MINT' | 'TOKEN_NOT_FOUND' | 'TOKEN_NOT_TRANSFERABLE' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'VENUE_UNKNOWN';
  };
  /** What a swap of the same body would bring */
  quoteSwapRequest: {
    input: {
      /** wallet address of the user who initiates the swap */
      readonly userWalletAddress: string;
      /** amount to swap, in the sold token's smallest unit; with swapMode exactOut the least that must arrive, in the bought token's */
      readonly amount: string;
      /** exactIn sells exactly `amount`; exactOut sells the least whose certain output is `amount`, and needs slippageBps */
      readonly swapMode?: 'exactIn' | 'exactOut' | null | undefined;
      /** public key of the token sold; wrapped SOL means SOL */
      readonly fromTokenAddress: string;
      /** public key of the token bought; wrapped SOL means SOL */
      readonly toTokenAddress: string;
      /** allowed slippage in basis points */
      readonly slippageBps?: number | null | undefined;
      /** wallet that receives the referrer fee */
      readonly referrerWalletAddress?: string | null | undefined;
      /** referrer fee in basis points; at most 300 on the open host, on the pro host what the key allows */
      readonly referrerFeeBps?: number | null | undefined;
      /** only these venues, by their names in `GET /dex/venues`; no aggregator is asked */
      readonly venues?: readonly (string)[] | null | undefined;
      /** none of these venues; no aggregator is asked. Not together with `venues` */
      readonly excludeVenues?: readonly (string)[] | null | undefined;
      /** only pools of the two tokens, several at once allowed; no aggregator is asked */
      readonly directOnly?: boolean | null | undefined;
      readonly maxTransactionVersion?: 0 | 1 | null | undefined;
      /** how much the network may take for a place in the next blocks; `normal` when left out */
      readonly priority?: 'economy' | 'normal' | 'fast' | 'turbo' | null | undefined;
      /** the most for priority, where that is less than what the tier allows */
      readonly maxPriorityFeeLamports?: string | null | undefined;
      /** wallet that receives the output in its associated account, which the requester pays where it is missing; SOL goes to a token account only */
      readonly destinationWalletAddress?: string | null | undefined;
      /** existing token account that receives the output; for SOL one of wrapped SOL. Not together with `destinationWalletAddress` */
      readonly destinationTokenAccount?: string | null | undefined;
      /** wallet that signs first and pays the network fee and nothing else; the requester when left out */
      readonly feePayerAddress?: string | null | undefined;
      /** false: wrapped SOL is a token in its associated account; no SOL is wrapped or unwrapped, and no aggregator is asked. true when left out */
      readonly wrapAndUnwrapSol?: boolean | null | undefined;
      /** blocks for which the transaction is taken, or a few more: an older blockhash is used where this service heard one; `lastValidBlockHeight` is exact. 150 when left out */
      readonly expiresInBlocks?: number | null | undefined;
      /** true: where the swap sells all of the requester’s associated account, it closes that account and its rent comes back. A unit that arrives before it lands fails the swap. false when left out */
      readonly closeEmptiedAccount?: boolean | null | undefined;
      /** accounts that the transaction may name at most, those of lookup tables included; no aggregator is asked. 64 when left out */
      readonly maxAccounts?: number | null | undefined;
      /** lamports that the last instruction pays to `sender`, which then takes the transaction; between its least tip and the operator’s cap, as `GET /dex/senders` says. None when left out */
      readonly tipLamports?: string | null | undefined;
      /** whom the tip is for, by a name of `GET /dex/senders`; required with a tip */
      readonly sender?: string | null | undefined;
    };
    output: SwapQuoteResponse;
    code: 'ADDRESS_INVALID' | 'AMOUNT_ABOVE_DEPTH' | 'AMOUNT_DUST' | 'AMOUNT_INVALID' | 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'DESTINATION_INVALID' | 'DESTINATION_NEEDS_TOKEN_ACCOUNT' | 'FEE_PAYER_INVALID' | 'FIELDS_EXCLUSIVE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INSUFFICIENT_LIQUIDITY' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'NO_ROUTE' | 'PAUSED' | 'PRICE_MOVED' | 'PRIORITY_INVALID' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'REFERRER_FEE_INVALID' | 'REFERRER_FEE_REQUIRED' | 'REFERRER_FEE_TOO_HIGH' | 'REFERRER_WALLET_REQUIRED' | 'ROUTE_TOO_LARGE' | 'SAME_TOKEN' | 'SEARCHING' | 'SENDER_UNKNOWN' | 'SLIPPAGE_OUT_OF_RANGE' | 'TIP_INVALID' | 'TIP_TOO_SMALL' | 'TOKEN_ACCOUNT_NOT_MINT' | 'TOKEN_NOT_FOUND' | 'TOKEN_NOT_TRANSFERABLE' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'VENUE_UNKNOWN';
  };
  /** A swap as instructions, in groups */
  createSwapInstructions: {
    input: {
      /** wallet address of the user who initiates the swap */
      readonly userWalletAddress: string;
      /** amount to swap, in the sold token's smallest unit; with swapMode exactOut the least that must arrive, in the bought token's */
      readonly amount: string;
      /** exactIn sells exactly `amount`; exactOut sells the least whose certain output is `amount`, and needs slippageBps */
      readonly swapMode?: 'exactIn' | 'exactOut' | null | undefined;
      /** public key of the token sold; wrapped SOL means SOL */
      readonly fromTokenAddress: string;
      /** public key of the token bought; wrapped SOL means SOL */
      readonly toTokenAddress: string;
      /** allowed slippage in basis points */
      readonly slippageBps?: number | null | undefined;
      /** wallet that receives the referrer fee */
      readonly referrerWalletAddress?: string | null | undefined;
      /** referrer fee in basis points; at most 300 on the open host, on the pro host what the key allows */
      readonly referrerFeeBps?: number | null | undefined;
      /** only these venues, by their names in `GET /dex/venues`; no aggregator is asked */
      readonly venues?: readonly (string)[] | null | undefined;
      /** none of these venues; no aggregator is asked. Not together with `venues` */
      readonly excludeVenues?: readonly (string)[] | null | undefined;
      /** only pools of the two tokens, several at once allowed; no aggregator is asked */
      readonly directOnly?: boolean | null | undefined;
      readonly maxTransactionVersion?: 0 | 1 | null | undefined;
      /** how much the network may take for a place in the next blocks; `normal` when left out */
      readonly priority?: 'economy' | 'normal' | 'fast' | 'turbo' | null | undefined;
      /** the most for priority, where that is less than what the tier allows */
      readonly maxPriorityFeeLamports?: string | null | undefined;
      /** wallet that receives the output in its associated account, which the requester pays where it is missing; SOL goes to a token account only */
      readonly destinationWalletAddress?: string | null | undefined;
      /** existing token account that receives the output; for SOL one of wrapped SOL. Not together with `destinationWalletAddress` */
      readonly destinationTokenAccount?: string | null | undefined;
      /** wallet that signs first and pays the network fee and nothing else; the requester when left out */
      readonly feePayerAddress?: string | null | undefined;
      /** false: wrapped SOL is a token in its associated account; no SOL is wrapped or unwrapped, and no aggregator is asked. true when left out */
      readonly wrapAndUnwrapSol?: boolean | null | undefined;
      /** blocks for which the transaction is taken, or a few more: an older blockhash is used where this service heard one; `lastValidBlockHeight` is exact. 150 when left out */
      readonly expiresInBlocks?: number | null | undefined;
      /** true: where the swap sells all of the requester’s associated account, it closes that account and its rent comes back. A unit that arrives before it lands fails the swap. false when left out */
      readonly closeEmptiedAccount?: boolean | null | undefined;
      /** accounts that the transaction may name at most, those of lookup tables included; no aggregator is asked. 64 when left out */
      readonly maxAccounts?: number | null | undefined;
      /** lamports that the last instruction pays to `sender`, which then takes the transaction; between its least tip and the operator’s cap, as `GET /dex/senders` says. None when left out */
      readonly tipLamports?: string | null | undefined;
      /** whom the tip is for, by a name of `GET /dex/senders`; required with a tip */
      readonly sender?: string | null | undefined;
    };
    output: SwapInstructionsResponse;
    code: 'ADDRESS_INVALID' | 'AMOUNT_ABOVE_DEPTH' | 'AMOUNT_DUST' | 'AMOUNT_INVALID' | 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'DESTINATION_INVALID' | 'DESTINATION_NEEDS_TOKEN_ACCOUNT' | 'FEE_PAYER_INVALID' | 'FIELDS_EXCLUSIVE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INSUFFICIENT_LAMPORTS' | 'INSUFFICIENT_LIQUIDITY' | 'INSUFFICIENT_TOKENS' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'NO_ROUTE' | 'PAUSED' | 'PRICE_MOVED' | 'PRIORITY_INVALID' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'REFERRER_FEE_INVALID' | 'REFERRER_FEE_REQUIRED' | 'REFERRER_FEE_TOO_HIGH' | 'REFERRER_NOT_A_WALLET' | 'REFERRER_UNFUNDED' | 'REFERRER_WALLET_REQUIRED' | 'RENT_REMAINDER' | 'ROUTE_TOO_LARGE' | 'SAME_TOKEN' | 'SEARCHING' | 'SENDER_UNKNOWN' | 'SIMULATION_FAILED' | 'SLIPPAGE_OUT_OF_RANGE' | 'TIP_INVALID' | 'TIP_TOO_SMALL' | 'TOKEN_ACCOUNT_NOT_MINT' | 'TOKEN_NOT_FOUND' | 'TOKEN_NOT_TRANSFERABLE' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'VENUE_UNKNOWN';
  };
  /** What a swap would bring now */
  quoteSwap: {
    input: {
      /** public key of the token sold */
      readonly fromTokenAddress: string;
      /** public key of the token bought */
      readonly toTokenAddress: string;
      /** amount to swap in smallest units */
      readonly amount: string;
      /** basis points */
      readonly slippageBps?: string | undefined;
      /** only these venues, by their names in `GET /dex/venues`; no aggregator is asked; separated by commas */
      readonly venues?: string | undefined;
      /** none of these venues; no aggregator is asked. Not together with `venues`; separated by commas */
      readonly excludeVenues?: string | undefined;
      /** only pools of the two tokens, several at once allowed; no aggregator is asked */
      readonly directOnly?: 'true' | 'false' | undefined;
      /** newest version of a transaction that the signer reads: 0, or 1, which holds three times as much and needs no lookup tables; 0 when left out. With a tip always 0 */
      readonly maxTransactionVersion?: '0' | '1' | undefined;
    };
    output: QuoteResponse;
    code: 'ADDRESS_INVALID' | 'AMOUNT_ABOVE_DEPTH' | 'AMOUNT_DUST' | 'AMOUNT_INVALID' | 'FIELDS_EXCLUSIVE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INSUFFICIENT_LIQUIDITY' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'NO_ROUTE' | 'PAUSED' | 'PRICE_MOVED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'ROUTE_TOO_LARGE' | 'SAME_TOKEN' | 'SEARCHING' | 'SLIPPAGE_OUT_OF_RANGE' | 'TOKEN_ACCOUNT_NOT_MINT' | 'TOKEN_NOT_FOUND' | 'TOKEN_NOT_TRANSFERABLE' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'VENUE_UNKNOWN';
  };
  /** Venues that swaps may go over */
  listVenues: {
    input: { readonly [name: string]: never };
    output: VenuesResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Ways on which transactions are sent, and their tips */
  listSenders: {
    input: { readonly [name: string]: never };
    output: SendersResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Submit a signed transaction and have it followed */
  submitTransaction: {
    input: {
      /** all bytes of the transaction, with every signature in its place */
      readonly transaction: string;
      /** how `transaction` is written */
      readonly encoding?: 'base64' | 'base58' | null | undefined;
      /** of the answer that built it; without a key it is required. Good for five minutes, also where the wallet changed blockhash and budget, or added memos and guards of Lighthouse */
      readonly submitToken?: string | null | undefined;
      /** your own name for it, told with the record */
      readonly reference?: string | null | undefined;
      /** auto: the nodes, and every sender of `GET /dex/senders` whose least tip the transaction pays; a name: that sender, and the nodes; rpc: the nodes alone */
      readonly sender?: string | null | undefined;
      /** true: it goes to a protecting sender alone, each time, and never to a node: it is public only after it has landed, and never lands with an error. Its tip must be paid */
      readonly revertProtection?: boolean | null | undefined;
      /** true: it is sent without being run first, also where the chain would refuse it */
      readonly skipSimulation?: boolean | null | undefined;
    };
    output: Submission;
    code: 'BLOCKHASH_UNKNOWN' | 'BODY_TOO_LARGE' | 'BUSY' | 'CONTENT_TYPE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'NONCE_NOT_SUPPORTED' | 'PAUSED' | 'PROTECTION_UNAVAILABLE' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'SENDER_UNKNOWN' | 'SIGNATURE_INVALID' | 'SIGNATURE_MISSING' | 'SIMULATION_FAILED' | 'SUBMIT_OFF' | 'SUBMIT_TOKEN_EXPIRED' | 'SUBMIT_TOKEN_INVALID' | 'TIP_TOO_SMALL' | 'TOO_MANY_UNDER_WAY' | 'TRANSACTION_INVALID' | 'TRANSACTION_VERSION_UNSUPPORTED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Where a submitted transaction is */
  showTransaction: {
    input: {
      /** first signature of the transaction */
      readonly signature: string;
      /** the answer waits until the status is this or better, at most `timeoutMs` */
      readonly waitFor?: 'confirmed' | 'final' | undefined;
      /** milliseconds, at most 8000; the record as it is then */
      readonly timeoutMs?: string | undefined;
    };
    output: Submission;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'SIGNATURE_MALFORMED' | 'TRANSACTION_UNKNOWN' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Be told of your transactions at an address of yours */
  registerWebhook: {
    input: {
      /** where each event is posted: https, and of the public internet at each try */
      readonly url: string;
      /** all of them where none are named */
      readonly events?: readonly ('transaction.confirmed' | 'transaction.finalized' | 'transaction.failed' | 'transaction.expired' | 'transaction.disputed')[] | null | undefined;
    };
    output: WebhookWithSecret;
    code: 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WEBHOOKS_FULL' | 'WEBHOOK_URL_INVALID';
  };
  /** Webhooks of your account */
  listWebhooks: {
    input: { readonly [name: string]: never };
    output: Webhooks;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Remove a webhook */
  removeWebhook: {
    input: {
      /** id of the webhook */
      readonly id: string;
    };
    output: RemovedWebhook;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WEBHOOK_UNKNOWN';
  };
  /** A new secret for a webhook */
  rotateWebhook: {
    input: {
      /** id of the webhook */
      readonly id: string;
    };
    output: WebhookWithSecret;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WEBHOOK_UNKNOWN';
  };
  /** Send an event of the type webhook.test */
  testWebhook: {
    input: {
      /** id of the webhook */
      readonly id: string;
    };
    output: WebhookDelivery;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WEBHOOK_UNKNOWN';
  };
  /** What a webhook was told, and what it answered */
  listWebhookDeliveries: {
    input: {
      /** id of the webhook */
      readonly id: string;
      /** rows at most */
      readonly limit?: string | undefined;
    };
    output: WebhookDeliveries;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WEBHOOK_UNKNOWN';
  };
  /** Send failed events again */
  replayWebhook: {
    input: {
      /** id of the webhook */
      readonly id: string;
      /** of events since then; of all that are kept where it is left out */
      readonly since?: string | undefined;
    };
    output: ReplayedWebhook;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WEBHOOK_UNKNOWN';
  };
  /** A transaction that creates a token, ready to sign */
  createTokenTransaction: {
    input: {
      /** public key of the payer, who signs, pays and holds the authorities that are kept */
      readonly payer: string;
      /** token symbol, at most 10 bytes */
      readonly symbol: string;
      /** public key for the mint, which must sign too; a new one is generated when omitted */
      readonly newMint?: string | null | undefined;
      /** token name, at most 32 bytes; the symbol when omitted */
      readonly name?: string | null | undefined;
      /** URI of the metadata, at most 200 bytes; wins over `metadata` and is never fetched */
      readonly metadataUri?: string | null | undefined;
      /** what the metadata document says; stored and served by this service */
      readonly metadata?: {
        /** brief description */
        readonly description?: string | null | undefined;
        /** URL of the token image; never fetched */
        readonly imageUri?: string | null | undefined;
        readonly extensions?: {
          /** link to the token's Discord */
          readonly discord?: string | null | undefined;
          /** link to the token's Telegram */
          readonly telegram?: string | null | undefined;
          /** link to the token's Twitter */
          readonly twitter?: string | null | undefined;
          /** link to the token's website */
          readonly website?: string | null | undefined;
        } | null | undefined;
        /** comma-separated tags */
        readonly tags?: string | null | undefined;
      } | null | undefined;
      /** decimal places */
      readonly decimals?: number | null | undefined;
      /** total supply in whole tokens; must fit 64 bits in smallest units */
      readonly mintSupply?: string | null | undefined;
      /** wallet that receives the supply; required with `mintSupply`, else the payer */
      readonly mintToPubkey?: string | null | undefined;
      /** whether the payer keeps the mint authority; default true */
      readonly mintAuthority?: boolean | null | undefined;
      /** whether the payer gets a freeze authority; default false */
      readonly freezeAuthority?: boolean | null | undefined;
      /** "token" (standard) or "token2022" (extended) */
      readonly program?: 'token' | 'token2022' | null | undefined;
      /** token2022: who may change the transfer fee */
      readonly transferFeeConfigAuthority?: string | null | undefined;
      /** token2022: who may withdraw collected fees */
      readonly transferFeeWithdrawalAuthority?: string | null | undefined;
      /** token2022: transfer fee in basis points */
      readonly transferFeeBps?: number | null | undefined;
      /** token2022: maximum fee of one transfer, in smallest units */
      readonly transferFeeMax?: string | null | undefined;
      /** token2022: delegate with permanent rights over every account */
      readonly permanentDelegate?: string | null | undefined;
      /** token2022: state that accounts start in; frozen needs `freezeAuthority` */
      readonly defaultAccountState?: {
        /** state of new accounts */
        readonly state?: 'initialized' | 'frozen' | null | undefined;
      } | null | undefined;
      /** token2022: who may change the interest rate */
      readonly interestBearingAuthority?: string | null | undefined;
      /** token2022: interest in percent a year, two decimals */
      readonly interestBearingPercent?: number | null | undefined;
      /** token2022: who may close the mint when no units are left */
      readonly mintCloseAuthority?: string | null | undefined;
      /** token2022: whether tokens can never be transferred */
      readonly nonTransferableMint?: boolean | null | undefined;
    };
    output: TokenResponse;
    code: 'ACCOUNT_STATE_INVALID' | 'ADDRESS_CONFLICT' | 'ADDRESS_INVALID' | 'ADDRESS_NOT_A_WALLET' | 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'DECIMALS_OUT_OF_RANGE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'FROZEN_NEEDS_FREEZE_AUTHORITY' | 'IDEMPOTENCY_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_INVALID' | 'INSUFFICIENT_LAMPORTS' | 'INTEREST_INCOMPLETE' | 'INTEREST_OUT_OF_RANGE' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LINK_INVALID' | 'METADATA_INVALID' | 'METADATA_STORE_FULL' | 'MINT_EXISTS' | 'MINT_TO_REQUIRED' | 'NON_TRANSFERABLE_WITH_FEE' | 'PAUSED' | 'PROGRAM_UNKNOWN' | 'PUBLIC_URL_UNKNOWN' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'RECIPIENT_IS_TOKEN_ACCOUNT' | 'RENT_REMAINDER' | 'SIMULATION_FAILED' | 'SUPPLY_INVALID' | 'SUPPLY_TOO_LARGE' | 'TAGS_TOO_MANY' | 'TEXT_TOO_LONG' | 'TEXT_UNPRINTABLE' | 'TRANSACTION_TOO_LARGE' | 'TRANSFER_FEE_INCOMPLETE' | 'TRANSFER_FEE_MAX_INVALID' | 'TRANSFER_FEE_OUT_OF_RANGE' | 'UPSTREAM_FAILED' | 'URI_INVALID' | 'VALIDATION_FAILED';
  };
  /** Positions of the wallet that the key was added for */
  listDeskPositions: {
    input: { readonly [name: string]: never };
    output: DeskPositions;
    code: 'BODY_TOO_LARGE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_UNKNOWN' | 'RATE_LIMITED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Trades of the wallet that the key was added for */
  listDeskTrades: {
    input: {
      readonly limit?: string | undefined;
      /** opaque, from the Link header with rel="next" */
      readonly cursor?: string | undefined;
    };
    output: DeskTrades;
    code: 'BODY_TOO_LARGE' | 'CURSOR_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'LIMIT_INVALID' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_UNKNOWN' | 'RATE_LIMITED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** One trade of the wallet that the key was added for */
  getDeskTrade: {
    input: {
      /** as `POST /desk/trades` answers it */
      readonly tradeId: string;
    };
    output: DeskTrade;
    code: 'BODY_TOO_LARGE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_UNKNOWN' | 'RATE_LIMITED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'TRADE_UNKNOWN' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Buy or sell from the wallet that the key was added for */
  makeDeskTrade: {
    input: {
      readonly side: 'buy' | 'sell';
      /** the token that is bought or sold, for SOL */
      readonly mint: string;
      /** lamports of a purchase, units of a sale */
      readonly amount: string;
      /** the least that may arrive: units of a purchase, lamports of a sale, after every fee but the network’s. Below it nothing is signed */
      readonly minReceived: string;
      /** how much the network may take, as in the chat */
      readonly priority?: 'economy' | 'normal' | 'fast' | 'turbo' | null | undefined;
      /** one trade for each; asked again with it, the answer is of the same trade */
      readonly idempotencyKey: string;
    };
    output: MadeDeskTrade;
    code: 'ACCOUNT_FROZEN' | 'ADDRESS_INVALID' | 'AMOUNT_ABOVE_DEPTH' | 'AMOUNT_DUST' | 'AMOUNT_INVALID' | 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'IDEMPOTENCY_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_INVALID' | 'INSUFFICIENT_LAMPORTS' | 'INSUFFICIENT_LIQUIDITY' | 'INSUFFICIENT_TOKENS' | 'INTERNAL' | 'NO_ROUTE' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_CAP' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_TOKEN' | 'PERSONAL_KEY_UNKNOWN' | 'PIN_REQUIRED' | 'PRICE_IMPACT_TOO_HIGH' | 'PRICE_MOVED' | 'PRIORITY_INVALID' | 'RATE_LIMITED' | 'REFERRAL_REQUIRED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'ROUTE_TOO_LARGE' | 'SAME_TOKEN' | 'SEARCHING' | 'SPENDING_LIMIT' | 'TOKEN_ACCOUNT_NOT_MINT' | 'TOKEN_NOT_FOUND' | 'TOKEN_NOT_TRANSFERABLE' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Open orders of the wallet that the key was added for */
  listDeskOrders: {
    input: { readonly [name: string]: never };
    output: DeskOrders;
    code: 'BODY_TOO_LARGE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_UNKNOWN' | 'RATE_LIMITED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** One order of the wallet that the key was added for */
  getDeskOrder: {
    input: {
      /** as `POST /desk/orders` answers it */
      readonly orderId: string;
    };
    output: DeskOrder;
    code: 'BODY_TOO_LARGE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'ORDER_UNKNOWN' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_UNKNOWN' | 'RATE_LIMITED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Place a standing order of the wallet that the key was added for */
  placeDeskOrder: {
    input: {
      readonly side: 'buy' | 'sell';
      /** `LIMIT` buys or sells; `TAKE_PROFIT` and `STOP_LOSS` sell what the wallet holds */
      readonly type: 'LIMIT' | 'TAKE_PROFIT' | 'STOP_LOSS';
      /** the token that is bought or sold, for SOL */
      readonly mint: string;
      /** lamports of a purchase, units of a sale; this or `shareBps` */
      readonly amount?: string | null | undefined;
      /** of a `TAKE_PROFIT` or `STOP_LOSS`: its share of the units that the wallet holds when it fires. It joins the other exits of the token, and the sale of one cuts the others */
      readonly shareBps?: number | null | undefined;
      /** units got for units given, as `/desk/orders` shows it. A limit and a take profit fire when the whole amount brings as much or more, a stop when it brings as little or less */
      readonly trigger: {
        readonly got: string;
        readonly given: string;
      };
      /** of a `STOP_LOSS`: it never sells below; a quarter below the trigger where it is left out */
      readonly floor?: {
        readonly got: string;
        readonly given: string;
      } | null | undefined;
      /** how much worse than its trigger a limit or a take profit may end; 0 where it is left out */
      readonly toleranceBps?: number | null | undefined;
      /** whether a part may be bought or sold; not of a stop */
      readonly partial?: boolean | null | undefined;
      /** codes of warnings of a bought token that do not pause the order */
      readonly acceptedWarnings?: readonly (string)[] | null | undefined;
      /** its end, in UTC, at most 30 days ahead */
      readonly expiresAt: string;
      /** how much the network may take, as in the chat */
      readonly priority?: 'economy' | 'normal' | 'fast' | 'turbo' | null | undefined;
      /** one order for each; asked again with it, the answer is of the same order */
      readonly idempotencyKey: string;
    };
    output: PlacedDeskOrder;
    code: 'ACCOUNT_FROZEN' | 'ADDRESS_INVALID' | 'AMOUNT_ABOVE_DEPTH' | 'AMOUNT_DUST' | 'AMOUNT_INVALID' | 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'FIELDS_EXCLUSIVE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'IDEMPOTENCY_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_INVALID' | 'INSUFFICIENT_LAMPORTS' | 'INSUFFICIENT_LIQUIDITY' | 'INSUFFICIENT_TOKENS' | 'INTERNAL' | 'NO_ROUTE' | 'ORDER_REFUSED' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_CAP' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_TOKEN' | 'PERSONAL_KEY_UNKNOWN' | 'PIN_REQUIRED' | 'PRICE_IMPACT_TOO_HIGH' | 'PRICE_MOVED' | 'PRIORITY_INVALID' | 'RATE_LIMITED' | 'REFERRAL_REQUIRED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'ROUTE_TOO_LARGE' | 'SAME_TOKEN' | 'SEARCHING' | 'SLIPPAGE_OUT_OF_RANGE' | 'SPENDING_LIMIT' | 'TIME_INVALID' | 'TOKEN_ACCOUNT_NOT_MINT' | 'TOKEN_NOT_FOUND' | 'TOKEN_NOT_TRANSFERABLE' | 'TOO_MANY_ORDERS' | 'TRIGGER_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** End an order of the wallet that the key was added for */
  endDeskOrder: {
    input: {
      /** as `/desk/orders` lists it */
      readonly orderId: string;
    };
    output: EndedDeskOrder;
    code: 'BODY_TOO_LARGE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'ORDER_UNKNOWN' | 'PAUSED' | 'PERSONAL_KEY_ADDRESS' | 'PERSONAL_KEY_ENDED' | 'PERSONAL_KEY_RIGHT' | 'PERSONAL_KEY_TOKEN' | 'PERSONAL_KEY_UNKNOWN' | 'RATE_LIMITED' | 'REQUEST_REPLAYED' | 'REQUEST_SIGNATURE_INVALID' | 'REQUEST_SIGNATURE_MISSING' | 'REQUEST_TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Requests of your account */
  showUsage: {
    input: { readonly [name: string]: never };
    output: UsageResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Ask for a new key in place of this one */
  rotateKey: {
    input: { readonly [name: string]: never };
    output: RotateResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_WITHOUT_MAIL' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Which parts answer, their 90 days, and incidents */
  showStatus: {
    input: { readonly [name: string]: never };
    output: StatusResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INTERNAL' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** All markets with price and 24 hour figures */
  listMarkets: {
    input: {
      /** rows at most; everything when left out */
      readonly limit?: string | undefined;
      /** opaque, from the Link header with rel="next" */
      readonly cursor?: string | undefined;
      /** mint that prices are counted in */
      readonly quote?: string | undefined;
      /** mint that is traded */
      readonly base?: string | undefined;
      /** ISO 8601: only markets with a trade since then */
      readonly since?: string | undefined;
    };
    output: MarketsResponse;
    code: 'ADDRESS_INVALID' | 'CURSOR_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** One market with price and 24 hour figures */
  showMarket: {
    input: {
      /** address of the market */
      readonly address: string;
    };
    output: MarketResponse;
    code: 'ADDRESS_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Trades of one market */
  listMarketTrades: {
    input: {
      /** address of the market */
      readonly address: string;
      /** rows at most; everything when left out */
      readonly limit?: string | undefined;
      /** opaque, from the Link header with rel="next" */
      readonly cursor?: string | undefined;
      /** ISO 8601: nothing older */
      readonly since?: string | undefined;
    };
    output: MarketTradesResponse;
    code: 'ADDRESS_INVALID' | 'CURSOR_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Bars of one market */
  listMarketCandles: {
    input: {
      /** address of the market */
      readonly address: string;
      /** minutes, or 1D */
      readonly resolution?: '1' | '3' | '5' | '15' | '30' | '60' | '120' | '180' | '240' | '1D' | undefined;
      /** Unix seconds */
      readonly from?: string | undefined;
      /** Unix seconds, not included */
      readonly to?: string | undefined;
      /** the newest so many */
      readonly limit?: string | undefined;
    };
    output: MarketCandlesResponse;
    code: 'ADDRESS_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'RESOLUTION_INVALID' | 'TIME_INVALID' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** What could be had now in one market */
  showMarketBook: {
    input: {
      /** address of the market */
      readonly address: string;
      /** levels of each side */
      readonly depth?: string | undefined;
    };
    output: MarketBookResponse;
    code: 'ADDRESS_INVALID' | 'DEPTH_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Tokens by ticker, name, address or link */
  searchTokens: {
    input: {
      /** `$PUP`, `PUP`, `puppy`; the address of a mint, a market or a token account; a link */
      readonly q: string;
      readonly limit?: string | undefined;
    };
    output: TokensSearchResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUERY_INVALID' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Tokens that many people moved into or out of */
  listTrendingTokens: {
    input: {
      readonly window?: '1h' | '6h' | '24h' | undefined;
      readonly limit?: string | undefined;
    };
    output: TokensTrendingResponse;
    code: 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED' | 'WINDOW_INVALID';
  };
  /** Tokens that this desk saw first a short while ago */
  listNewTokens: {
    input: {
      readonly limit?: string | undefined;
      /** opaque, from the Link header with rel="next" */
      readonly cursor?: string | undefined;
    };
    output: TokensNewResponse;
    code: 'CURSOR_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** All tokens that trade here, sorted and filtered */
  listTokens: {
    input: {
      /** the figure; unknown ones come last */
      readonly sort?: 'volume24hUsd' | 'liquidityUsd' | 'change24h' | 'usdPrice' | undefined;
      readonly order?: 'desc' | 'asc' | undefined;
      /** true: only those that are well known or vouched for by the operator */
      readonly verified?: 'true' | 'false' | undefined;
      /** only tokens of which at least this liquidity is known */
      readonly minLiquidityUsd?: string | undefined;
      /** only tokens of which at least this volume is known */
      readonly minVolume24hUsd?: string | undefined;
      /** only tokens with a market at this venue */
      readonly venue?: string | undefined;
      readonly limit?: string | undefined;
      /** opaque, from the Link header with rel="next" */
      readonly cursor?: string | undefined;
    };
    output: TokensResponse;
    code: 'CURSOR_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUERY_INVALID' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** One token: price, change, liquidity, holders, safety, markets */
  showToken: {
    input: {
      /** mint of the token */
      readonly mint: string;
    };
    output: TokenProfileResponse;
    code: 'ADDRESS_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'TOKEN_NOT_FOUND' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** What an address holds, with dollars */
  listHoldings: {
    input: {
      /** any address; most are wallets */
      readonly address: string;
    };
    output: HoldingsResponse;
    code: 'ADDRESS_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** What an address traded, by day and token */
  listWalletTrades: {
    input: {
      /** any address; most are wallets */
      readonly address: string;
      /** only this token */
      readonly mint?: string | undefined;
      readonly limit?: string | undefined;
      /** opaque, from the Link header with rel="next" */
      readonly cursor?: string | undefined;
    };
    output: WalletTradesResponse;
    code: 'ADDRESS_INVALID' | 'CURSOR_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'LIMIT_INVALID' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** What an address has realised by its sales */
  showWalletPnl: {
    input: {
      /** any address; most are wallets */
      readonly address: string;
      /** whole UTC days, today the last of them */
      readonly window?: '1d' | '7d' | '30d' | '90d' | '180d' | undefined;
    };
    output: WalletPnlResponse;
    code: 'ADDRESS_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'MARKET_NOT_FOUND' | 'NO_TRADES' | 'PAUSED' | 'QUERY_INVALID' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
  /** Prices of up to 100 tokens in dollars and SOL */
  listTokenPrices: {
    input: {
      readonly mints: readonly (string)[];
    };
    output: TokenPricesResponse;
    code: 'BODY_TOO_LARGE' | 'CONTENT_TYPE' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'INDEX_BEHIND' | 'INTERNAL' | 'IP_BLOCKED' | 'KEY_EXPIRED' | 'KEY_INVALID' | 'KEY_MISSING' | 'KEY_REVOKED' | 'KEY_SCOPE' | 'MARKET_NOT_FOUND' | 'MINTS_INVALID' | 'NO_TRADES' | 'PAUSED' | 'QUOTA_USED_UP' | 'RATE_LIMITED' | 'UPSTREAM_FAILED' | 'VALIDATION_FAILED';
  };
};

export const OPERATIONS = {
  createSwapTransaction: { method: 'POST', path: '/dex/swap', in: 'body', pathFields: [], again: 'key' },
  quoteSwapRequest: { method: 'POST', path: '/dex/swap/quote', in: 'body', pathFields: [], again: 'once' },
  createSwapInstructions: { method: 'POST', path: '/dex/swap/instructions', in: 'body', pathFields: [], again: 'once' },
  quoteSwap: { method: 'GET', path: '/dex/quote', in: 'query', pathFields: [], again: 'safe' },
  listVenues: { method: 'GET', path: '/dex/venues', in: 'query', pathFields: [], again: 'safe' },
  listSenders: { method: 'GET', path: '/dex/senders', in: 'query', pathFields: [], again: 'safe' },
  submitTransaction: { method: 'POST', path: '/transactions', in: 'body', pathFields: [], again: 'safe' },
  showTransaction: { method: 'GET', path: '/transactions/:signature', in: 'query', pathFields: ['signature'], again: 'safe' },
  registerWebhook: { method: 'POST', path: '/webhooks', in: 'body', pathFields: [], again: 'once' },
  listWebhooks: { method: 'GET', path: '/webhooks', in: 'query', pathFields: [], again: 'safe' },
  removeWebhook: { method: 'DELETE', path: '/webhooks/:id', in: 'query', pathFields: ['id'], again: 'once' },
  rotateWebhook: { method: 'POST', path: '/webhooks/:id/rotate', in: 'query', pathFields: ['id'], again: 'once' },
  testWebhook: { method: 'POST', path: '/webhooks/:id/test', in: 'query', pathFields: ['id'], again: 'once' },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/:id/deliveries', in: 'query', pathFields: ['id'], again: 'safe' },
  replayWebhook: { method: 'POST', path: '/webhooks/:id/replay', in: 'query', pathFields: ['id'], again: 'once' },
  createTokenTransaction: { method: 'POST', path: '/token', in: 'body', pathFields: [], again: 'key' },
  listDeskPositions: { method: 'GET', path: '/desk/positions', in: 'query', pathFields: [], again: 'safe', signed: true },
  listDeskTrades: { method: 'GET', path: '/desk/trades', in: 'query', pathFields: [], again: 'safe', signed: true },
  getDeskTrade: { method: 'GET', path: '/desk/trades/:tradeId', in: 'query', pathFields: ['tradeId'], again: 'safe', signed: true },
  makeDeskTrade: { method: 'POST', path: '/desk/trades', in: 'body', pathFields: [], again: 'safe', signed: true },
  listDeskOrders: { method: 'GET', path: '/desk/orders', in: 'query', pathFields: [], again: 'safe', signed: true },
  getDeskOrder: { method: 'GET', path: '/desk/orders/:orderId', in: 'query', pathFields: ['orderId'], again: 'safe', signed: true },
  placeDeskOrder: { method: 'POST', path: '/desk/orders', in: 'body', pathFields: [], again: 'once', signed: true },
  endDeskOrder: { method: 'DELETE', path: '/desk/orders/:orderId', in: 'query', pathFields: ['orderId'], again: 'safe', signed: true },
  showUsage: { method: 'GET', path: '/usage', in: 'query', pathFields: [], again: 'safe' },
  rotateKey: { method: 'POST', path: '/keys/rotate', in: 'query', pathFields: [], again: 'once' },
  showStatus: { method: 'GET', path: '/status.json', in: 'query', pathFields: [], again: 'safe' },
  listMarkets: { method: 'GET', path: '/markets', in: 'query', pathFields: [], again: 'safe' },
  showMarket: { method: 'GET', path: '/markets/:address', in: 'query', pathFields: ['address'], again: 'safe' },
  listMarketTrades: { method: 'GET', path: '/markets/:address/trades', in: 'query', pathFields: ['address'], again: 'safe' },
  listMarketCandles: { method: 'GET', path: '/markets/:address/candles', in: 'query', pathFields: ['address'], again: 'safe' },
  showMarketBook: { method: 'GET', path: '/markets/:address/book', in: 'query', pathFields: ['address'], again: 'safe' },
  searchTokens: { method: 'GET', path: '/tokens/search', in: 'query', pathFields: [], again: 'safe' },
  listTrendingTokens: { method: 'GET', path: '/tokens/trending', in: 'query', pathFields: [], again: 'safe' },
  listNewTokens: { method: 'GET', path: '/tokens/new', in: 'query', pathFields: [], again: 'safe' },
  listTokens: { method: 'GET', path: '/tokens', in: 'query', pathFields: [], again: 'safe' },
  showToken: { method: 'GET', path: '/tokens/:mint', in: 'query', pathFields: ['mint'], again: 'safe' },
  listHoldings: { method: 'GET', path: '/wallets/:address/holdings', in: 'query', pathFields: ['address'], again: 'safe' },
  listWalletTrades: { method: 'GET', path: '/wallets/:address/trades', in: 'query', pathFields: ['address'], again: 'safe' },
  showWalletPnl: { method: 'GET', path: '/wallets/:address/pnl', in: 'query', pathFields: ['address'], again: 'safe' },
  listTokenPrices: { method: 'POST', path: '/prices', in: 'body', pathFields: [], again: 'safe' },
} as const;

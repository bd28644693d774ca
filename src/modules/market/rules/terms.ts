/** When the market data of the specification was, and will be, given up. Epoch milliseconds. */
export type Deprecation = {
  readonly deprecatedAt: number;
  /** Null: nobody has set an end. */
  readonly sunsetAt: number | null;
};

/** How often one client may ask for order books before it is blocked for good. */
export type OrderBookLimits = {
  readonly perSecond: number;
  readonly perMinute: number;
  /** What a block closes: the market data, or the whole host; `off` = nobody is blocked. */
  readonly blocks: 'v1' | 'host' | 'off';
  /** Whom a blocked person may write to; null = nobody said. */
  readonly contact: string | null;
};

/** When the market data of the specification was, and will be, given up. Epoch milliseconds. */
export type Deprecation = {
  readonly deprecatedAt: number;
  /** Null: no end is set. */
  readonly sunsetAt: number | null;
};

/** How often one client may ask for order books before it is blocked for good. */
export type OrderBookLimits = {
  readonly perSecond: number;
  readonly perMinute: number;
  /** The scope of a block: the market data, or the whole host; `off` = no block at all. */
  readonly blocks: 'v1' | 'host' | 'off';
  /** The contact for a blocked person; null = none is given. */
  readonly contact: string | null;
};

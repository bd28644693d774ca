import type { Address } from '@tradepost/solana';
import type {
  Candle,
  MarketStats,
  RecordedTrade,
  StoredMinutes,
  TapeTrade,
  VaultBalances,
} from '@tradepost/tape';
import type { Money } from '../../modules/wallet-data/rules/wallet-flows.ts';

/**
 * The ordered trades of all markets and the bars folded from them. Writing anything twice, in any order, changes nothing.
 * Throws DATABASE_UNREACHABLE.
 */
export interface TapeStore {
  /**
   * Live lane: writes down trades that are not sealed yet, with bars and 24 h figures, and moves the live cursors, in one commit. Returns
   * those that were new. A cursor never moves back. Trades within a market's sealed range are left out: the seal has decided on them.
   */
  append(batch: LiveBatch): Promise<readonly RecordedTrade[]>;
  /**
   * Seal lane, one commit. In each range, recorded trades that are not among `trades` are deleted, missing ones are written, all are
   * sealed, and the bars of changed trades follow. The sums of wallets take them in. Then `sealedSlot`, the balances and the source's cursor
   * move, and faults are written. A range whose `after` is not the market's `sealedSlot` changes nothing: another process was there. Returns the changes and which markets
   * moved.
   */
  seal(batch: SealBatch): Promise<SealResult>;

  /** From the next seal on trades are valued by these, for the sums of wallets; before the first call, by SOL alone. */
  setMoney(money: Money): Promise<void>;

  /** Null for a market that was never read. */
  cursor(marketId: number): Promise<MarketCursor | null>;
  cursors(): Promise<readonly MarketCursor[]>;
  /** Starts a market's cursor at a slot, sealed up to it; one that has a cursor keeps it. */
  startCursor(start: {
    readonly marketId: number;
    readonly slot: bigint;
    readonly post: VaultBalances | null;
  }): Promise<void>;
  /** The cursor of a source that reads all markets at once; null before its first seal. */
  sourceCursor(name: string): Promise<SourceCursor | null>;

  /** From this slot on trades of the market may be missing. An earlier gap stays. */
  markGap(marketId: number, sinceSlot: bigint): Promise<void>;
  /** The gap was filled. */
  clearGap(marketId: number): Promise<void>;
  /** Transactions that could not be decoded to the unit, oldest first. Sealing of their market waits. */
  faults(marketId?: number): Promise<readonly TapeFault[]>;
  recordFaults(faults: readonly TapeFault[]): Promise<void>;
  clearFaults(faults: readonly Pick<TapeFault, 'signature' | 'marketId'>[]): Promise<void>;

  /** Trades of one market, newest first. Bounds are ids and exclusive. At most `limit`. */
  trades(marketId: number, page: TradePage): Promise<readonly RecordedTrade[]>;
  /** The newest trade of each market that ever had one, by market id. */
  lastTrades(): Promise<readonly RecordedTrade[]>;
  /**
   * Trades of these markets after an id, oldest first, at most `limit`: those that a reader of the stream has missed. With `trader` that
   * wallet's alone.
   */
  tradesAfter(
    marketIds: readonly number[],
    after: bigint,
    limit: number,
    trader?: Address,
  ): Promise<readonly RecordedTrade[]>;
  /** The last place of the tape's changes; 0 before the first. Places go up in the order of the commits. */
  logEnd(): Promise<bigint>;
  /** Where a trade was written down last; null where that is not kept any more, or never was. */
  logPlace(tradeId: bigint): Promise<bigint | null>;
  /**
   * The changes after a place, in order, at most `limit`; to these markets alone, or to all with null. Never shows a later place while an
   * earlier one may still come.
   */
  logAfter(
    place: bigint,
    options: { readonly limit: number; readonly marketIds: readonly number[] | null },
  ): Promise<readonly TapeEvent[]>;
  /** The newest trade that is not dust at or before a moment (Unix seconds); null where there is none any more. */
  firstTradeBefore(marketId: number, at: number): Promise<RecordedTrade | null>;
  /** Bars with `from <= t < to` (Unix seconds), ascending; the newest `limit` of them. */
  candles(marketId: number, minutes: StoredMinutes, range: CandleRange): Promise<readonly Candle[]>;
  /** The same of several markets at once, by market id; those without a bar are left out. */
  candlesOf(
    marketIds: readonly number[],
    minutes: StoredMinutes,
    range: Omit<CandleRange, 'limit'>,
  ): Promise<ReadonlyMap<number, readonly Candle[]>>;
  /** The beginning of the newest bar before a moment (Unix seconds); null where there is none. */
  lastCandleBefore(marketId: number, minutes: StoredMinutes, before: number): Promise<number | null>;
  /** 24 h figures of every market that ever traded, by market id, as of their last upkeep. */
  stats(): Promise<readonly MarketStats[]>;
  /** Traders and their markets since a moment (Unix seconds), summed. */
  tradersSince(at: number): Promise<readonly TraderSum[]>;
  /** How many traders these markets had since a moment (Unix seconds), each once. */
  countTraders(marketIds: readonly number[], since: number): Promise<number>;

  /** Moves the 24 h windows to end at `now` (Unix seconds). */
  moveWindows(now: number): Promise<void>;
  /** Recomputes all bars and figures of a market from its trades as far back as those go. */
  rebuild(marketId: number): Promise<void>;
  /** Makes the partitions that will be needed and drops those past their time or over the size. Returns the dropped ones, by name. */
  upkeep(options: TapeUpkeep): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type TapeEvent = {
  /** Of the log: for this program alone. */
  readonly place: bigint;
  readonly marketId: number;
  readonly tradeId: bigint;
} & (
  | { readonly kind: 'trade'; readonly trade: RecordedTrade }
  /** Taken back: a fork had it. */
  | { readonly kind: 'retracted' }
  /** A trade that is not there any more. */
  | { readonly kind: 'gone' }
);

export type LiveBatch = {
  readonly trades: readonly TapeTrade[];
  /** How far each market has been read at `confirmed`. */
  readonly live: readonly { readonly marketId: number; readonly slot: bigint }[];
};

export type SealBatch = {
  /** Every trade of the ranges; others are refused with a RangeError. */
  readonly trades: readonly TapeTrade[];
  readonly ranges: readonly SealRange[];
  /** The source's cursor afterwards, if it reads all markets at once. */
  readonly source?: SourceCursor;
  /** Times of blocks that were read: retention needs one for every 1,000 slots or so. */
  readonly slotTimes?: readonly { readonly slot: bigint /** Unix seconds. */; readonly at: number }[];
};

/** The market's slots with `after < slot <= upTo` are known in full. */
export type SealRange = {
  readonly marketId: number;
  readonly after: bigint;
  readonly upTo: bigint;
  /** Units in the vaults after the last transaction that touched them; null where none ever did. */
  readonly post: VaultBalances | null;
};

export type SealResult = {
  readonly added: readonly RecordedTrade[];
  /** Taken back: a fork had them. */
  readonly retracted: readonly RecordedTrade[];
  readonly movedMarketIds: readonly number[];
};

export type MarketCursor = {
  readonly marketId: number;
  /** Read at `confirmed` up to here. */
  readonly liveSlot: bigint;
  /** Exact up to here. */
  readonly sealedSlot: bigint;
  readonly post: VaultBalances | null;
};

export type SourceCursor = { readonly name: string; readonly slot: bigint; readonly blockHash: string };

export type TapeFault = {
  readonly signature: string;
  readonly marketId: number;
  readonly slot: bigint;
  /** One sentence with both numbers. */
  readonly why: string;
};

export type TradePage = {
  readonly before?: bigint;
  readonly after?: bigint;
  /** Unix seconds: no trade before it. */
  readonly since?: number;
  readonly limit: number;
};

export type CandleRange = { readonly from: number; readonly to: number; readonly limit: number };

export type TraderSum = {
  readonly marketId: number;
  readonly trader: Address;
  /** Units of the quote mint. */
  readonly buyQuote: bigint;
  readonly sellQuote: bigint;
  /** Unix seconds of the trader's first and last trade there since then. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** False when the trader has ever traded another base mint here. */
  readonly onlyMint: boolean;
};

export type TapeUpkeep = {
  /** Unix seconds. */
  readonly now: number;
  /** Newest slot of the chain. */
  readonly slot: bigint;
  readonly maxBytes: bigint;
};

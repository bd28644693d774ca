import { type Address, addressBytes, addressFromBytes } from '@tradepost/solana';
import {
  type Candle,
  firstIdOfSlot,
  type MarketStats,
  type RecordedTrade,
  type StatedPrice,
} from '@tradepost/tape';
import type { Query } from '../../db/connection.ts';
import type { TapeStore } from '../../ports/tape-store.ts';
import { windowStart } from './move-windows.ts';
import { type CandleRow, TRADE_COLUMNS, type TradeRow, toCandle, toTrade } from './rows.ts';

// SQL: pages of partitioned tables along their keys, and bars summed from smaller ones.

export type Reads = Pick<
  TapeStore,
  | 'trades'
  | 'lastTrades'
  | 'tradesAfter'
  | 'firstTradeBefore'
  | 'candles'
  | 'candlesOf'
  | 'lastCandleBefore'
  | 'stats'
  | 'tradersSince'
  | 'countTraders'
>;

type SealedRow = TradeRow & { readonly sealed_slot: string | null };
type StatsRow = {
  readonly market_id: number;
  readonly base: string;
  readonly quote: string;
  readonly buy_quote: string;
  readonly n: number;
  readonly high: string | null;
  readonly low: string | null;
} & {
  readonly [Key in `${'before' | 'first' | 'last'}_${'id' | 'at' | 'price'}`]: string | null;
};

const ALL = TRADE_COLUMNS.split(', ')
  .map((column) => `t.${column}`)
  .join(', ');
const SEALED = `${ALL}, c.sealed_slot`;
const WITH_CURSOR = 'LEFT JOIN market_cursors c ON c.market_id = t.market_id';
/** The clocks of blocks follow each other but for seconds. */
const SLACK_SECONDS = 60;
const MAX_ID = 2n ** 63n - 1n;

/** The tape's rows. Each call is one statement, or two where a moment must first be turned into an id. */
export function readTape(query: Query): Reads {
  /** Ids below it are surely older than the moment: times are not indexed, and partitions go by ids. */
  const idBefore = async (at: number): Promise<bigint> => {
    const [row] = await query<{ readonly slot: string | null }>(
      'SELECT max(slot) AS slot FROM slot_times WHERE at < $1::bigint',
      [at - SLACK_SECONDS],
    );
    return row?.slot == null ? 0n : firstIdOfSlot(BigInt(row.slot));
  };
  const idAfter = async (at: number): Promise<bigint> => {
    const [row] = await query<{ readonly slot: string | null }>(
      'SELECT min(slot) AS slot FROM slot_times WHERE at > $1::bigint',
      [at + SLACK_SECONDS],
    );
    return row?.slot == null ? MAX_ID : firstIdOfSlot(BigInt(row.slot));
  };
  return {
    trades: async (marketId, { before = MAX_ID, after = -1n, since, limit }) => {
      const floor = since === undefined ? 0n : await idBefore(since);
      const rows = await query<SealedRow>(
        `SELECT ${SEALED} FROM trades t ${WITH_CURSOR}
         WHERE t.market_id = $1::int AND t.id < $2::bigint AND t.id > $3::bigint AND t.id >= $4::bigint
           AND t.at >= $5::bigint ORDER BY t.id DESC LIMIT $6::int`,
        [marketId, before, after, floor, since ?? 0, limit],
      );
      return rows.map(sealedTrade);
    },

    lastTrades: async () =>
      (
        await query<SealedRow>(`SELECT ${SEALED} FROM last_trades t ${WITH_CURSOR} ORDER BY t.market_id`, [])
      ).map(sealedTrade),

    tradesAfter: async (marketIds, after, limit, trader) =>
      (
        await query<SealedRow>(
          `SELECT ${SEALED} FROM trades t ${WITH_CURSOR}
           WHERE t.market_id = ANY ($1::int[]) AND t.id > $2::bigint
             AND ($4::text IS NULL OR t.trader = decode($4::text, 'hex')) ORDER BY t.id LIMIT $3::int`,
          [marketIds.map(String), after, limit, trader === undefined ? null : hexOf(trader)],
        )
      ).map(sealedTrade),

    firstTradeBefore: async (marketId, at) => {
      const [row] = await query<SealedRow>(
        `SELECT ${SEALED} FROM trades t ${WITH_CURSOR}
         WHERE t.market_id = $1::int AND t.id < $2::bigint AND t.at <= $3::bigint AND NOT t.dust
         ORDER BY t.id DESC LIMIT 1`,
        [marketId, await idAfter(at), at],
      );
      return row === undefined ? null : sealedTrade(row);
    },

    candles: async (marketId, minutes, { from, to, limit }) =>
      (
        await query<CandleRow>(
          `SELECT t, o, h, l, c, base, quote, buy_quote, n, open_id, close_id FROM candles
           WHERE market_id = $1::int AND res = $2::smallint AND t >= $3::bigint AND t < $4::bigint ORDER BY t DESC LIMIT $5::int`,
          [marketId, minutes, from, to, limit],
        )
      )
        .map(toCandle)
        .reverse() satisfies readonly Candle[],

    candlesOf: async (marketIds, minutes, { from, to }) => {
      const rows = await query<CandleRow & { readonly market_id: number }>(
        `SELECT market_id, t, o, h, l, c, base, quote, buy_quote, n, open_id, close_id FROM candles
         WHERE market_id = ANY ($1::int[]) AND res = $2::smallint AND t >= $3::bigint AND t < $4::bigint
         ORDER BY market_id, t`,
        [marketIds.map(String), minutes, from, to],
      );
      const byMarket = new Map<number, Candle[]>();
      for (const row of rows) {
        const known = byMarket.get(row.market_id);
        if (known === undefined) byMarket.set(row.market_id, [toCandle(row)]);
        else known.push(toCandle(row));
      }
      return byMarket;
    },

    lastCandleBefore: async (marketId, minutes, before) => {
      const [row] = await query<{ readonly t: string }>(
        `SELECT t FROM candles WHERE market_id = $1::int AND res = $2::smallint AND t < $3::bigint AND o IS NOT NULL
         ORDER BY t DESC LIMIT 1`,
        [marketId, minutes, before],
      );
      return row === undefined ? null : Number(row.t);
    },

    stats: async () => {
      const starts = await windowStart(query);
      const rows = await query<StatsRow>('SELECT * FROM market_stats ORDER BY market_id', []);
      return rows.map((row) => statsOf(row, starts));
    },

    tradersSince: async (at) =>
      (
        await query<{
          readonly market_id: number;
          readonly trader: Uint8Array;
          readonly buys: string;
          readonly sells: string;
          readonly first_at: string;
          readonly last_at: string;
          readonly only_mint: boolean;
        }>(
          `SELECT s.*, NOT EXISTS (SELECT FROM trader_markets k JOIN markets other ON other.id = k.market_id
             WHERE k.trader = s.trader AND other.base_mint <> own.base_mint) AS only_mint
           FROM (SELECT market_id, trader, coalesce(sum(quote) FILTER (WHERE is_buy), 0) AS buys,
               coalesce(sum(quote) FILTER (WHERE NOT is_buy), 0) AS sells, min(at) AS first_at, max(at) AS last_at
             FROM trades WHERE id >= $1::bigint AND at >= $2::bigint GROUP BY market_id, trader) AS s
           JOIN markets own ON own.id = s.market_id ORDER BY s.market_id, s.trader`,
          [await idBefore(at), at],
        )
      ).map((row) => ({
        marketId: row.market_id,
        trader: addressFromBytes(row.trader),
        buyQuote: BigInt(row.buys),
        sellQuote: BigInt(row.sells),
        firstAt: Number(row.first_at),
        lastAt: Number(row.last_at),
        onlyMint: row.only_mint,
      })),

    countTraders: async (marketIds, since) => {
      const [row] = await query<{ readonly n: number }>(
        `SELECT count(DISTINCT trader)::int AS n FROM trades
         WHERE market_id = ANY ($1::int[]) AND id >= $2::bigint AND at >= $3::bigint`,
        [marketIds.map(String), await idBefore(since), since],
      );
      return row?.n ?? 0;
    },
  };
}

function sealedTrade(row: SealedRow): RecordedTrade {
  return toTrade(row, row.sealed_slot === null ? null : BigInt(row.sealed_slot));
}

function statsOf(row: StatsRow, starts: number): MarketStats {
  const before = statedPrice(row.before_price, row.before_id, row.before_at);
  return {
    marketId: row.market_id,
    windowStart: starts,
    base: BigInt(row.base),
    quote: BigInt(row.quote),
    buyQuote: BigInt(row.buy_quote),
    n: row.n,
    high: row.high,
    low: row.low,
    first: before ?? statedPrice(row.first_price, row.first_id, row.first_at),
    firstIsBefore: before !== null,
    last: statedPrice(row.last_price, row.last_id, row.last_at),
  };
}

function statedPrice(price: string | null, id: string | null, at: string | null): StatedPrice | null {
  return price === null || id === null || at === null ? null : { price, id: BigInt(id), at: Number(at) };
}

function hexOf(wallet: Address): string {
  return Buffer.from(addressBytes(wallet)).toString('hex');
}

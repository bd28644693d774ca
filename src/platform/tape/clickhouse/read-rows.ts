import type { Candle, StatedPrice } from '@tradepost/tape';
import { address } from '../../../core/address/address.ts';
import type { Query } from '../../db/connection.ts';
import type { TapeStore } from '../../ports/tape-store.ts';
import { windowStart } from '../postgres/move-windows.ts';
import type { Reads as PostgresReads } from '../postgres/read-tape.ts';
import { readLogWith } from '../tape-log.ts';
import { type Engine, PARAMETERS_AT_ONCE } from './engine.ts';
import { type CandleRow, fromRow, TRADE_COLUMNS, type TradeRow, toCandle } from './rows.ts';

// SQL: ClickHouse has no models.

type Reads = PostgresReads & Pick<TapeStore, 'logAfter'>;

const MAX_ID = 2n ** 63n - 1n;

type StatsRow = {
  readonly market_id: number;
  readonly base: string;
  readonly quote: string;
  readonly buy_quote: string;
  readonly n: string;
  readonly high: string;
  readonly low: string;
} & {
  readonly [Key in `${'before' | 'first' | 'last'}_${'id' | 'at' | 'price'}`]: string;
};

/** The tape's rows: trades from ClickHouse, and from Postgres how far they are sealed. */
export function readRows(engine: Engine, query: Query): Reads {
  const sealedSlots = async (marketIds: readonly number[]): Promise<ReadonlyMap<number, bigint>> => {
    const rows = await query<{ readonly market_id: number; readonly sealed_slot: string }>(
      'SELECT market_id, sealed_slot FROM market_cursors WHERE market_id = ANY ($1::int[])',
      [marketIds.map(String)],
    );
    return new Map(rows.map((row) => [row.market_id, BigInt(row.sealed_slot)]));
  };
  const recorded = async (rows: readonly TradeRow[]) => {
    const sealed = await sealedSlots([...new Set(rows.map(({ market_id }) => market_id))]);
    return rows.map((row) => fromRow(row, sealed.get(row.market_id) ?? null));
  };
  return {
    trades: async (marketId, { before = MAX_ID, after = -1n, since = 0, limit }) =>
      await recorded(
        await engine.query<TradeRow>(
          `SELECT ${TRADE_COLUMNS} FROM trades FINAL
           WHERE market_id = {market: UInt32} AND id < {before: UInt64} AND id >= {from: UInt64} AND at >= {since: Int64}
           ORDER BY id DESC LIMIT {limit: UInt32}`,
          { market: marketId, before: before.toString(), from: (after + 1n).toString(), since, limit },
        ),
      ),

    lastTrades: async () =>
      await recorded(
        await engine.query<TradeRow>(`SELECT ${TRADE_COLUMNS} FROM last_trades FINAL ORDER BY market_id`),
      ),

    tradesAfter: async (marketIds, after, limit, trader) =>
      await recorded(
        await engine.query<TradeRow>(
          `SELECT ${TRADE_COLUMNS} FROM trades FINAL WHERE market_id IN {markets: Array(UInt32)} AND id > {after: UInt64}
           AND ({trader: String} = '' OR trader = {trader: String}) ORDER BY id LIMIT {limit: UInt32}`,
          { markets: marketIds, after: after.toString(), limit, trader: trader ?? '' },
        ),
      ),

    logAfter: async (place, options) =>
      await readLogWith(
        query,
        async (places) => await recorded(await rowsAt(engine, places)),
        place,
        options,
      ),

    firstTradeBefore: async (marketId, at) => {
      const rows = await engine.query<TradeRow>(
        `SELECT ${TRADE_COLUMNS} FROM trades FINAL WHERE market_id = {market: UInt32} AND at <= {at: Int64} AND NOT dust
         ORDER BY id DESC LIMIT 1`,
        { market: marketId, at },
      );
      return (await recorded(rows))[0] ?? null;
    },

    candles: async (marketId, minutes, { from, to, limit }) =>
      (
        await engine.query<CandleRow>(
          `SELECT t, o, h, l, c, base, quote, buy_quote, n, open_id, close_id FROM candles FINAL
           WHERE market_id = {market: UInt32} AND res = {res: UInt16} AND t >= {from: Int64} AND t < {to: Int64}
           ORDER BY t DESC LIMIT {limit: UInt32}`,
          { market: marketId, res: minutes, from, to, limit },
        )
      )
        .map(toCandle)
        .toReversed(),

    candlesOf: async (marketIds, minutes, { from, to }) => {
      const rows = await engine.query<CandleRow & { readonly market_id: number }>(
        `SELECT market_id, t, o, h, l, c, base, quote, buy_quote, n, open_id, close_id FROM candles FINAL
         WHERE market_id IN {markets: Array(UInt32)} AND res = {res: UInt16} AND t >= {from: Int64} AND t < {to: Int64}
         ORDER BY market_id, t`,
        { markets: marketIds, res: minutes, from, to },
      );
      const bars = new Map<number, Candle[]>();
      for (const row of rows) {
        const own = bars.get(row.market_id) ?? [];
        own.push(toCandle(row));
        bars.set(row.market_id, own);
      }
      return bars;
    },

    lastCandleBefore: async (marketId, minutes, before) => {
      const [row] = await engine.query<{ readonly t: string }>(
        `SELECT t FROM candles FINAL WHERE market_id = {market: UInt32} AND res = {res: UInt16} AND t < {before: Int64}
           AND open_id > 0 ORDER BY t DESC LIMIT 1`,
        { market: marketId, res: minutes, before },
      );
      return row === undefined ? null : Number(row.t);
    },

    stats: async () => {
      const starts = await windowStart(query);
      const rows = await engine.query<StatsRow>('SELECT * FROM market_stats FINAL ORDER BY market_id');
      return rows.map((row) => {
        const before = statedPrice(row.before_price, row.before_id, row.before_at);
        return {
          marketId: row.market_id,
          windowStart: starts,
          base: BigInt(row.base),
          quote: BigInt(row.quote),
          buyQuote: BigInt(row.buy_quote),
          n: Number(row.n),
          high: row.high === '' ? null : row.high,
          low: row.low === '' ? null : row.low,
          first: before ?? statedPrice(row.first_price, row.first_id, row.first_at),
          firstIsBefore: before !== null,
          last: statedPrice(row.last_price, row.last_id, row.last_at),
        };
      });
    },

    tradersSince: async (at) => {
      const sums = await engine.query<{
        readonly market_id: number;
        readonly trader: string;
        readonly buys: string;
        readonly sells: string;
        readonly first_at: string;
        readonly last_at: string;
        readonly everywhere: readonly number[];
      }>(
        `SELECT s.market_id AS market_id, s.trader AS trader, s.buys AS buys, s.sells AS sells, s.first_at AS first_at, s.last_at AS last_at,
           d.everywhere AS everywhere
         FROM (SELECT market_id, trader, sumIf(toUInt128(quote), is_buy) AS buys, sumIf(toUInt128(quote), NOT is_buy) AS sells,
             min(at) AS first_at, max(at) AS last_at FROM trades FINAL WHERE at >= {at: Int64} GROUP BY market_id, trader) AS s
         LEFT JOIN (SELECT trader, groupUniqArray(market_id) AS everywhere FROM trader_days FINAL GROUP BY trader) AS d
           ON d.trader = s.trader
         ORDER BY market_id, trader`,
        { at },
      );
      const mintOf = await baseMints(query);
      return sums.map((row) => ({
        marketId: row.market_id,
        trader: address(row.trader),
        buyQuote: BigInt(row.buys),
        sellQuote: BigInt(row.sells),
        firstAt: Number(row.first_at),
        lastAt: Number(row.last_at),
        onlyMint: row.everywhere.every((other) => mintOf.get(other) === mintOf.get(row.market_id)),
      }));
    },

    countTraders: async (marketIds, since) => {
      const [row] = await engine.query<{ readonly traders: string }>(
        `SELECT uniqExact(trader) AS traders FROM trades FINAL WHERE market_id IN {markets: Array(UInt32)} AND at >= {since: Int64}`,
        { markets: marketIds, since },
      );
      return Number(row?.traders ?? 0);
    },
  };
}

async function rowsAt(
  engine: Engine,
  places: readonly { readonly marketId: number; readonly tradeId: bigint }[],
): Promise<readonly TradeRow[]> {
  const rows: TradeRow[] = [];
  for (let at = 0; at < places.length; at += PARAMETERS_AT_ONCE) {
    const some = places.slice(at, at + PARAMETERS_AT_ONCE);
    rows.push(
      ...(await engine.query<TradeRow>(
        `SELECT ${TRADE_COLUMNS} FROM trades FINAL WHERE market_id IN {markets: Array(UInt32)} AND id IN {ids: Array(UInt64)}`,
        {
          markets: [...new Set(some.map(({ marketId }) => marketId))],
          ids: some.map(({ tradeId }) => tradeId),
        },
      )),
    );
  }
  return rows;
}

async function baseMints(query: Query): Promise<ReadonlyMap<number, string>> {
  const rows = await query<{ readonly id: number; readonly base_mint: string }>(
    'SELECT id, base_mint FROM markets',
    [],
  );
  return new Map(rows.map((row) => [row.id, row.base_mint]));
}

/** No price and id 0: there is none. */
function statedPrice(price: string, id: string, at: string): StatedPrice | null {
  return id === '0' ? null : { price, id: BigInt(id), at: Number(at) };
}

import type { RecordedTrade } from '@tradepost/tape';
import type { Query } from '../db/connection.ts';
import type { TapeEvent, TapeStore } from '../ports/tape-store.ts';
import { TRADE_COLUMNS, type TradeRow, toTrade } from './postgres/rows.ts';

// SQL: numbers in the order of the commits, and rows by the thousand.

/** Held from the first number given to the commit: numbers are seen in order, or not yet. */
const LOG_LOCK = 7_403_125;
/** The fewest rows kept, in every case: ten times as many as one reader may have missed. */
const KEPT = 100_000;

const OF_TRADE = TRADE_COLUMNS.split(', ')
  .map((column) => `t.${column}`)
  .join(', ');

/** A transaction's changes to the tape. */
export type TapeChanges = {
  readonly added: readonly RecordedTrade[];
  readonly retracted: readonly { readonly id: string; readonly marketId: number }[];
};

/** Writes both into the log, in the order given. */
export async function logChanges(query: Query, { added, retracted }: TapeChanges): Promise<void> {
  const rows = [
    ...retracted.map(({ marketId, id }) => ({ marketId, id, retracted: 't' })),
    ...added.map(({ marketId, id }) => ({ marketId, id: id.toString(), retracted: 'f' })),
  ];
  if (rows.length === 0) return;
  await query(`SELECT pg_advisory_xact_lock(${LOG_LOCK})`, []);
  await query(
    `INSERT INTO tape_log (market_id, trade_id, retracted)
     SELECT g.market_id, g.trade_id, g.retracted FROM unnest($1::int[], $2::bigint[], $3::boolean[]) WITH ORDINALITY
       AS g(market_id, trade_id, retracted, n) ORDER BY g.n`,
    [rows.map((row) => row.marketId.toString()), rows.map((row) => row.id), rows.map((row) => row.retracted)],
  );
}

export async function trimLog(query: Query): Promise<void> {
  await query('DELETE FROM tape_log WHERE seq < (SELECT max(seq) FROM tape_log) - $1::bigint RETURNING seq', [
    KEPT,
  ]);
}

/** Null in every column of the trade: the join found nothing. */
type LogRow = (TradeRow | { readonly id: null }) & {
  readonly seq: string;
  readonly log_market: number;
  readonly log_trade: string;
  readonly retracted: boolean;
  readonly sealed_slot: string | null;
};

/** See `TapeStore`. The log is in Postgres for every store of trades. */
export function readPlaces(query: Query): Pick<TapeStore, 'logEnd' | 'logPlace'> {
  return {
    logEnd: async () => {
      const [row] = await query<{ readonly seq: string | null }>('SELECT max(seq) AS seq FROM tape_log', []);
      return BigInt(row?.seq ?? 0);
    },
    logPlace: async (tradeId) => {
      const [row] = await query<{ readonly seq: string | null }>(
        'SELECT max(seq) AS seq FROM tape_log WHERE trade_id = $1::bigint AND NOT retracted',
        [tradeId],
      );
      return row?.seq == null ? null : BigInt(row.seq);
    },
  };
}

/** The log beside the trades of Postgres. */
export function readLog(query: Query): Pick<TapeStore, 'logAfter'> {
  return {
    logAfter: async (place, { limit, marketIds }) => {
      const rows = await query<LogRow>(
        `SELECT l.seq, l.market_id AS log_market, l.trade_id AS log_trade, l.retracted, ${OF_TRADE}, c.sealed_slot
         FROM (SELECT * FROM tape_log WHERE seq > $1::bigint AND ($2::int[] IS NULL OR market_id = ANY ($2::int[]))
           ORDER BY seq LIMIT $3::int) AS l
         LEFT JOIN trades t ON t.id = l.trade_id AND NOT l.retracted
         LEFT JOIN market_cursors c ON c.market_id = l.market_id ORDER BY l.seq`,
        [place, marketIds === null ? null : marketIds.map(String), limit],
      );
      return rows.map(toEvent);
    },
  };
}

/** A trade that is there no more was retracted, which a later row reports, or is older than the kept ones. */
function toEvent(row: LogRow): TapeEvent {
  const place = BigInt(row.seq);
  const [marketId, tradeId] = [row.log_market, BigInt(row.log_trade)];
  if (row.retracted) return { kind: 'retracted', place, marketId, tradeId };
  if (row.id === null) return { kind: 'gone', place, marketId, tradeId };
  const trade = toTrade(row, row.sealed_slot === null ? null : BigInt(row.sealed_slot));
  return { kind: 'trade', place, marketId, tradeId, trade };
}

/** The log alone, for trades that are kept elsewhere: `find` gives those of them that are there. */
export async function readLogWith(
  query: Query,
  find: (
    places: readonly { readonly marketId: number; readonly tradeId: bigint }[],
  ) => Promise<readonly RecordedTrade[]>,
  place: bigint,
  { limit, marketIds }: Parameters<TapeStore['logAfter']>[1],
): Promise<readonly TapeEvent[]> {
  const rows = await query<
    Pick<LogRow, 'seq' | 'retracted'> & { readonly market_id: number; readonly trade_id: string }
  >(
    `SELECT seq, market_id, trade_id, retracted FROM tape_log
     WHERE seq > $1::bigint AND ($2::int[] IS NULL OR market_id = ANY ($2::int[])) ORDER BY seq LIMIT $3::int`,
    [place, marketIds === null ? null : marketIds.map(String), limit],
  );
  const events = rows.map((row) => ({
    place: BigInt(row.seq),
    marketId: row.market_id,
    tradeId: BigInt(row.trade_id),
    retracted: row.retracted,
  }));
  const found = new Map(
    (await find(events.filter(({ retracted }) => !retracted))).map((trade) => [trade.id, trade]),
  );
  return events.map(({ retracted, ...event }): TapeEvent => {
    const trade = found.get(event.tradeId);
    if (retracted) return { kind: 'retracted', ...event };
    return trade === undefined ? { kind: 'gone', ...event } : { kind: 'trade', ...event, trade };
  });
}

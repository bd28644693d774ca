import { firstIdOfSlot, type RecordedTrade, type TapeTrade } from '@tradepost/tape';
import type { SealRange } from '../../ports/tape-store.ts';
import type { MarketDecimals } from '../market-terms.ts';
import { type Engine, PARAMETERS_AT_ONCE } from './engine.ts';
import { makeBars } from './make-bars.ts';
import { makeFigures } from './make-figures.ts';
import { fromRow, isSameTrade, type Stamp, TRADE_COLUMNS, type TradeRow, toRow, versioned } from './rows.ts';

// SQL: ClickHouse has no models.

/** The parts that writing a batch needs. */
export type Writing = {
  readonly engine: Engine;
  readonly stamp: Stamp;
  readonly decimalsOf: (marketId: number) => MarketDecimals;
  /** Unix seconds at which the window of 24 h figures begins. */
  readonly windowStart: number;
  /** Unix seconds: trades up to here were dropped, their bars stay as they are. */
  readonly droppedAt: number;
};

type SeenRow = TradeRow & { readonly gone: number };

/** The newest version of each row, also of those that are gone: a batch that broke off is finished by its repetition. */
const NEWEST = 'ORDER BY version DESC LIMIT 1 BY market_id, id';

/** Writes down those that are not there yet, with all that follows from them; returns them. */
export async function appendRows(
  writing: Writing,
  trades: readonly TapeTrade[],
): Promise<readonly RecordedTrade[]> {
  const given = new Map(trades.map((trade) => [trade.id.toString(), trade]));
  const seen = await seenById(writing.engine, [...given.values()]);
  const there = new Set(seen.filter(({ gone }) => gone === 0).map(({ id }) => id));
  const fresh = [...given.values()].filter(({ id }) => !there.has(id.toString()));
  return (await write(writing, { fresh, retracted: [], seen, given: [...given.values()] })).added;
}

/** Makes the ranges hold these trades and no others; returns the added and the retracted ones. */
export async function replaceRows(
  writing: Writing,
  ranges: readonly SealRange[],
  trades: readonly TapeTrade[],
): Promise<{ readonly added: readonly RecordedTrade[]; readonly retracted: readonly RecordedTrade[] }> {
  const seen = await seenInRanges(writing.engine, ranges);
  const given = new Map(trades.map((trade) => [trade.id.toString(), trade]));
  const there = new Map(seen.filter(({ gone }) => gone === 0).map((row) => [row.id, row]));
  const isKept = (row: TradeRow): boolean => {
    const trade = given.get(row.id);
    return trade !== undefined && isSameTrade(row, trade);
  };
  const retracted = [...there.values()].filter((row) => !isKept(row));
  const fresh = [...given.values()].filter(({ id }) => {
    const row = there.get(id.toString());
    return row === undefined || !isKept(row);
  });
  return await write(writing, { fresh, retracted, seen, given: [...given.values()] });
}

async function write(
  writing: Writing,
  {
    fresh,
    retracted,
    seen,
    given,
  }: {
    readonly fresh: readonly TapeTrade[];
    readonly retracted: readonly TradeRow[];
    readonly seen: readonly SeenRow[];
    readonly given: readonly TapeTrade[];
  },
) {
  const { engine, stamp, decimalsOf, windowStart, droppedAt } = writing;
  const rows = fresh.map((trade) => toRow(trade, decimalsOf(trade.marketId), stamp));
  const replaced = new Set(rows.map(({ id }) => id));
  await engine.insert('trades', [
    ...retracted.filter(({ id }) => !replaced.has(id)).map((row) => versioned(row, stamp, true)),
    ...rows.map((row) => versioned(row, stamp, false)),
  ]);
  const places = [
    ...given.map(({ marketId, at }) => ({ marketId, at })),
    ...seen.map((row) => ({ marketId: row.market_id, at: Number(row.at) })),
  ];
  const marketIds = [...new Set(places.map(({ marketId }) => marketId))];
  await makeBars(
    engine,
    places.filter(({ at }) => at > droppedAt),
    stamp.version,
  );
  await makeFigures(engine, marketIds, { starts: windowStart, version: stamp.version });
  const goneIds = new Set([
    ...retracted.map(({ id }) => id).filter((id) => !replaced.has(id)),
    ...seen.filter(({ gone, id }) => gone === 1 && !replaced.has(id)).map(({ id }) => id),
  ]);
  const goneRows = seen.filter(({ id }) => goneIds.has(id));
  const kept = seen.filter(({ id, gone }) => gone === 0 && !goneIds.has(id) && !replaced.has(id));
  await keepLastTrades(writing, [...rows, ...kept], goneIds, marketIds);
  await keepTraderDays(writing, given, goneRows, retracted);
  return {
    added: rows.map((row) => fromRow(row, null)).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    retracted: retracted.map((row) => fromRow(row, null)),
  };
}

async function seenById(engine: Engine, trades: readonly TapeTrade[]): Promise<readonly SeenRow[]> {
  const seen: SeenRow[] = [];
  for (let at = 0; at < trades.length; at += PARAMETERS_AT_ONCE) {
    const some = trades.slice(at, at + PARAMETERS_AT_ONCE);
    seen.push(
      ...(await engine.query<SeenRow>(
        `SELECT ${TRADE_COLUMNS}, gone FROM trades
         WHERE market_id IN {markets: Array(UInt32)} AND id IN {ids: Array(UInt64)} ${NEWEST}`,
        {
          markets: [...new Set(some.map(({ marketId }) => marketId))],
          ids: some.map(({ id }) => id),
        },
      )),
    );
  }
  return seen;
}

/** Markets are mostly sealed side by side: those with equal bounds are asked for together. */
async function seenInRanges(engine: Engine, ranges: readonly SealRange[]): Promise<readonly SeenRow[]> {
  const groups = new Map<string, { readonly range: SealRange; readonly marketIds: number[] }>();
  for (const range of ranges) {
    const key = `${range.after} ${range.upTo}`;
    const group = groups.get(key) ?? { range, marketIds: [] };
    group.marketIds.push(range.marketId);
    groups.set(key, group);
  }
  const seen: SeenRow[] = [];
  for (const { range, marketIds } of groups.values())
    for (let at = 0; at < marketIds.length; at += PARAMETERS_AT_ONCE)
      seen.push(
        ...(await engine.query<SeenRow>(
          `SELECT ${TRADE_COLUMNS}, gone FROM trades
           WHERE market_id IN {markets: Array(UInt32)} AND id >= {low: UInt64} AND id < {high: UInt64} ${NEWEST}`,
          {
            markets: marketIds.slice(at, at + PARAMETERS_AT_ONCE),
            low: firstIdOfSlot(range.after + 1n).toString(),
            high: firstIdOfSlot(range.upTo + 1n).toString(),
          },
        )),
      );
  return seen;
}

/** The newest trade of each market. One that was taken back gives way to the newest that is left. */
async function keepLastTrades(
  { engine, stamp }: Writing,
  present: readonly TradeRow[],
  goneIds: ReadonlySet<string>,
  marketIds: readonly number[],
): Promise<void> {
  for (let at = 0; at < marketIds.length; at += PARAMETERS_AT_ONCE) {
    const some = new Set(marketIds.slice(at, at + PARAMETERS_AT_ONCE));
    const newest = newestByMarket(present.filter(({ market_id }) => some.has(market_id)));
    const known = await engine.query<TradeRow>(
      `SELECT ${TRADE_COLUMNS} FROM last_trades FINAL WHERE market_id IN {markets: Array(UInt32)}`,
      { markets: [...some] },
    );
    const lost = known.filter(({ id }) => goneIds.has(id)).map(({ market_id }) => market_id);
    for (const row of await newestLeft(engine, lost)) newest.set(row.market_id, row);
    const knownOf = new Map(known.map((row) => [row.market_id, row]));
    const stampOf = (gone: 0 | 1) => ({ version: stamp.version.toString(), gone });
    await engine.insert('last_trades', [
      ...[...newest.values()]
        .filter((row) => isNewer(row, knownOf.get(row.market_id), goneIds))
        .map((row) => ({ ...row, ...stampOf(0) })),
      ...known
        .filter((row) => goneIds.has(row.id) && !newest.has(row.market_id))
        .map((row) => ({ ...row, ...stampOf(1) })),
    ]);
  }
}

function newestByMarket(rows: readonly TradeRow[]): Map<number, TradeRow> {
  const newest = new Map<number, TradeRow>();
  for (const row of rows) {
    const known = newest.get(row.market_id);
    if (known === undefined || BigInt(row.id) > BigInt(known.id)) newest.set(row.market_id, row);
  }
  return newest;
}

/** Reads every trade of these markets: asked only when a fork took the last one back. */
async function newestLeft(engine: Engine, markets: readonly number[]): Promise<readonly TradeRow[]> {
  if (markets.length === 0) return [];
  return await engine.query<TradeRow>(
    `SELECT ${TRADE_COLUMNS} FROM trades FINAL WHERE market_id IN {markets: Array(UInt32)} ORDER BY id DESC LIMIT 1 BY market_id`,
    { markets },
  );
}

/** The same number can be another trade after a fork. */
function isNewer(row: TradeRow, known: TradeRow | undefined, goneIds: ReadonlySet<string>): boolean {
  if (known === undefined || goneIds.has(known.id)) return true;
  return BigInt(row.id) > BigInt(known.id) || (row.id === known.id && row.signature !== known.signature);
}

type TraderDay = { readonly trader: string; readonly market_id: number; readonly day: number };

const DAY = 86_400;

/** On which days who traded where. A day is taken back when no trade of it is left. */
async function keepTraderDays(
  { engine, stamp, droppedAt }: Writing,
  given: readonly TapeTrade[],
  gone: readonly SeenRow[],
  retracted: readonly TradeRow[],
): Promise<void> {
  const version = stamp.version.toString();
  const days = new Map<string, TraderDay>();
  for (const { trader, marketId, at } of given)
    days.set(...keyed({ trader, market_id: marketId, day: Math.floor(at / DAY) }));
  const doubtful = new Map<string, TraderDay>();
  for (const { trader, market_id, at } of [...gone, ...retracted]) {
    const [key, day] = keyed({ trader, market_id, day: Math.floor(Number(at) / DAY) });
    if (!days.has(key) && Number(at) > droppedAt) doubtful.set(key, day);
  }
  const left = await daysLeft(engine, [...doubtful.values()]);
  await engine.insert('trader_days', [
    ...[...days.values()].map((day) => ({ ...day, n: 1, version, gone: 0 })),
    ...[...doubtful].filter(([key]) => !left.has(key)).map(([, day]) => ({ ...day, n: 0, version, gone: 1 })),
  ]);
}

async function daysLeft(engine: Engine, days: readonly TraderDay[]): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  for (let at = 0; at < days.length; at += PARAMETERS_AT_ONCE) {
    const some = days.slice(at, at + PARAMETERS_AT_ONCE);
    const rows = await engine.query<TraderDay>(
      `SELECT trader, market_id, toUInt32(intDiv(at, ${DAY})) AS day FROM trades FINAL
       WHERE market_id IN {markets: Array(UInt32)} AND trader IN {traders: Array(String)} AND at >= {low: Int64}
       GROUP BY trader, market_id, day`,
      {
        markets: [...new Set(some.map(({ market_id }) => market_id))],
        traders: [...new Set(some.map(({ trader }) => trader))],
        low: some.reduce((least, { day }) => Math.min(least, day * DAY), Number.MAX_SAFE_INTEGER),
      },
    );
    for (const row of rows) left.add(keyed(row)[0]);
  }
  return left;
}

function keyed(day: TraderDay): [string, TraderDay] {
  return [`${day.trader} ${day.market_id} ${day.day}`, day];
}

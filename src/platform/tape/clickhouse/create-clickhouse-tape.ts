import type { TapeTrade } from '@tradepost/tape';
import type { Connection, Query } from '../../db/connection.ts';
import { runTransaction, translating } from '../../db/unit-of-work.ts';
import type { TapeStore } from '../../ports/tape-store.ts';
import {
  assertWithinRanges,
  beyondSeal,
  cursorsOf,
  lockedRanges,
  moveLive,
  moveSealed,
  moveSource,
} from '../cursors.ts';
import { faultsOf } from '../faults.ts';
import { createMarketTerms } from '../market-terms.ts';
import { WINDOW_LOCK } from '../postgres/append-trades.ts';
import { windowStart, windowStartAt } from '../postgres/move-windows.ts';
import { readPlaces } from '../tape-log.ts';
import { tellReaders } from '../tell-readers.ts';
import { addToFlows, moneyOf, noteFlowsBegin } from '../wallet-flows.ts';
import type { Engine } from './engine.ts';
import { keepRows } from './keep-rows.ts';
import { makeBars } from './make-bars.ts';
import { makeFigures } from './make-figures.ts';
import { readRows } from './read-rows.ts';
import { highestVersion, makeTables } from './tables.ts';
import { appendRows, replaceRows, type Writing } from './write-trades.ts';

// SQL: locks, and a sequence that numbers versions.

/** Two writers of one market wait for each other: the second must see the first one's rows. */
const MARKET_LOCKS = 7_403;
const DAY = 86_400;

/**
 * The tape in ClickHouse, with cursors, faults and notices in Postgres. Rows are written first and the cursor moves last, in the
 * transaction that holds the markets' locks: a writer that dies in between leaves work that its successor repeats, and
 * repeating changes nothing. Makes its tables.
 */
export async function createClickHouseTape(
  connection: Pick<Connection, 'query' | 'atomic'>,
  engine: Engine,
  { url, close }: { readonly url: string; readonly close: () => Promise<void> },
): Promise<TapeStore> {
  const { query } = connection;
  await makeTables(engine);
  // A Postgres restored from an older day must not hand out versions that older rows have.
  await query(
    `SELECT setval('tape_version', greatest((SELECT last_value FROM tape_version), $1::bigint) + 1)`,
    [await highestVersion(engine)],
  );
  const terms = createMarketTerms(query);

  /** Runs `work` alone for these markets, while no window moves. */
  const write = <T>(
    marketIds: readonly number[],
    work: (inside: Query, writing: Writing) => Promise<T>,
  ): Promise<T> =>
    runTransaction(connection, url, async (inside) => {
      await inside.query(`SELECT pg_advisory_xact_lock_shared(${WINDOW_LOCK})`, []);
      await lockMarkets(inside.query, marketIds);
      return await work(inside.query, await beginWriting(inside.query));
    });
  const beginWriting = async (inside: Query): Promise<Writing> => {
    const [row] = await inside<{
      readonly version: string;
      readonly now: string;
      readonly dropped: string | null;
    }>(
      `SELECT nextval('tape_version') AS version, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
         (SELECT value FROM tape_meta WHERE name = 'dropped_at') AS dropped`,
      [],
    );
    return {
      engine,
      stamp: { version: BigInt(row?.version ?? 0), now: Number(row?.now ?? 0) },
      decimalsOf: terms.of,
      windowStart: await windowStart(inside),
      droppedAt: Number(row?.dropped ?? -1),
    };
  };

  const store: TapeStore = {
    ...readRows(engine, query),
    ...readPlaces(query),
    ...cursorsOf(query),
    ...faultsOf(query),
    ...moneyOf(query),

    append: async ({ trades, live }) => {
      await terms.learn(trades);
      return await write(idsOf(trades), async (inside, writing) => {
        const fresh = await beyondSeal(inside, trades);
        const added = fresh.length === 0 ? [] : await appendRows(writing, fresh);
        await moveLive(inside, live);
        await tellReaders(inside, { added, retracted: [] });
        return added;
      });
    },

    seal: async (batch) => {
      assertWithinRanges(batch);
      await terms.learn(batch.trades);
      const marketIds = batch.ranges.map(({ marketId }) => marketId);
      return await write(marketIds, async (inside, writing) => {
        const moved = await lockedRanges(inside, batch.ranges);
        const movedMarketIds = moved.map(({ marketId }) => marketId);
        const trades = batch.trades.filter(({ marketId }) => movedMarketIds.includes(marketId));
        const { added, retracted } = await replaceRows(writing, moved, trades);
        await addToFlows(inside, trades, terms.of);
        await noteFlowsBegin(inside, batch);
        await moveSealed(inside, moved);
        if (batch.source !== undefined) await moveSource(inside, batch.source);
        const gone = retracted.map(({ id, marketId }) => ({ id: id.toString(), marketId }));
        await tellReaders(inside, { added, retracted: gone });
        return { added: added.map((trade) => ({ ...trade, sealed: true })), retracted, movedMarketIds };
      });
    },

    moveWindows: (now) =>
      runTransaction(connection, url, async (inside) => {
        await inside.query(`SELECT pg_advisory_xact_lock(${WINDOW_LOCK})`, []);
        const writing = await beginWriting(inside.query);
        const starts = windowStartAt(now);
        if (starts <= writing.windowStart) return;
        const left = await marketsThatLeft(engine, writing.windowStart, starts);
        await makeFigures(engine, left, { starts, version: writing.stamp.version });
        await inside.query(
          `INSERT INTO tape_meta (name, value) VALUES ('window_start', $1::text)
           ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING name`,
          [starts.toString()],
        );
      }),

    rebuild: (marketId) =>
      runTransaction(connection, url, async (inside) => {
        await inside.query(`SELECT pg_advisory_xact_lock(${WINDOW_LOCK})`, []);
        const { stamp, windowStart: starts, droppedAt } = await beginWriting(inside.query);
        const minutes = await minutesOf(engine, marketId, droppedAt);
        await makeBars(
          engine,
          minutes.map((at) => ({ marketId, at })),
          stamp.version,
        );
        await makeFigures(engine, [marketId], { starts, version: stamp.version });
      }),

    upkeep: (options) => keepRows(engine, query, options),
    close: async () => {
      await engine.close();
      await close();
    },
  };
  return translating(store, url);
}

function idsOf(trades: readonly TapeTrade[]): readonly number[] {
  return [...new Set(trades.map(({ marketId }) => marketId))];
}

/** In the order of their ids: two that lock several wait for each other in turn. */
async function lockMarkets(inside: Query, marketIds: readonly number[]): Promise<void> {
  if (marketIds.length === 0) return;
  await inside(
    `SELECT pg_advisory_xact_lock(${MARKET_LOCKS}, id) FROM (SELECT id FROM unnest($1::int[]) AS m(id) ORDER BY id) AS sorted`,
    [marketIds.map(String)],
  );
}

/** Markets with a trade among the minutes that leave the window; all of them after a pause of more than a day. */
async function marketsThatLeft(engine: Engine, from: number, to: number): Promise<readonly number[]> {
  const rows = await engine.query<{ readonly market_id: number }>(
    to - from > DAY
      ? 'SELECT DISTINCT market_id FROM market_stats'
      : 'SELECT DISTINCT market_id FROM candles WHERE res = 1 AND t >= {from: Int64} AND t < {to: Int64}',
    to - from > DAY ? {} : { from, to },
  );
  return rows.map(({ market_id }) => market_id);
}

/** Minutes of which a market has trades or bars, after those that were dropped. */
async function minutesOf(engine: Engine, marketId: number, after: number): Promise<readonly number[]> {
  const rows = await engine.query<{ readonly minute: string }>(
    `SELECT DISTINCT minute FROM (
       SELECT at - at % 60 AS minute FROM trades FINAL WHERE market_id = {market: UInt32} AND at > {after: Int64}
       UNION ALL SELECT t AS minute FROM candles FINAL WHERE market_id = {market: UInt32} AND res = 1 AND t > {after: Int64})
     WHERE minute > {after: Int64}`,
    { market: marketId, after },
  );
  return rows.map(({ minute }) => Number(minute));
}

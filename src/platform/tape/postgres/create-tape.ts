import { type RecordedTrade, slotOfTrade, type TapeTrade } from '@tradepost/tape';
import type { Connection, Query } from '../../db/connection.ts';
import { runTransaction, translating } from '../../db/unit-of-work.ts';
import type { TapeStore } from '../../ports/tape-store.ts';
import { beyondSeal, cursorsOf, moveLive, moveSource } from '../cursors.ts';
import { faultsOf } from '../faults.ts';
import { createMarketTerms } from '../market-terms.ts';
import { readLog, readPlaces } from '../tape-log.ts';
import { tellReaders } from '../tell-readers.ts';
import { moneyOf } from '../wallet-flows.ts';
import { appendTrades, WINDOW_LOCK } from './append-trades.ts';
import { keepTape, rebuildBars } from './keep-tape.ts';
import { moveWindows } from './move-windows.ts';
import { makePartitions, partitionsFor } from './partitions.ts';
import { readTape } from './read-tape.ts';
import { toTrade } from './rows.ts';
import { sealTrades } from './seal-trades.ts';

// SQL: compare-and-set of cursors, and rows that go in as arrays.

/** One known block time for so many slots is enough to find a day. */
const SLOTS_PER_TIME = 1_000n;

/** The tape in Postgres. The opener of the connection closes it. */
export function createPostgresTape(
  connection: Pick<Connection, 'query' | 'atomic'>,
  { url, close }: { readonly url: string; readonly close: () => Promise<void> },
): TapeStore {
  const { query } = connection;
  const partitions = new Set<string>();
  const terms = createMarketTerms(query);
  const noteTimes = createTimeNotes();

  const prepare = async (trades: readonly TapeTrade[]): Promise<void> => {
    await terms.learn(trades);
    await makePartitions(connection, partitions, partitionsFor(trades));
  };
  /** No other transaction moves the 24 h windows while `work` adds to them. */
  const write = <T>(work: (inside: Query) => Promise<T>): Promise<T> =>
    runTransaction(connection, url, async (inside) => {
      await inside.query(`SELECT pg_advisory_xact_lock_shared(${WINDOW_LOCK})`, []);
      return await work(inside.query);
    });

  const store: TapeStore = {
    ...readTape(query),
    ...readPlaces(query),
    ...readLog(query),
    ...cursorsOf(query),
    ...faultsOf(query),
    ...moneyOf(query),

    append: async ({ trades, live }) => {
      await prepare(trades);
      return await write(async (inside) => {
        const added = await appendTrades(inside, await beyondSeal(inside, trades), terms.of);
        await noteTimes(inside, trades.map(timeOf));
        await moveLive(inside, live);
        await tellReaders(inside, { added, retracted: [] });
        return added;
      });
    },

    seal: async (batch) => {
      await prepare(batch.trades);
      return await write(async (inside) => {
        const sealed = await sealTrades(inside, batch, terms.of);
        const gone = sealed.retracted.map(({ id, market_id: marketId }) => ({ id, marketId }));
        await noteTimes(inside, [...batch.trades.map(timeOf), ...(batch.slotTimes ?? [])]);
        if (batch.source !== undefined) await moveSource(inside, batch.source);
        await tellReaders(inside, { added: sealed.added, retracted: gone });
        return sealingOf(sealed);
      });
    },

    moveWindows: (now) => runTransaction(connection, url, (inside) => moveWindows(inside.query, now)),
    rebuild: (marketId) => runTransaction(connection, url, (inside) => rebuildBars(inside.query, marketId)),
    upkeep: (options) => keepTape(connection, partitions, options),
    close,
  };
  return translating(store, url);
}

/** The changes of a seal, in the tape's form. */
function sealingOf({ added, retracted, moved }: Awaited<ReturnType<typeof sealTrades>>) {
  return {
    added: added.map((trade) => ({ ...trade, sealed: true })),
    retracted: retracted.map((row): RecordedTrade => toTrade(row, null)),
    movedMarketIds: moved.map(({ marketId }) => marketId),
  };
}

function timeOf({ id, at }: Pick<TapeTrade, 'id' | 'at'>): { readonly slot: bigint; readonly at: number } {
  return { slot: slotOfTrade(id), at };
}

/** Writes one block time for so many slots, once each. */
function createTimeNotes() {
  const timed = new Set<bigint>();
  return async (
    inside: Query,
    times: readonly { readonly slot: bigint; readonly at: number }[],
  ): Promise<void> => {
    const fresh = new Map(
      times
        .filter(({ slot }) => !timed.has(slot / SLOTS_PER_TIME))
        .map((time) => [time.slot / SLOTS_PER_TIME, time] as const),
    );
    if (fresh.size === 0) return;
    await inside(
      `INSERT INTO slot_times (slot, at) SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT (slot) DO NOTHING RETURNING slot`,
      [
        [...fresh.values()].map(({ slot }) => slot.toString()),
        [...fresh.values()].map(({ at }) => at.toString()),
      ],
    );
    for (const bucket of fresh.keys()) timed.add(bucket);
  };
}

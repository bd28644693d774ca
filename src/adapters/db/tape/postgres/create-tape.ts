import type { RecordedTrade, TapeTrade } from '../../../../core/market/trade.ts';
import { slotOfTrade } from '../../../../core/market/trade-id.ts';
import type {
  MarketCursor,
  SourceCursor,
  TapeFault,
  TapeStore,
  VaultBalances,
} from '../../../../core/ports/tape-store.ts';
import type { Connection, Query } from '../../connection.ts';
import { runTransaction, translating } from '../../unit-of-work.ts';
import { TAPE_CHANNEL } from '../market-feed.ts';
import { appendTrades, WINDOW_LOCK } from './append-trades.ts';
import { keepTape, rebuildBars } from './keep-tape.ts';
import { moveWindows } from './move-windows.ts';
import { makePartitions, partitionsFor } from './partitions.ts';
import { readTape } from './read-tape.ts';
import { type MarketDecimals, toTrade } from './rows.ts';
import { sealTrades } from './seal-trades.ts';
import { logChanges, readLog } from './tape-log.ts';

// SQL: compare-and-set of cursors, and rows that go in as arrays.

/** A notice holds at most 8,000 bytes. */
const NOTICE_ENTRIES = 150;
/** One known block time for so many slots is enough to find a day. */
const SLOTS_PER_TIME = 1_000n;

/** The tape in Postgres. Closing it is the business of whoever opened the connection. */
export function createPostgresTape(
  connection: Pick<Connection, 'query' | 'atomic'>,
  { url, close }: { readonly url: string; readonly close: () => Promise<void> },
): TapeStore {
  const { query } = connection;
  const partitions = new Set<string>();
  const decimals = new Map<number, MarketDecimals>();
  const timed = new Set<bigint>();

  const learnMarkets = async (trades: readonly TapeTrade[]): Promise<void> => {
    const unknown = [...new Set(trades.map(({ marketId }) => marketId))].filter((id) => !decimals.has(id));
    if (unknown.length === 0) return;
    const rows = await query<{ readonly id: number } & MarketDecimals>(
      `SELECT id, base_decimals AS "baseDecimals", quote_decimals AS "quoteDecimals" FROM markets WHERE id = ANY ($1::int[])`,
      [unknown.map(String)],
    );
    for (const { id, ...rest } of rows) decimals.set(id, rest);
  };
  const decimalsOf = (marketId: number): MarketDecimals => {
    const known = decimals.get(marketId);
    if (known === undefined) throw new RangeError(`market ${marketId} is not known`);
    return known;
  };
  const prepare = async (trades: readonly TapeTrade[]): Promise<void> => {
    await learnMarkets(trades);
    await makePartitions(connection, partitions, partitionsFor(trades));
  };
  /** Nobody moves the 24 h windows while `work` adds to them. */
  const write = <T>(work: (inside: Query) => Promise<T>): Promise<T> =>
    runTransaction(connection, url, async (inside) => {
      await inside.query(`SELECT pg_advisory_xact_lock_shared(${WINDOW_LOCK})`, []);
      return await work(inside.query);
    });
  const noteTimes = async (
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

  const store: TapeStore = {
    ...readTape(query),
    ...readLog(query),
    ...cursorsOf(query),
    ...faultsOf(query),

    append: async ({ trades, live }) => {
      await prepare(trades);
      return await write(async (inside) => {
        const added = await appendTrades(inside, trades, decimalsOf);
        await noteTimes(inside, trades.map(timeOf));
        await moveLive(inside, live);
        await tell(inside, { t: newestOf(added) });
        await logChanges(inside, { added, retracted: [] });
        return added;
      });
    },

    seal: async (batch) => {
      await prepare(batch.trades);
      return await write(async (inside) => {
        const { added, retracted, moved } = await sealTrades(inside, batch, decimalsOf);
        await noteTimes(inside, [...batch.trades.map(timeOf), ...(batch.slotTimes ?? [])]);
        if (batch.source !== undefined) await moveSource(inside, batch.source);
        await tell(inside, { t: newestOf(added) });
        await tell(inside, { r: Object.fromEntries(retracted.map(({ id, market_id }) => [id, market_id])) });
        await logChanges(inside, { added, retracted });
        return {
          added: added.map((trade) => ({ ...trade, sealed: true })),
          retracted: retracted.map((row): RecordedTrade => toTrade(row, null)),
          movedMarketIds: moved.map(({ marketId }) => marketId),
        };
      });
    },

    moveWindows: (now) => runTransaction(connection, url, (inside) => moveWindows(inside.query, now)),
    rebuild: (marketId) => runTransaction(connection, url, (inside) => rebuildBars(inside.query, marketId)),
    upkeep: (options) => keepTape(connection, partitions, options),
    close,
  };
  return translating(store, url);
}

function timeOf({ id, at }: Pick<TapeTrade, 'id' | 'at'>): { readonly slot: bigint; readonly at: number } {
  return { slot: slotOfTrade(id), at };
}

/** The newest new trade of each market. */
function newestOf(trades: readonly RecordedTrade[]): Readonly<Record<string, string>> {
  return Object.fromEntries(trades.map(({ marketId, id }) => [marketId, id.toString()]));
}

/** Those who listen hear it when the transaction commits. */
async function tell(
  inside: Query,
  parts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  for (const [kind, entries] of Object.entries(parts)) {
    const all = Object.entries(entries);
    for (let at = 0; at < all.length; at += NOTICE_ENTRIES) {
      const payload = JSON.stringify({ [kind]: Object.fromEntries(all.slice(at, at + NOTICE_ENTRIES)) });
      await inside('SELECT pg_notify($1::text, $2::text)', [TAPE_CHANNEL, payload]);
    }
  }
}

async function moveLive(
  inside: Query,
  live: readonly { readonly marketId: number; readonly slot: bigint }[],
): Promise<void> {
  if (live.length === 0) return;
  const sorted = live.toSorted((one, other) => one.marketId - other.marketId);
  await inside(
    `UPDATE market_cursors AS c SET live_slot = greatest(c.live_slot, l.slot), updated_at = now()
     FROM unnest($1::int[], $2::bigint[]) AS l(market_id, slot) WHERE c.market_id = l.market_id AND c.live_slot < l.slot
     RETURNING c.market_id`,
    [sorted.map(({ marketId }) => marketId.toString()), sorted.map(({ slot }) => slot.toString())],
  );
}

async function moveSource(inside: Query, { name, slot, blockHash }: SourceCursor): Promise<void> {
  await inside(
    `INSERT INTO tape_sources AS known (name, slot, block_hash) VALUES ($1, $2::bigint, $3)
     ON CONFLICT (name) DO UPDATE SET slot = excluded.slot, block_hash = excluded.block_hash WHERE known.slot < excluded.slot
     RETURNING name`,
    [name, slot, blockHash],
  );
}

type CursorRow = {
  readonly market_id: number;
  readonly live_slot: string;
  readonly sealed_slot: string;
  readonly post_base: string | null;
  readonly post_quote: string | null;
};

function cursorsOf(
  query: Query,
): Pick<TapeStore, 'cursor' | 'cursors' | 'startCursor' | 'sourceCursor' | 'markGap' | 'clearGap'> {
  return {
    cursor: async (marketId) => {
      const [row] = await query<CursorRow>('SELECT * FROM market_cursors WHERE market_id = $1::int', [
        marketId,
      ]);
      return row === undefined ? null : toCursor(row);
    },
    cursors: async () =>
      (await query<CursorRow>('SELECT * FROM market_cursors ORDER BY market_id', [])).map(toCursor),
    startCursor: async ({ marketId, slot, post }) => {
      await query(
        `INSERT INTO market_cursors (market_id, live_slot, sealed_slot, post_base, post_quote, updated_at)
         VALUES ($1::int, $2::bigint, $2::bigint, $3::numeric, $4::numeric, now()) ON CONFLICT (market_id) DO NOTHING
         RETURNING market_id`,
        [marketId, slot, post?.base ?? null, post?.quote ?? null],
      );
    },
    sourceCursor: async (name) => {
      const [row] = await query<{ readonly slot: string; readonly block_hash: string }>(
        'SELECT slot, block_hash FROM tape_sources WHERE name = $1',
        [name],
      );
      return row === undefined ? null : { name, slot: BigInt(row.slot), blockHash: row.block_hash };
    },
    markGap: async (marketId, sinceSlot) => {
      await query(
        'UPDATE markets SET gap_since = least(gap_since, $2::bigint) WHERE id = $1::int RETURNING id',
        [marketId, sinceSlot],
      );
    },
    clearGap: async (marketId) => {
      await query('UPDATE markets SET gap_since = NULL WHERE id = $1::int RETURNING id', [marketId]);
    },
  };
}

function toCursor(row: CursorRow): MarketCursor {
  const { post_base: base, post_quote: quote } = row;
  const post: VaultBalances | null =
    base === null || quote === null ? null : { base: BigInt(base), quote: BigInt(quote) };
  return {
    marketId: row.market_id,
    liveSlot: BigInt(row.live_slot),
    sealedSlot: BigInt(row.sealed_slot),
    post,
  };
}

function faultsOf(query: Query): Pick<TapeStore, 'faults' | 'recordFaults' | 'clearFaults'> {
  const columns = (faults: readonly Pick<TapeFault, 'signature' | 'marketId'>[]) => [
    faults.map(({ signature }) => signature),
    faults.map(({ marketId }) => marketId.toString()),
  ];
  return {
    faults: async (marketId) =>
      (
        await query<{
          readonly signature: string;
          readonly market_id: number;
          readonly slot: string;
          readonly why: string;
        }>(
          'SELECT * FROM tape_faults WHERE $1::int IS NULL OR market_id = $1::int ORDER BY slot, signature, market_id',
          [marketId ?? null],
        )
      ).map((row) => ({
        signature: row.signature,
        marketId: row.market_id,
        slot: BigInt(row.slot),
        why: row.why,
      })),
    recordFaults: async (faults) => {
      if (faults.length === 0) return;
      await query(
        `INSERT INTO tape_faults (signature, market_id, slot, why)
         SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[])
         ON CONFLICT (market_id, signature) DO UPDATE SET slot = excluded.slot, why = excluded.why RETURNING slot`,
        [...columns(faults), faults.map(({ slot }) => slot.toString()), faults.map(({ why }) => why)],
      );
    },
    clearFaults: async (faults) => {
      await query(
        `DELETE FROM tape_faults f USING unnest($1::text[], $2::int[]) AS g(signature, market_id)
         WHERE (f.signature, f.market_id) = (g.signature, g.market_id) RETURNING slot`,
        columns(faults),
      );
    },
  };
}

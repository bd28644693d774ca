import { slotOfTrade, type TapeTrade, type VaultBalances } from '@tradepost/tape';
import type { Query } from '../db/connection.ts';
import type { MarketCursor, SealBatch, SealRange, SourceCursor, TapeStore } from '../ports/tape-store.ts';

// SQL: compare-and-set of cursors, and rows that go in as arrays.

// Cursors are in Postgres for every store of trades: they move in the commit that records the writing.

/** A cursor never moves back. */
export async function moveLive(
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

/** A source never moves back. */
export async function moveSource(inside: Query, { name, slot, blockHash }: SourceCursor): Promise<void> {
  await inside(
    `INSERT INTO tape_sources AS known (name, slot, block_hash) VALUES ($1, $2::bigint, $3)
     ON CONFLICT (name) DO UPDATE SET slot = excluded.slot, block_hash = excluded.block_hash WHERE known.slot < excluded.slot
     RETURNING name`,
    [name, slot, blockHash],
  );
}

/** Throws a RangeError for a trade that lies outside of the ranges. */
export function assertWithinRanges({ trades, ranges }: SealBatch): void {
  const byMarket = new Map(ranges.map((range) => [range.marketId, range]));
  for (const { id, marketId } of trades) {
    const range = byMarket.get(marketId);
    const slot = slotOfTrade(id);
    if (range === undefined || slot <= range.after || slot > range.upTo)
      throw new RangeError(`trade ${id} of market ${marketId} lies outside of what is sealed`);
  }
}

/** Those whose cursor is at the beginning of the range. Locked by id, so that two sealers wait for each other in turn. */
export async function lockedRanges(
  query: Query,
  ranges: readonly SealRange[],
): Promise<readonly SealRange[]> {
  const rows = await query<{ readonly market_id: number; readonly sealed_slot: string }>(
    `SELECT market_id, sealed_slot FROM market_cursors WHERE market_id = ANY ($1::int[]) ORDER BY market_id FOR UPDATE`,
    [ranges.map(({ marketId }) => marketId.toString())],
  );
  const sealed = new Map(rows.map((row) => [row.market_id, BigInt(row.sealed_slot)]));
  return ranges.filter(({ marketId, after, upTo }) => sealed.get(marketId) === after && upTo >= after);
}

/**
 * Those trades that lie after the sealed slot. A live read that is slower than the seal brings trades that the seal has judged: one of a
 * fork would stay in the tape for good. Locks the cursors by id, so that no seal passes between this and the write.
 */
export async function beyondSeal(query: Query, trades: readonly TapeTrade[]): Promise<readonly TapeTrade[]> {
  const ids = [...new Set(trades.map(({ marketId }) => marketId))];
  const rows = await query<{ readonly market_id: number; readonly sealed_slot: string }>(
    `SELECT market_id, sealed_slot FROM market_cursors WHERE market_id = ANY ($1::int[]) ORDER BY market_id FOR UPDATE`,
    [ids.map(String)],
  );
  const sealed = new Map(rows.map((row) => [row.market_id, BigInt(row.sealed_slot)]));
  return trades.filter(({ id, marketId }) => slotOfTrade(id) > (sealed.get(marketId) ?? -1n));
}

/** Everything up to the end of these ranges is sealed. */
export async function moveSealed(query: Query, ranges: readonly SealRange[]): Promise<void> {
  if (ranges.length === 0) return;
  await query(
    `UPDATE market_cursors AS c SET sealed_slot = r.up_to, live_slot = greatest(c.live_slot, r.up_to),
       post_base = coalesce(nullif(r.base, '')::numeric, c.post_base),
       post_quote = coalesce(nullif(r.quote, '')::numeric, c.post_quote), updated_at = now()
     FROM unnest($1::int[], $2::bigint[], $3::text[], $4::text[]) AS r(market_id, up_to, base, quote)
     WHERE c.market_id = r.market_id RETURNING c.market_id`,
    [
      ranges.map(({ marketId }) => marketId.toString()),
      ranges.map(({ upTo }) => upTo.toString()),
      ranges.map(({ post }) => post?.base.toString() ?? ''),
      ranges.map(({ post }) => post?.quote.toString() ?? ''),
    ],
  );
}

type CursorRow = {
  readonly market_id: number;
  readonly live_slot: string;
  readonly sealed_slot: string;
  readonly post_base: string | null;
  readonly post_quote: string | null;
};

/** Cursors and gaps of the markets, and cursors of the sources. */
export function cursorsOf(
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

import { fromTimeOrNull, toTime } from '../../../platform/db/codec.ts';
import type { Connection, Query } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import {
  type CataloguedPool,
  type KnownSearch,
  MAX_POOLS_PER_SEARCH,
  type PoolCatalogue,
  type PoolSearchKey,
  type SearchOutcome,
} from './pool-catalogue-port.ts';

// SQL: pools come by the hundred, as arrays; a row is taken over only by a newer slot.

/** A question that is asked all the time is noted this often: a quote should not write. */
const ASKED_EVERY_MS = 60_000;

type PoolRow = {
  readonly id: string;
  readonly venue: string;
  readonly mintA: string;
  readonly mintB: string;
  readonly seenAt: Date | null;
  readonly seenSlot: string | null;
  readonly reserveA: string | null;
  readonly reserveB: string | null;
  readonly emptySince: Date | null;
};

const COLUMNS = `p.id, p.venue, p.mint_a AS "mintA", p.mint_b AS "mintB", p.seen_at AS "seenAt",
  p.seen_slot::text AS "seenSlot", p.reserve_a::text AS "reserveA", p.reserve_b::text AS "reserveB",
  p.empty_since AS "emptySince"`;

/** The questions of one call as a table: `n` counts from 1, `b` is empty for a question about one mint. */
const ASKED = 'unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS k(venue, a, b, n)';
/** Of outcomes; the first two say that nothing was left out that a node has. */
const BEST_FIRST = `ARRAY['whole', 'refused', 'partial', 'failed']`;
const SEARCH_MATCHES = `s.venue = k.venue AND ((s.mint_a = k.a AND s.mint_b = k.b) OR (s.mint_a IN (k.a, k.b) AND s.mint_b = ''))`;
const POOL_MATCHES = `p.venue = k.venue AND ((p.mint_a = k.a AND k.b IN ('', p.mint_b)) OR (p.mint_b = k.a AND k.b IN ('', p.mint_a)))`;

/** The catalogue in Postgres, beside the stores of the money path: nothing here is part of a unit of work. */
export function createPoolCatalogue(connection: Pick<Connection, 'query'>): PoolCatalogue {
  return {
    find: findPools(connection),
    record: recordSearch(connection),
    add: addPools(connection),
    ...refreshRows(connection),
    ...tokenNames(connection),
    ...poolRemoval(connection),
  };
}

/** The known pools of pairs, each with the moment of its search; null for a pair that was never searched. */
function findPools({ query }: Pick<Connection, 'query'>): PoolCatalogue['find'] {
  return async (keys, now) => {
    if (keys.length === 0) return [];
    const columns = columnsOf(keys);
    const searches = await query<{
      readonly n: number;
      readonly searchedAt: Date;
      readonly due: boolean;
      readonly outcome: SearchOutcome;
    }>(
      `SELECT k.n::int AS n, max(s.searched_at) AS "searchedAt", bool_or(s.asked_at < $4::timestamptz) AS due,
         (array_agg(s.outcome ORDER BY array_position(${BEST_FIRST}, s.outcome)))[1] AS outcome
       FROM ${ASKED} JOIN pool_searches s ON ${SEARCH_MATCHES} GROUP BY k.n`,
      [...columns, toTime(now - ASKED_EVERY_MS)],
    );
    if (searches.length === 0) return keys.map(() => null);
    const rows = await query<PoolRow & { readonly n: number }>(
      `SELECT k.n::int AS n, p.* FROM ${ASKED} CROSS JOIN LATERAL (
         SELECT ${COLUMNS} FROM pools p WHERE ${POOL_MATCHES}
         ORDER BY CASE WHEN p.mint_a = k.a THEN p.reserve_a ELSE p.reserve_b END DESC NULLS FIRST, p.id COLLATE "C"
         LIMIT ${MAX_POOLS_PER_SEARCH}) p`,
      columns,
    );
    if (searches.some(({ due }) => due)) await noteAsked(query, columns, now);
    const pools = new Map<number, CataloguedPool[]>();
    for (const row of rows) pools.set(row.n, [...(pools.get(row.n) ?? []), toPool(row)]);
    const answers = new Map<number, KnownSearch>(
      searches.map(({ n, searchedAt, outcome }) => [
        n,
        { searchedAt: searchedAt.getTime(), outcome, pools: pools.get(n) ?? [] },
      ]),
    );
    return keys.map((_, index) => answers.get(index + 1) ?? null);
  };
}

/** Writes down the pools that a search found. */
function recordSearch({ query }: Pick<Connection, 'query'>): PoolCatalogue['record'] {
  return async (key, found, now, outcome) => {
    const [venues, a, b] = columnsOf([key]);
    const kept = found.slice(0, MAX_POOLS_PER_SEARCH);
    const identity = [venues[0] ?? '', a[0] ?? '', b[0] ?? ''];
    await query(
      `WITH search AS (
         INSERT INTO pool_searches (venue, mint_a, mint_b, searched_at, asked_at, outcome)
         VALUES ($1, $2, $3, $4::timestamptz, $4::timestamptz, $8)
         ON CONFLICT (venue, mint_a, mint_b) DO UPDATE SET searched_at = EXCLUDED.searched_at,
           outcome = CASE WHEN array_position(${BEST_FIRST}, EXCLUDED.outcome) > 2
             AND array_position(${BEST_FIRST}, pool_searches.outcome) <= 2 THEN pool_searches.outcome ELSE EXCLUDED.outcome END
       )
       INSERT INTO pools (id, venue, mint_a, mint_b, found_at, asked_at)
       SELECT f.id, $1, f.a, f.b, $4::timestamptz, $4::timestamptz
       FROM unnest($5::text[], $6::text[], $7::text[]) AS f(id, a, b) ORDER BY f.id
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [
        ...identity,
        toTime(now),
        kept.map(({ id }) => id),
        kept.map(({ mints }) => mints[0]),
        kept.map(({ mints }) => mints[1]),
        outcome,
      ],
    );
  };
}

/** Writes down pools that were found without a search. */
function addPools({ query }: Pick<Connection, 'query'>): PoolCatalogue['add'] {
  return async (venue, pools, now, askedAt) => {
    if (pools.length === 0) return;
    await query(
      `INSERT INTO pools (id, venue, mint_a, mint_b, found_at, asked_at)
       SELECT f.id, $1, f.a, f.b, $2::timestamptz, $3::timestamptz
       FROM unnest($4::text[], $5::text[], $6::text[]) AS f(id, a, b) ORDER BY f.id
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [
        venue,
        toTime(now),
        toTime(askedAt),
        pools.map(({ id }) => id),
        pools.map(({ mints }) => mints[0]),
        pools.map(({ mints }) => mints[1]),
      ],
    );
  };
}

/** Pools and searches that are due again. */
function refreshRows({
  query,
}: Pick<Connection, 'query'>): Pick<PoolCatalogue, 'dueSearches' | 'duePools' | 'saveSeen'> {
  return {
    dueSearches: async ({ askedSince, searchedBefore, limit }) =>
      (
        await query<{ readonly venue: string; readonly a: string; readonly b: string }>(
          `SELECT s.venue, s.mint_a AS a, s.mint_b AS b FROM pool_searches s
           WHERE s.asked_at >= $1::timestamptz AND (s.searched_at < $2::timestamptz OR s.outcome = 'partial')
             AND (s.mint_b = '' OR NOT EXISTS (
               SELECT FROM pool_searches w WHERE w.venue = s.venue AND w.mint_b = '' AND w.mint_a IN (s.mint_a, s.mint_b)
                 AND w.outcome = 'whole'))
           ORDER BY s.outcome <> 'partial', s.searched_at, s.venue, s.mint_a, s.mint_b LIMIT $3::int`,
          [toTime(askedSince), toTime(searchedBefore), limit],
        )
      ).map(({ venue, a, b }) => ({
        venue,
        // Written by this store from addresses.
        mintA: storedAddress(a),
        mintB: b === '' ? null : storedAddress(b),
      })),
    duePools: async ({ venue, askedSince, seenBefore, limit }) =>
      (
        await query<PoolRow>(
          `SELECT ${COLUMNS} FROM pools p
           WHERE p.venue = $4 AND p.asked_at >= $1::timestamptz AND (p.seen_at IS NULL OR p.seen_at < $2::timestamptz)
           ORDER BY p.seen_at NULLS FIRST, p.id COLLATE "C" LIMIT $3::int`,
          [toTime(askedSince), toTime(seenBefore), limit, venue],
        )
      ).map(toPool),
    saveSeen: async (pools, now) => {
      if (pools.length === 0) return;
      const sorted = pools.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      await query(
        `WITH seen AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS s(id, slot, a, b))
         UPDATE pools p SET seen_at = $5::timestamptz, seen_slot = seen.slot::bigint,
           reserve_a = seen.a::numeric, reserve_b = seen.b::numeric,
           empty_since = CASE WHEN seen.a::numeric = 0 AND seen.b::numeric = 0
             THEN coalesce(p.empty_since, $5::timestamptz) END
         FROM seen WHERE p.id = seen.id AND (p.seen_slot IS NULL OR p.seen_slot <= seen.slot::bigint) RETURNING p.id`,
        [
          sorted.map(({ id }) => id),
          sorted.map(({ slot }) => slot.toString()),
          sorted.map(({ reserves }) => reserves[0].toString()),
          sorted.map(({ reserves }) => reserves[1].toString()),
          toTime(now),
        ],
      );
    },
  };
}

/** Names of the tokens that the pools trade. */
function tokenNames({
  query,
}: Pick<Connection, 'query'>): Pick<PoolCatalogue, 'dueNames' | 'saveNames' | 'findNames'> {
  return {
    dueNames: async ({ readBefore, limit }) =>
      (
        await query<{ readonly mint: string }>(
          `SELECT m.mint FROM (SELECT mint_a AS mint FROM pools UNION SELECT mint_b FROM pools) m
           LEFT JOIN traded_tokens t ON t.mint = m.mint
           WHERE t.read_at IS NULL OR t.read_at < $1::timestamptz
           ORDER BY t.read_at NULLS FIRST, m.mint COLLATE "C" LIMIT $2::int`,
          [toTime(readBefore), limit],
        )
      ).map(({ mint }) => storedAddress(mint)),
    saveNames: async (names, now) => {
      if (names.length === 0) return;
      const sorted = names.toSorted((one, other) => (one.mint < other.mint ? -1 : 1));
      await query(
        `INSERT INTO traded_tokens (mint, symbol, name, read_at)
         SELECT n.mint, n.symbol, n.name, $4::timestamptz FROM unnest($1::text[], $2::text[], $3::text[]) AS n(mint, symbol, name)
         ON CONFLICT (mint) DO UPDATE SET symbol = EXCLUDED.symbol, name = EXCLUDED.name, read_at = EXCLUDED.read_at
         RETURNING mint`,
        [
          sorted.map(({ mint }) => mint),
          sorted.map(({ symbol }) => symbol),
          sorted.map(({ name }) => name),
          toTime(now),
        ],
      );
    },
    findNames: async (text, limit) =>
      (
        await query<{ readonly mint: string }>(
          `SELECT mint FROM traded_tokens t
           WHERE (strpos(symbol, $1) > 0 OR strpos(name, $1) > 0)
             AND EXISTS (SELECT FROM pools p WHERE p.mint_a = t.mint OR p.mint_b = t.mint)
           ORDER BY symbol = $1 DESC, starts_with(symbol, $1) DESC, mint COLLATE "C" LIMIT $2::int`,
          [text, limit],
        )
      ).map(({ mint }) => storedAddress(mint)),
  };
}

/** Pools that are gone, and those for which there is no room. */
function poolRemoval({ query }: Pick<Connection, 'query'>): Pick<PoolCatalogue, 'remove' | 'trim'> {
  return {
    remove: async (ids) => {
      if (ids.length === 0) return;
      await query('DELETE FROM pools WHERE id = ANY($1::text[]) RETURNING id', [ids]);
    },
    trim: async ({ emptyBefore, askedBefore, maxPools, maxSearches }) => {
      const [overflow] = await query<{ readonly askedAt: Date }>(
        'SELECT asked_at AS "askedAt" FROM pools ORDER BY asked_at DESC, id OFFSET $1::int LIMIT 1',
        [maxPools],
      );
      const pools = await query(
        `DELETE FROM pools WHERE empty_since < $1::timestamptz OR asked_at < $2::timestamptz
           OR id IN (SELECT id FROM pools ORDER BY asked_at DESC, id OFFSET $3::int) RETURNING id`,
        [toTime(emptyBefore), toTime(askedBefore), maxPools],
      );
      // Pools are noted as asked for together with their questions. A question whose pools were removed for want of room goes too, and is
      // asked anew. Otherwise the remaining pools would be believed to be all.
      const searches = await query(
        `DELETE FROM pool_searches s WHERE s.asked_at < $1::timestamptz OR s.asked_at <= $2::timestamptz
           OR (s.venue, s.mint_a, s.mint_b) IN (
             SELECT venue, mint_a, mint_b FROM pool_searches
             ORDER BY asked_at DESC, venue, mint_a, mint_b OFFSET $3::int) RETURNING s.venue`,
        [
          toTime(askedBefore),
          overflow === undefined ? null : toTime(overflow.askedAt.getTime()),
          maxSearches,
        ],
      );
      await query(
        `DELETE FROM traded_tokens t WHERE NOT EXISTS (
           SELECT FROM pools p WHERE p.mint_a = t.mint OR p.mint_b = t.mint) RETURNING mint`,
        [],
      );
      return pools.length + searches.length;
    },
  };
}

async function noteAsked(query: Query, keys: ReturnType<typeof columnsOf>, now: number): Promise<void> {
  // Rows that another process is noting too are passed over: waiting for them would be for nothing.
  await query(
    `WITH due AS (
       SELECT s.venue, s.mint_a, s.mint_b FROM ${ASKED} JOIN pool_searches s ON ${SEARCH_MATCHES}
       WHERE s.asked_at < $4::timestamptz FOR UPDATE OF s SKIP LOCKED
     ), due_pools AS (
       SELECT p.id FROM ${ASKED} JOIN pools p ON ${POOL_MATCHES}
       WHERE p.asked_at < $4::timestamptz FOR UPDATE OF p SKIP LOCKED
     ), searches AS (
       UPDATE pool_searches s SET asked_at = $5::timestamptz FROM due
       WHERE (s.venue, s.mint_a, s.mint_b) = (due.venue, due.mint_a, due.mint_b)
     )
     UPDATE pools p SET asked_at = $5::timestamptz FROM due_pools WHERE p.id = due_pools.id RETURNING p.id`,
    [...keys, toTime(now - ASKED_EVERY_MS), toTime(now)],
  );
}

/** Venues, first mints, second mints: a pair in the order of its addresses, however it was asked. */
function columnsOf(
  keys: readonly PoolSearchKey[],
): readonly [readonly string[], readonly string[], readonly string[]] {
  const pairs = keys.map(({ mintA, mintB }) => (mintB === null ? [mintA, ''] : [mintA, mintB].toSorted()));
  return [keys.map(({ venue }) => venue), pairs.map(([a = '']) => a), pairs.map(([, b = '']) => b)];
}

function toPool(row: PoolRow): CataloguedPool {
  const { seenAt, seenSlot, reserveA, reserveB } = row;
  return {
    id: storedAddress(row.id),
    venue: row.venue,
    mints: [storedAddress(row.mintA), storedAddress(row.mintB)],
    seen:
      seenAt === null || seenSlot === null || reserveA === null || reserveB === null
        ? null
        : { at: seenAt.getTime(), slot: BigInt(seenSlot), reserves: [BigInt(reserveA), BigInt(reserveB)] },
    emptySince: fromTimeOrNull(row.emptySince),
  };
}

import type { Address } from '@tradepost/solana';
import {
  type CataloguedPool,
  MAX_POOLS_PER_SEARCH,
  type PoolCatalogue,
  type PoolSearchKey,
  type SearchOutcome,
  type TokenName,
} from '../../../src/modules/market/store/pool-catalogue-port.ts';

type Search = { key: PoolSearchKey; searchedAt: number; askedAt: number; outcome: SearchOutcome };
const BEST_FIRST: readonly SearchOutcome[] = ['whole', 'refused', 'partial', 'failed'];
const rank = (outcome: SearchOutcome): number => BEST_FIRST.indexOf(outcome);
type Row = { pool: CataloguedPool; askedAt: number };

const ASKED_EVERY_MS = 60_000;

/** The catalogue in memory. */
export function fakePoolCatalogue(): PoolCatalogue {
  const searches = new Map<string, Search>();
  const pools = new Map<string, Row>();
  const names = new Map<Address, TokenName & { readonly readAt: number }>();
  const traded = (): Address[] => [...new Set([...pools.values()].flatMap(({ pool }) => pool.mints))];
  const sorted = ({ venue, mintA, mintB }: PoolSearchKey): PoolSearchKey =>
    mintB !== null && mintB < mintA ? { venue, mintA: mintB, mintB: mintA } : { venue, mintA, mintB };
  const idOf = ({ venue, mintA, mintB }: PoolSearchKey) => [venue, mintA, mintB ?? ''].join(' ');
  const covers = (wide: PoolSearchKey, key: PoolSearchKey): boolean =>
    wide.venue === key.venue &&
    (idOf(wide) === idOf(key) ||
      (wide.mintB === null && (wide.mintA === key.mintA || wide.mintA === key.mintB)));
  const matches = ({ pool }: Row, { venue, mintA, mintB }: PoolSearchKey): boolean =>
    pool.venue === venue && pool.mints.includes(mintA) && (mintB === null || pool.mints.includes(mintB));
  const depth = ({ seen, mints }: CataloguedPool, { mintA }: PoolSearchKey): bigint =>
    seen === null ? 1n << 80n : seen.reserves[mints[0] === mintA ? 0 : 1];
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  const byAge = <T extends { askedAt: number }>(rows: Iterable<readonly [string, T]>) =>
    [...rows].toSorted(([a, one], [b, other]) => other.askedAt - one.askedAt || (a < b ? -1 : 1));

  return {
    find: async (keys, now) =>
      keys.map(sorted).map((key) => {
        const known = [...searches.values()].filter((search) => covers(search.key, key));
        if (known.length === 0) return null;
        const rows = [...pools.values()].filter((row) => matches(row, key));
        for (const row of [...known, ...rows]) {
          if (row.askedAt < now - ASKED_EVERY_MS) row.askedAt = now;
        }
        return {
          searchedAt: Math.max(...known.map(({ searchedAt }) => searchedAt)),
          outcome: known.map((one) => one.outcome).toSorted((a, b) => rank(a) - rank(b))[0] ?? 'failed',
          pools: rows
            .map(({ pool }) => pool)
            .toSorted((a, b) => Number(depth(b, key) - depth(a, key)) || byId(a, b))
            .slice(0, MAX_POOLS_PER_SEARCH),
        };
      }),
    record: async (given, found, now, outcome) => {
      const key = sorted(given);
      const known = searches.get(idOf(key));
      if (known === undefined) searches.set(idOf(key), { key, searchedAt: now, askedAt: now, outcome });
      else {
        known.searchedAt = now;
        if (rank(outcome) <= 1 || rank(known.outcome) > 1) known.outcome = outcome;
      }
      for (const { id, mints } of found.slice(0, MAX_POOLS_PER_SEARCH)) {
        if (pools.has(id)) continue;
        const pool = { id, mints, venue: key.venue, seen: null, emptySince: null };
        pools.set(id, { pool, askedAt: now });
      }
    },
    add: async (venue, found, _now, askedAt) => {
      for (const { id, mints } of found) {
        if (pools.has(id)) continue;
        pools.set(id, { pool: { id, mints, venue, seen: null, emptySince: null }, askedAt });
      }
    },
    dueSearches: async ({ askedSince, searchedBefore, limit }) =>
      [...searches.values()]
        .filter(({ askedAt }) => askedAt >= askedSince)
        .filter(({ searchedAt, outcome }) => searchedAt < searchedBefore || outcome === 'partial')
        .filter(
          ({ key }) =>
            key.mintB === null ||
            ![...searches.values()].some(
              (wide) => wide.key !== key && wide.outcome === 'whole' && covers(wide.key, key),
            ),
        )
        .toSorted(
          (a, b) =>
            Number(a.outcome !== 'partial') - Number(b.outcome !== 'partial') ||
            a.searchedAt - b.searchedAt ||
            (idOf(a.key) < idOf(b.key) ? -1 : 1),
        )
        .slice(0, limit)
        .map(({ key }) => key),
    duePools: async ({ venue, askedSince, seenBefore, limit }) =>
      [...pools.values()]
        .filter(({ pool, askedAt }) => pool.venue === venue && askedAt >= askedSince)
        .map(({ pool }) => pool)
        .filter(({ seen }) => seen === null || seen.at < seenBefore)
        .toSorted((a, b) => (a.seen?.at ?? 0) - (b.seen?.at ?? 0) || byId(a, b))
        .slice(0, limit),
    saveSeen: async (given, now) => {
      for (const { id, slot, reserves } of given) {
        const row = pools.get(id);
        if (row === undefined || (row.pool.seen?.slot ?? 0n) > slot) continue;
        const isEmpty = reserves[0] === 0n && reserves[1] === 0n;
        const emptySince = isEmpty ? (row.pool.emptySince ?? now) : null;
        row.pool = { ...row.pool, seen: { at: now, slot, reserves }, emptySince };
      }
    },
    dueNames: async ({ readBefore, limit }) =>
      traded()
        .filter((mint) => (names.get(mint)?.readAt ?? Number.NEGATIVE_INFINITY) < readBefore)
        .toSorted((a, b) => (names.get(a)?.readAt ?? 0) - (names.get(b)?.readAt ?? 0) || (a < b ? -1 : 1))
        .slice(0, limit),
    saveNames: async (given, now) => {
      for (const name of given) names.set(name.mint, { ...name, readAt: now });
    },
    findNames: async (text, limit) =>
      traded()
        .flatMap((mint) => names.get(mint) ?? [])
        .filter(({ symbol, name }) => symbol.includes(text) || name.includes(text))
        .map(({ mint, symbol }) => ({ mint, rank: symbol === text ? 0 : symbol.startsWith(text) ? 1 : 2 }))
        .toSorted((a, b) => a.rank - b.rank || (a.mint < b.mint ? -1 : 1))
        .slice(0, limit)
        .map(({ mint }) => mint),
    remove: async (ids) => {
      for (const id of ids) pools.delete(id);
    },
    trim: async ({ emptyBefore, askedBefore, maxPools, maxSearches }) => {
      const overflow = byAge(pools).slice(maxPools);
      const oldPools = [...pools].filter(
        ([, { pool, askedAt }]) =>
          askedAt < askedBefore || (pool.emptySince !== null && pool.emptySince < emptyBefore),
      );
      const goneBefore = overflow[0]?.[1].askedAt ?? Number.NEGATIVE_INFINITY;
      const oldSearches = [...searches].filter(
        ([, { askedAt }]) => askedAt < askedBefore || askedAt <= goneBefore,
      );
      const poolIds = new Set([...overflow, ...oldPools].map(([id]) => id));
      const searchIds = new Set([...byAge(searches).slice(maxSearches), ...oldSearches].map(([id]) => id));
      for (const id of poolIds) pools.delete(id);
      for (const id of searchIds) searches.delete(id);
      for (const mint of names.keys()) if (!traded().includes(mint)) names.delete(mint);
      return poolIds.size + searchIds.size;
    },
  };
}

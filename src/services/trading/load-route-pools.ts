import type { Address } from '../../core/address/address.ts';
import type { Pool, Venue } from '../../core/ports/venue.ts';
import { loadPools } from './load-pools.ts';

/** Tokens tried as the only one in the middle, and pairs of tokens tried as two in a row. */
const MAX_MIDDLES = 4;
const MAX_MIDDLE_PAIRS = 3;

export type RoutePoolsDeps = {
  readonly venues: readonly Venue[];
  /** Tokens that most pools are against, SOL first: nobody is asked what trades against them. */
  readonly hubs: readonly Address[];
};

/**
 * Pools of all venues on the ways from one mint to the other: those of the pair, and those over one or two tokens in the
 * middle. Which tokens those may be the venues tell (`counterparts`, never asked for a hub, whose list is endless); at most
 * four and three pairs are tried, hubs first, so the reads are bounded whatever the market looks like. With `middles`, only
 * these tokens may stand in the middle and nobody is asked. As `loadPools`, it throws only when no venue can tell about the
 * pair itself; what cannot be read on the way is left out.
 */
export async function loadRoutePools(
  deps: RoutePoolsDeps,
  mintA: Address,
  mintB: Address,
  middles: readonly Address[] | null = null,
): Promise<readonly Pool[]> {
  if (mintA === mintB) return [];
  const [direct, through] = await Promise.all([
    loadPools(deps.venues, mintA, mintB),
    loadThrough(deps, mintA, mintB, middles),
  ]);
  return [...new Map([...direct, ...through].map((pool) => [pool.id, pool])).values()];
}

async function loadThrough(
  deps: RoutePoolsDeps,
  mintA: Address,
  mintB: Address,
  middles: readonly Address[] | null,
): Promise<readonly Pool[]> {
  const paths = middles === null ? await findPaths(deps, mintA, mintB) : pathsOver(mintA, mintB, middles);
  const pairs = new Map<string, readonly [Address, Address]>();
  for (const path of paths) {
    for (const [index, from] of path.slice(0, -1).entries()) {
      const to = path[index + 1];
      if (to !== undefined) pairs.set([from, to].toSorted().join(' '), [from, to]);
    }
  }
  const answers = await Promise.allSettled([...pairs.values()].map(([a, b]) => loadPools(deps.venues, a, b)));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** All orders of the tokens that are allowed: a confirmed route has at most two in a row. */
function pathsOver(
  mintA: Address,
  mintB: Address,
  middles: readonly Address[],
): readonly (readonly Address[])[] {
  return [
    ...middles.map((middle) => [mintA, middle, mintB]),
    ...middles.flatMap((a) => middles.filter((b) => b !== a).map((b) => [mintA, a, b, mintB])),
  ];
}

async function findPaths(
  { venues, hubs }: RoutePoolsDeps,
  mintA: Address,
  mintB: Address,
): Promise<readonly (readonly Address[])[]> {
  const near = async (mint: Address): Promise<ReadonlyMap<Address, number> | null> =>
    hubs.includes(mint) ? null : counterparts(venues, mint);
  const [nearA, nearB] = await Promise.all([near(mintA), near(mintB)]);
  const others = hubs.filter((hub) => hub !== mintA && hub !== mintB);
  const usable = (found: ReadonlyMap<Address, number> | null): readonly Address[] =>
    found === null ? others : ranked(found, hubs).filter((mint) => mint !== mintA && mint !== mintB);
  const trades = (found: ReadonlyMap<Address, number> | null, mint: Address): boolean =>
    found === null || found.has(mint);
  const [fromA, intoB] = [usable(nearA), usable(nearB)];
  const single = [...new Set([...fromA, ...intoB])].filter(
    (mint) => trades(nearA, mint) && trades(nearB, mint),
  );
  // One of two in a row is a hub: two tokens that nobody else trades against seldom share a pool.
  const pairs = fromA.flatMap((a) =>
    intoB.filter((b) => b !== a && (hubs.includes(a) || hubs.includes(b))).map((b) => [a, b] as const),
  );
  return [
    ...single.slice(0, MAX_MIDDLES).map((middle) => [mintA, middle, mintB]),
    ...pairs.slice(0, MAX_MIDDLE_PAIRS).map(([a, b]) => [mintA, a, b, mintB]),
  ];
}

/** What the venues trade against `mint`, with the number of venues that do. One that cannot answer is passed over. */
async function counterparts(venues: readonly Venue[], mint: Address): Promise<ReadonlyMap<Address, number>> {
  const answers = await Promise.allSettled(venues.map((venue) => venue.counterparts(mint)));
  const found = new Map<Address, number>();
  for (const answer of answers) {
    if (answer.status === 'rejected') continue;
    for (const other of answer.value) found.set(other, (found.get(other) ?? 0) + 1);
  }
  return found;
}

/** Hubs first, then what most venues trade, then by address: the same answers give the same order. */
function ranked(near: ReadonlyMap<Address, number>, hubs: readonly Address[]): readonly Address[] {
  const rank = (mint: Address): number => (hubs.includes(mint) ? hubs.indexOf(mint) : hubs.length);
  return [...near.keys()].toSorted(
    (a, b) => rank(a) - rank(b) || (near.get(b) ?? 0) - (near.get(a) ?? 0) || (a < b ? -1 : 1),
  );
}

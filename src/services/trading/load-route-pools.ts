import type { Address } from '../../core/address/address.ts';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { Venue } from '../../core/ports/venue.ts';
import { type FoundPools, findPools, unaskedOf } from '../market/load-pools.ts';

/** Tokens tried as the only one in the middle, and pairs of tokens tried as two in a row. */
const MAX_MIDDLES = 4;
const MAX_MIDDLE_PAIRS = 3;

export type RoutePoolsDeps = {
  readonly venues: readonly Venue[];
  /** Tokens that most pools are against, SOL first: nobody is asked what trades against them. */
  readonly hubs: readonly Address[];
};

export type RouteWay = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  /** Only these may be in the middle; null = any. */
  readonly intermediates?: readonly Address[] | null;
  /** True where no pool may be taken as it is followed: each is read now. */
  readonly reread?: boolean;
};

/**
 * Pools of all venues on the ways from one mint to the other: those of the pair, and those over one or two tokens in the
 * intermediate. Which tokens those may be the venues tell (`counterparts`, never asked for a hub, whose list is endless); at most
 * four and three pairs are tried, hubs first, so the reads are bounded whatever the market looks like. With `intermediates`, only
 * these tokens may stand in the middle and nobody is asked. As `findPools`, it throws only when no venue can tell about the
 * pair itself; a venue that could not be asked about any part of the way is named.
 */
export async function loadRoutePools(deps: RoutePoolsDeps, way: RouteWay): Promise<FoundPools> {
  const { mintIn, mintOut, reread = false } = way;
  if (mintIn === mintOut) return { pools: [], unasked: [] };
  const [direct, through] = await Promise.all([
    findPools(deps.venues, mintIn, mintOut, { reread }),
    loadThrough(deps, way),
  ]);
  return merged([direct, through]);
}

/** "There is none" is said only where everybody could be asked: VENUES_UNREACHABLE with the names of those who could not. */
export function assertAllAsked(unasked: readonly string[]): void {
  if (unasked.length > 0) throw new AppError('VENUES_UNREACHABLE', { venues: unasked });
}

async function loadThrough(deps: RoutePoolsDeps, way: RouteWay): Promise<FoundPools> {
  const { mintIn, mintOut, intermediates = null, reread = false } = way;
  const { paths, unasked } =
    intermediates === null
      ? await findPaths(deps, mintIn, mintOut)
      : { paths: pathsOver(mintIn, mintOut, intermediates), unasked: [] };
  const pairs = new Map<string, readonly [Address, Address]>();
  for (const path of paths) {
    for (const [index, from] of path.slice(0, -1).entries()) {
      const to = path[index + 1];
      if (to !== undefined) pairs.set([from, to].toSorted().join(' '), [from, to]);
    }
  }
  const none = { pools: [], unasked: deps.venues.map(({ name }) => name) };
  const found = await Promise.all(
    [...pairs.values()].map(([a, b]) => findPools(deps.venues, a, b, { reread }).catch(foreseenAs(none))),
  );
  return merged([...found, { pools: [], unasked }]);
}

/** `findPools` throws when no venue answers. Beside the pair itself that is one more thing that could not be asked. */
function foreseenAs(found: FoundPools): (error: unknown) => FoundPools {
  return (error) => {
    if (isAppError(error)) return found;
    throw error;
  };
}

function merged(all: readonly FoundPools[]): FoundPools {
  return {
    pools: [...new Map(all.flatMap(({ pools }) => pools).map((pool) => [pool.id, pool])).values()],
    unasked: [...new Set(all.flatMap(({ unasked }) => unasked))],
  };
}

/** All orders of the tokens that are allowed: a confirmed route has at most two in a row. */
function pathsOver(
  mintA: Address,
  mintB: Address,
  intermediates: readonly Address[],
): readonly (readonly Address[])[] {
  return [
    ...intermediates.map((intermediate) => [mintA, intermediate, mintB]),
    ...intermediates.flatMap((a) => intermediates.filter((b) => b !== a).map((b) => [mintA, a, b, mintB])),
  ];
}

type Near = { readonly found: ReadonlyMap<Address, number>; readonly unasked: readonly string[] };

async function findPaths(
  { venues, hubs }: RoutePoolsDeps,
  mintA: Address,
  mintB: Address,
): Promise<{ readonly paths: readonly (readonly Address[])[]; readonly unasked: readonly string[] }> {
  const near = async (mint: Address): Promise<Near | null> =>
    hubs.includes(mint) ? null : counterparts(venues, mint);
  const [nearA, nearB] = await Promise.all([near(mintA), near(mintB)]);
  const others = hubs.filter((hub) => hub !== mintA && hub !== mintB);
  const usable = (one: Near | null): readonly Address[] =>
    one === null ? others : ranked(one.found, hubs).filter((mint) => mint !== mintA && mint !== mintB);
  const trades = (one: Near | null, mint: Address): boolean => one === null || one.found.has(mint);
  const [fromA, intoB] = [usable(nearA), usable(nearB)];
  const single = [...new Set([...fromA, ...intoB])].filter(
    (mint) => trades(nearA, mint) && trades(nearB, mint),
  );
  // One of two in a row is a hub: two tokens that nobody else trades against seldom share a pool.
  const pairs = fromA.flatMap((a) =>
    intoB.filter((b) => b !== a && (hubs.includes(a) || hubs.includes(b))).map((b) => [a, b] as const),
  );
  return {
    paths: [
      ...single.slice(0, MAX_MIDDLES).map((intermediate) => [mintA, intermediate, mintB]),
      ...pairs.slice(0, MAX_MIDDLE_PAIRS).map(([a, b]) => [mintA, a, b, mintB]),
    ],
    unasked: [...(nearA?.unasked ?? []), ...(nearB?.unasked ?? [])],
  };
}

/** What the venues trade against `mint`, with the number of venues that do. One that cannot answer is named. */
async function counterparts(venues: readonly Venue[], mint: Address): Promise<Near> {
  const answers = await Promise.allSettled(venues.map((venue) => venue.counterparts(mint)));
  const found = new Map<Address, number>();
  for (const answer of answers) {
    if (answer.status === 'rejected') continue;
    for (const other of answer.value) found.set(other, (found.get(other) ?? 0) + 1);
  }
  return { found, unasked: unaskedOf(venues, answers) };
}

/** Hubs first, then what most venues trade, then by address: the same answers give the same order. */
function ranked(near: ReadonlyMap<Address, number>, hubs: readonly Address[]): readonly Address[] {
  const rank = (mint: Address): number => (hubs.includes(mint) ? hubs.indexOf(mint) : hubs.length);
  return [...near.keys()].toSorted(
    (a, b) => rank(a) - rank(b) || (near.get(b) ?? 0) - (near.get(a) ?? 0) || (a < b ? -1 : 1),
  );
}

import type { Address } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { AppError, hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import { type FoundPools, findPools, unaskedOf } from '../../market/use/load-pools.ts';

/** Tokens tried as the only one in the middle, and pairs of tokens tried as two in a row. */
const MAX_MIDDLES = 4;
const MAX_MIDDLE_PAIRS = 3;
/** Where no such way leads there: tokens that are asked for theirs, and pairs of two that share a pool. */
const MAX_FAR_ASKED = 3;
const MAX_FAR_PAIRS = 6;

export type RoutePoolsDeps = {
  readonly venues: readonly Venue[];
  /** Tokens that most pools are against, SOL first: the pools against them are not searched. */
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
 * Pools of all venues on the ways from one mint to the other: those of the pair, and those over one or two tokens in the intermediate. The
 * venues give those tokens (`counterparts`, never asked for a hub, whose list is endless). At most four and three pairs are tried, hubs
 * first. Where their pools do not lead there, six pairs of tokens that are no hubs and share a pool are tried too. So the reads are bounded
 * in any market. With `intermediates`, only these tokens may be in the middle, and no venue is asked for others. As `findPools`, it throws
 * only when no venue can answer for the pair itself; a venue that could not be asked about any part of the way is named.
 */
export async function loadRoutePools(deps: RoutePoolsDeps, way: RouteWay): Promise<FoundPools> {
  const { mintIn, mintOut, intermediates = null, reread = false } = way;
  if (mintIn === mintOut) return { pools: [], unasked: [], searching: [] };
  const direct = findPools(deps.venues, mintIn, mintOut, { reread });
  if (intermediates !== null) {
    const paths = pathsOver(mintIn, mintOut, intermediates);
    return merged(await Promise.all([direct, poolsOf(deps, paths, reread)]));
  }
  const [between, { paths, ends }] = await Promise.all([direct, findPaths(deps, mintIn, mintOut)]);
  const near = merged([between, await poolsOf(deps, paths, reread), { pools: [], ...ends }]);
  if (leads(near.pools, mintIn, mintOut)) return near;
  const far = await pairsThatMeet(deps, ends.fromIn, ends.intoOut);
  const farPaths = far.map(([a, b]) => [mintIn, a, b, mintOut]);
  return merged([near, await poolsOf(deps, farPaths, reread)]);
}

/** By then the worker has searched a pair without an earlier question. */
const SEARCHED_WITHIN_MS = 5_000;

/**
 * "There is none" is said only where every venue could be asked. Throws SEARCHING where the worker is about to know, and
 * VENUES_UNREACHABLE with the names of those that could not be asked.
 */
export function assertAllAsked({ unasked, searching }: Pick<FoundPools, 'unasked' | 'searching'>): void {
  if (unasked.length === 0) return;
  if (unasked.every((name) => searching.includes(name)))
    throw new AppError('SEARCHING', { retryAfterMs: SEARCHED_WITHIN_MS });
  throw new AppError('VENUES_UNREACHABLE', { venues: unasked });
}

/** Pools of every step of the paths, each step read once. */
async function poolsOf(
  deps: RoutePoolsDeps,
  paths: readonly (readonly Address[])[],
  reread: boolean,
): Promise<FoundPools> {
  const pairs = new Map<string, readonly [Address, Address]>();
  for (const path of paths) {
    for (const [index, from] of path.slice(0, -1).entries()) {
      const to = path[index + 1];
      if (to !== undefined) pairs.set([from, to].toSorted().join(' '), [from, to]);
    }
  }
  const names = deps.venues.map(({ name }) => name);
  const none = (error: AppError): FoundPools => ({
    pools: [],
    unasked: names,
    searching: hasCode(error, 'SEARCHING') ? names : [],
  });
  const found = await Promise.all(
    [...pairs.values()].map(([a, b]) => findPools(deps.venues, a, b, { reread }).catch(foreseenAs(none))),
  );
  return merged(found);
}

/** `findPools` throws when no venue answers. Beside the pair itself that is one more thing that could not be asked. */
function foreseenAs(found: (error: AppError) => FoundPools): (error: unknown) => FoundPools {
  return (error) => {
    if (isAppError(error)) return found(error);
    throw error;
  };
}

function merged(all: readonly FoundPools[]): FoundPools {
  return {
    pools: [...new Map(all.flatMap(({ pools }) => pools).map((pool) => [pool.id, pool])).values()],
    unasked: [...new Set(all.flatMap(({ unasked }) => unasked))],
    searching: [...new Set(all.flatMap(({ searching }) => searching))],
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

/** Whether pools lead from one token to the other, over however many between. */
function leads(pools: readonly Pool[], mintIn: Address, mintOut: Address): boolean {
  const reached = new Set([mintIn]);
  for (const mint of reached) {
    for (const { mints } of pools) if (mints.includes(mint)) for (const other of mints) reached.add(other);
  }
  return reached.has(mintOut);
}

type Near = Pick<FoundPools, 'unasked' | 'searching'> & { readonly found: ReadonlyMap<Address, number> };
type Ends = Pick<FoundPools, 'unasked' | 'searching'> & {
  /** Tokens that trade against either end, the likelier first. */
  readonly fromIn: readonly Address[];
  readonly intoOut: readonly Address[];
};

async function findPaths(
  { venues, hubs }: RoutePoolsDeps,
  mintA: Address,
  mintB: Address,
): Promise<{ readonly paths: readonly (readonly Address[])[]; readonly ends: Ends }> {
  const near = async (mint: Address): Promise<Near | null> =>
    hubs.includes(mint) ? null : counterparts(venues, mint);
  const [nearA, nearB] = await Promise.all([near(mintA), near(mintB)]);
  const others = hubs.filter((hub) => hub !== mintA && hub !== mintB);
  const usable = (one: Near | null): readonly Address[] =>
    one === null ? others : ranked(one.found, hubs).filter((mint) => mint !== mintA && mint !== mintB);
  const trades = (one: Near | null, mint: Address): boolean => one === null || one.found.has(mint);
  const [fromIn, intoOut] = [usable(nearA), usable(nearB)];
  const single = [...new Set([...fromIn, ...intoOut])].filter(
    (mint) => trades(nearA, mint) && trades(nearB, mint),
  );
  // One of two in a row is a hub: two tokens that no others trade against seldom share a pool.
  const pairs = fromIn.flatMap((a) =>
    intoOut.filter((b) => b !== a && (hubs.includes(a) || hubs.includes(b))).map((b) => [a, b] as const),
  );
  return {
    paths: [
      ...single.slice(0, MAX_MIDDLES).map((intermediate) => [mintA, intermediate, mintB]),
      ...pairs.slice(0, MAX_MIDDLE_PAIRS).map(([a, b]) => [mintA, a, b, mintB]),
    ],
    ends: {
      fromIn,
      intoOut,
      unasked: [...(nearA?.unasked ?? []), ...(nearB?.unasked ?? [])],
      searching: [...(nearA?.searching ?? []), ...(nearB?.searching ?? [])],
    },
  };
}

/** Pairs of a token beside one end and a token beside the other that share a pool, none of them a hub; few tokens are asked. */
async function pairsThatMeet(
  { venues, hubs }: RoutePoolsDeps,
  fromIn: readonly Address[],
  intoOut: readonly Address[],
): Promise<readonly (readonly [Address, Address])[]> {
  const asked = fromIn.filter((mint) => !hubs.includes(mint)).slice(0, MAX_FAR_ASKED);
  const near = await Promise.all(asked.map((mint) => counterparts(venues, mint)));
  const meet = asked.flatMap((a, index) =>
    intoOut.filter((b) => b !== a && near[index]?.found.has(b) === true).map((b) => [a, b] as const),
  );
  return meet.slice(0, MAX_FAR_PAIRS);
}

/** The mints that the venues trade against `mint`, with the number of venues that do. A venue that cannot answer is named. */
async function counterparts(venues: readonly Venue[], mint: Address): Promise<Near> {
  const answers = await Promise.allSettled(venues.map((venue) => venue.counterparts(mint)));
  const found = new Map<Address, number>();
  for (const answer of answers) {
    if (answer.status === 'rejected') continue;
    for (const other of answer.value) found.set(other, (found.get(other) ?? 0) + 1);
  }
  return { found, ...unaskedOf(venues, answers) };
}

/** Hubs first, then the mints that most venues trade, then by address: the same answers give the same order. */
function ranked(near: ReadonlyMap<Address, number>, hubs: readonly Address[]): readonly Address[] {
  const rank = (mint: Address): number => (hubs.includes(mint) ? hubs.indexOf(mint) : hubs.length);
  return [...near.keys()].toSorted(
    (a, b) => rank(a) - rank(b) || (near.get(b) ?? 0) - (near.get(a) ?? 0) || (a < b ? -1 : 1),
  );
}

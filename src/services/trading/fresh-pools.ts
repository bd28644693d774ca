import type { Address } from '../../core/address/address.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Pool } from '../../core/ports/venue.ts';
import { loadRoutePools, type RoutePoolsDeps } from './load-route-pools.ts';

export type FreshPoolsDeps = RoutePoolsDeps & {
  readonly clock: Clock;
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
};

type Way = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  /** Only these may stand in the middle; null = any. */
  readonly middles?: readonly Address[] | null;
};

/** The pools on the ways between two mints as they were read at most `maxStateAgeMs` ago: ask right before using them. */
export type FreshPools = () => Promise<readonly Pool[]>;

type Read = { readonly pools: readonly Pool[]; readonly at: number };

/** Nothing is read before the first call; callers at the same time share a read. Each call throws as `loadRoutePools`. */
export function freshPools(deps: FreshPoolsDeps, { mintIn, mintOut, middles = null }: Way): FreshPools {
  let last: Promise<Read> | null = null;
  const read = () => {
    const reading = loadRoutePools(deps, mintIn, mintOut, middles).then((pools) => ({
      pools,
      // A pool that is followed was not read now.
      at: pools.reduce((oldest, { asOf = oldest }) => Math.min(oldest, asOf), deps.clock.now()),
    }));
    reading.catch(() => {
      if (last === reading) last = null;
    });
    return reading;
  };
  return async () => {
    last ??= read();
    const had = last;
    const { pools, at } = await had;
    if (deps.clock.now() - at <= deps.maxStateAgeMs) return pools;
    // Whoever finds them old first reads for all.
    if (last === had) last = read();
    return (await last).pools;
  };
}

/**
 * Fresh pools beside what else a swap waits for. The slowest of that is somebody else's router, which may take its whole
 * time box. Throws as `loadRoutePools` and as `others` rejects.
 */
export async function loadFreshPools<T>(
  deps: FreshPoolsDeps,
  mints: Way,
  others: Promise<T>,
): Promise<{ readonly pools: readonly Pool[]; readonly others: T }> {
  const fresh = freshPools(deps, mints);
  const [answers] = await Promise.all([others, fresh()]);
  return { pools: await fresh(), others: answers };
}

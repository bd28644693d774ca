import { apart } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { FoundPools } from '../../market/use/load-pools.ts';
import { loadRoutePools, type RoutePoolsDeps, type RouteWay } from './load-route-pools.ts';

export type FreshPoolsDeps = RoutePoolsDeps & {
  readonly clock: Clock;
  /** A route is never chosen over pools that were read longer ago. */
  readonly maxStateAgeMs: number;
};

/**
 * The pools on the ways between two mints as they were read at most `maxStateAgeMs` ago: ask right before using them. With `again` they are
 * read now, even if fresh ones are known.
 */
export type FreshPools = (how?: { readonly again: boolean }) => Promise<FoundPools>;

type Read = { readonly found: FoundPools; readonly at: number };

/** Nothing is read before the first call; callers at the same time share a read. Each call throws as `loadRoutePools`. */
export function freshPools(deps: FreshPoolsDeps, way: RouteWay): FreshPools {
  let last: Promise<Read> | null = null;
  const read = (reread = way.reread ?? false) => {
    const reading = loadRoutePools(deps, { ...way, reread }).then((found) => ({
      found,
      // A pool that is followed was not read now.
      at: found.pools.reduce((oldest, { asOf = oldest }) => Math.min(oldest, asOf), deps.clock.now()),
    }));
    reading.catch(() => {
      if (last === reading) last = null;
    });
    return reading;
  };
  return async ({ again } = { again: false }) => {
    if (again) last = read(true);
    last ??= read();
    const had = last;
    const { found, at } = await had;
    if (apart(deps.clock.now(), at) <= deps.maxStateAgeMs) return found;
    // The first caller that finds them old reads for all.
    if (last === had) last = read();
    return (await last).found;
  };
}

/**
 * Fresh pools beside the other answers that a swap waits for. The slowest of those comes from another's router, which may take its whole
 * time box. Throws as `loadRoutePools` and as `others` rejects.
 */
export async function loadFreshPools<T>(
  deps: FreshPoolsDeps,
  way: RouteWay,
  others: Promise<T>,
): Promise<FoundPools & { readonly others: T; readonly fresh: FreshPools }> {
  const fresh = freshPools(deps, way);
  const [answers] = await Promise.all([others, fresh()]);
  return { ...(await fresh()), others: answers, fresh };
}

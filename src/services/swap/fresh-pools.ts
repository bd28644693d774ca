import type { Address } from '../../core/address/address.ts';
import type { Pool } from '../../core/ports/venue.ts';
import { loadRoutePools } from './load-route-pools.ts';
import type { SwapDeps } from './swap-request.ts';

/**
 * The pools on the ways between two mints beside what else a swap waits for. The slowest of that is somebody else's router,
 * which may take its whole time box: pools that arrived longer than `maxStateAgeMs` before the last of it are read again,
 * so that no route is chosen over an older market. Throws as `loadRoutePools` and as `others` rejects.
 */
export async function loadFreshPools<T>(
  deps: Pick<SwapDeps, 'venues' | 'hubs' | 'clock' | 'maxStateAgeMs'>,
  mints: { readonly mintIn: Address; readonly mintOut: Address },
  others: Promise<T>,
): Promise<{ readonly pools: readonly Pool[]; readonly others: T }> {
  const read = async () => {
    const pools = await loadRoutePools(deps, mints.mintIn, mints.mintOut);
    return { pools, at: deps.clock.now() };
  };
  const [first, answers] = await Promise.all([read(), others]);
  const isOld = deps.clock.now() - first.at > deps.maxStateAgeMs;
  return { pools: (isOld ? await read() : first).pools, others: answers };
}

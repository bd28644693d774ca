import { hasCode } from '../../core/errors/app-error.ts';
import type { Venue } from '../ports/venue.ts';
import { guardPool } from './guard-pool.ts';

/**
 * The venue, with its pools guarded and every failure reported with its count. A failure to list pools is passed on. A venue whose pools are
 * being searched did not fail.
 */
export function guardVenue(
  venue: Venue,
  onFailure: (venue: string, error: unknown, times: number) => void,
): Venue {
  let times = 0;
  const tell = (error: unknown): void => {
    times += 1;
    onFailure(venue.name, error, times);
  };
  return {
    ...venue,
    pools: async (...asked) => {
      try {
        const pools = await venue.pools(...asked);
        return pools.flatMap((pool) => guardPool(pool, tell) ?? []);
      } catch (error) {
        if (!hasCode(error, 'SEARCHING')) tell(error);
        throw error;
      }
    },
  };
}

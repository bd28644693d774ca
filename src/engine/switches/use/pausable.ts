import type { Aggregator } from '../../../platform/ports/aggregator.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import type { SwitchBoard } from './switch-board.ts';

/**
 * The same venues, each offering nothing while an operator has it paused: it is not quoted, not routed over and never named, so a trade
 * that was confirmed over it is planned anew without it. The upkeep of its lists goes on.
 */
export function pausableVenues(venues: readonly Venue[], board: SwitchBoard): readonly Venue[] {
  return venues.map((venue) => {
    const isOpen = async (): Promise<boolean> => (await board.pauseOf(`venue:${venue.name}`)) === null;
    const featured = venue.featured?.bind(venue);
    return {
      ...venue,
      pools: async (...mints) => ((await isOpen()) ? venue.pools(...mints) : []),
      counterparts: async (mint) => ((await isOpen()) ? venue.counterparts(mint) : []),
      ...(featured === undefined ? {} : { featured: async () => ((await isOpen()) ? featured() : []) }),
    };
  });
}

/** The same aggregators, each without an offer while an operator has it paused. */
export function pausableAggregators(
  aggregators: readonly Aggregator[],
  board: SwitchBoard,
): readonly Aggregator[] {
  return aggregators.map((aggregator) => ({
    ...aggregator,
    quote: async (order) =>
      (await board.pauseOf(`aggregator:${aggregator.name}`)) === null ? aggregator.quote(order) : null,
  }));
}

import type { Address } from '@tradepost/solana';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { Venue } from '../../../platform/ports/venue.ts';
import { filterText, isNarrow, type RouteFilter, takesVenue } from '../rules/route-filter.ts';
import type { TradingDeps } from './trading-deps.ts';

/** Leaves out other venues, and every aggregator where anything is forbidden. */
export function narrowed<D extends Pick<TradingDeps, 'venues' | 'aggregatorQuotes'>>(
  deps: D,
  filter: RouteFilter,
): Omit<D, 'aggregatorQuotes'> & Pick<TradingDeps, 'venues' | 'aggregatorQuotes'> {
  if (!isNarrow(filter)) return deps;
  const { aggregatorQuotes: _none, ...rest } = deps;
  return { ...rest, venues: deps.venues.filter((venue) => takesVenue(filter, venue)) };
}

/** Programs that a transaction over these venues may call, of those that any may. */
export function programsOf(venues: readonly Venue[], all: readonly Address[]): readonly Address[] {
  return all.filter((program) => venues.some(({ programId }) => programId === program));
}

/**
 * That there is no route says which filter it is about, because without it there may be one. A route that is too large for fewer accounts
 * than a transaction may name is none within the filter.
 */
export function toldOfFilter(error: unknown, filter: RouteFilter): unknown {
  if (!isNarrow(filter)) return error;
  const isTooLarge = filter.maxAccounts !== null && hasCode(error, 'ROUTE_TOO_LARGE');
  if (!isTooLarge && !hasCode(error, 'NO_ROUTE')) return error;
  const { mintIn, mintOut } = error.details;
  return new AppError('NO_ROUTE', { mintIn, mintOut, within: filterText(filter) });
}

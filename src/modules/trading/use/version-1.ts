import { bps } from '../../../core/amounts/bps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { FoundPools } from '../../market/use/load-pools.ts';
import { EVERY_WAY } from '../rules/route-filter.ts';
import { loadMeans, type RouteMeans, routeWithin } from './choose-way.ts';
import { freshPools } from './fresh-pools.ts';
import type { PricedTrade } from './price-route.ts';
import { referredTerms, type SwapRequest, type SwapTerms } from './swap-terms.ts';
import type { SwapDeps } from './trading-deps.ts';

type Deps = Pick<SwapDeps, 'chain' | 'poolQuarantine'>;

/** Our own route where a transaction of version 1 may hold it; null where the cluster takes none, and without such a route. */
export async function inVersion1(
  { chain, poolQuarantine }: Deps,
  terms: SwapTerms,
  found: FoundPools,
  means: RouteMeans,
): Promise<PricedTrade | null> {
  if (!(await chain.takesVersion1())) return null;
  const own = await routeWithin({ poolQuarantine }, terms, found, { ...means, version1: true });
  return own instanceof AppError ? null : own;
}

/** The refusal of a route that version 0 does not hold says so where version 1 holds it. Every other error is left as it is. */
export async function toldOfVersion(
  deps: Omit<SwapDeps, 'compiler' | 'log' | 'programs' | 'venuePrograms' | 'ids'>,
  request: SwapRequest,
  error: unknown,
): Promise<unknown> {
  const { mintIn, mintOut, referrer, tip, filter = EVERY_WAY } = request;
  if (!hasCode(error, 'ROUTE_TOO_LARGE') || request.maxVersion === 1 || tip !== undefined) return error;
  const terms = referredTerms(request, referrer?.feeBps ?? bps(0));
  const [found, means] = await Promise.all([
    freshPools(deps, { mintIn, mintOut, intermediates: filter.directOnly ? [] : null })(),
    loadMeans(deps, terms),
  ]);
  return (await inVersion1(deps, terms, found, means)) === null ? error : tooLargeBelow(mintIn, mintOut);
}

/** The refusal of a route that only a transaction of version 1 holds. */
export function tooLargeBelow(mintIn: string, mintOut: string): AppError {
  return new AppError('ROUTE_TOO_LARGE', { mintIn, mintOut, fitsVersion: 1 });
}

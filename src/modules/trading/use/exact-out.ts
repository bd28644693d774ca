import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { FoundPools } from '../../market/use/load-pools.ts';
import { type Brought, leastInput } from '../rules/least-input.ts';
import { EVERY_WAY } from '../rules/route-filter.ts';
import { loadMeans, ownRoute } from './choose-way.ts';
import { freshPools } from './fresh-pools.ts';
import { type PriceRequest, referredTerms, type SwapRequest } from './swap-terms.ts';
import type { SwapDeps } from './trading-deps.ts';

type ExactOutDeps = Omit<SwapDeps, 'compiler' | 'log' | 'programs' | 'venuePrograms' | 'ids'>;
type Wanting = PriceRequest & Pick<Partial<SwapRequest>, 'destination' | 'feePayer' | 'tip'>;

/**
 * The request with its amount: where units are wanted, the least input whose certain output is that much, by our own routes over fresh
 * pools. The swap then sells exactly that input and enforces the wanted output. Throws as `quoteSwap`, and INSUFFICIENT_LIQUIDITY where no
 * input brings so much.
 */
export async function withAmount<R extends Wanting>(
  deps: ExactOutDeps,
  request: R,
  referrerFeeBps: Bps = bps(0),
): Promise<R> {
  const { wanted, mintIn, mintOut, filter = EVERY_WAY } = request;
  if (wanted === undefined) return request;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const [found, means] = await Promise.all([
    freshPools(deps, { mintIn, mintOut, intermediates: filter.directOnly ? [] : null })(),
    loadMeans(deps, referredTerms(request, referrerFeeBps)),
  ]);
  const bring = async (amount: bigint): Promise<Brought> => {
    // Without the wanted output: how far an amount misses it leads to the next one.
    const terms = { ...referredTerms({ ...request, amount }, referrerFeeBps), agreedOut: null };
    const route = await ownRoute(deps, terms, found, means);
    if (!(route instanceof AppError)) return route.leastOut;
    if (hasCode(route, 'AMOUNT_DUST')) return 0n;
    if (hasCode(route, 'AMOUNT_ABOVE_DEPTH')) return { most: route.details.maximum };
    throw route;
  };
  const amount = await leastInput(wanted, bring, guessOf(found, request, wanted));
  if (amount === null) throw new AppError('INSUFFICIENT_LIQUIDITY', { mintIn, mintOut });
  return { ...request, amount };
}

/** By the best rate of a pool of the two; without one, any number. */
function guessOf({ pools }: FoundPools, { mintIn, mintOut }: PriceRequest, wanted: bigint): bigint {
  const inputs = pools
    .filter(({ mints }) => mints.includes(mintIn) && mints.includes(mintOut))
    .map((pool) => pool.spot(mintIn))
    .filter(({ numerator }) => numerator > 0n)
    .map(({ numerator, denominator }) => (wanted * denominator) / numerator);
  return inputs.reduce((least, input) => (input < least ? input : least), inputs[0] ?? wanted);
}

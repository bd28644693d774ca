import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { tokenSafety, withExit } from '../../tokens/rules/safety.ts';
import { EVERY_WAY } from '../rules/route-filter.ts';
import { bestShown, loadOffers } from './choose-way.ts';
import { withAmount } from './exact-out.ts';
import { loadFreshPools } from './fresh-pools.ts';
import { loadSwapToken } from './load-token.ts';
import { narrowed, toldOfFilter } from './narrow-deps.ts';
import type { PricedTrade } from './price-route.ts';
import { type PriceRequest, referredTerms } from './swap-terms.ts';
import { type SwapWarning, swapWarnings } from './swap-warnings.ts';
import type { SwapDeps } from './trading-deps.ts';
import { inVersion1, tooLargeBelow } from './version-1.ts';

export type SwapQuote = {
  readonly request: PriceRequest;
  readonly priced: PricedTrade;
  readonly warnings: readonly SwapWarning[];
  /** Venues that could not be asked for their pools: with them the quote may be better. */
  readonly unasked: readonly string[];
  /** The output in a transaction of version 1, where the asker takes none and it would bring at least 0.1 % more. */
  readonly better?: { readonly amountOut: bigint };
  readonly quoteId: string;
  /** The oldest state that the quote rests on. */
  readonly slot: bigint;
  /** Epoch milliseconds until which the quote is worth reading. */
  readonly expiresAt: number;
};

const QUOTE_TTL_MS = 10_000;
/** A thousandth more is worth another version. */
const BETTER_PARTS = 1_000n;

/**
 * The present output of a swap, net of a referrer's part, without a wallet and without effect. Throws SAME_TOKEN, TOKEN_NOT_FOUND,
 * TOKEN_ACCOUNT_NOT_MINT, NO_ROUTE, INSUFFICIENT_LIQUIDITY, AMOUNT_DUST, CHAIN_UNREACHABLE. Throws VENUES_UNREACHABLE instead of NO_ROUTE
 * where a venue could not be asked.
 */
export async function quoteSwap(
  all: Omit<SwapDeps, 'compiler' | 'log' | 'programs' | 'venuePrograms'>,
  request: PriceRequest,
  referrerFeeBps: Bps = bps(0),
): Promise<SwapQuote> {
  const { filter = EVERY_WAY } = request;
  const deps = narrowed(all, filter);
  return withAmount(deps, request, referrerFeeBps)
    .then((sold) => quoteWithin(deps, sold, referrerFeeBps))
    .catch((error: unknown) => {
      throw toldOfFilter(error, filter);
    });
}

async function quoteWithin(
  deps: Omit<SwapDeps, 'compiler' | 'log' | 'programs' | 'venuePrograms'>,
  request: PriceRequest,
  referrerFeeBps: Bps,
): Promise<SwapQuote> {
  const { mintIn, mintOut, slippageBps, filter = EVERY_WAY } = request;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const terms = referredTerms(request, referrerFeeBps);
  const { others, ...found } = await loadFreshPools(
    deps,
    { mintIn, mintOut, intermediates: filter.directOnly ? [] : null },
    Promise.all([
      loadSwapToken(deps.chain, mintOut),
      deps.chain.epoch(),
      loadOffers(deps, terms),
      // Without a wallet: the rehearsal uses an address that has enough.
      deps.exitCheck?.(mintOut, null),
      loadSwapToken(deps.chain, mintIn),
    ]),
  );
  const [tokenOut, epoch, offers, exit] = others;
  const priced = await bestShown(deps, terms, found, offers).catch(async (error: unknown) => {
    if (!hasCode(error, 'ROUTE_TOO_LARGE') || terms.version1 !== undefined) throw error;
    throw (await inVersion1(deps, terms, found, offers.means)) === null
      ? error
      : tooLargeBelow(mintIn, mintOut);
  });
  const larger = terms.version1 !== undefined ? null : await inVersion1(deps, terms, found, offers.means);
  const { priceImpactBps, slot } = priced.route;
  const { warnings: safety } = withExit(tokenSafety(tokenOut, { epoch, wellKnown: deps.wellKnown }), exit);
  return {
    request,
    priced,
    warnings: swapWarnings({ priceImpactBps, slippageBps, safety }),
    unasked: found.unasked,
    ...(larger !== null && larger.amountOut - priced.amountOut >= priced.amountOut / BETTER_PARTS
      ? { better: { amountOut: larger.amountOut } }
      : {}),
    quoteId: deps.ids.ulid(),
    slot,
    expiresAt: deps.clock.now() + QUOTE_TTL_MS,
  };
}

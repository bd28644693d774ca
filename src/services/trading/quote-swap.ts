import { type Bps, bps } from '../../core/amounts/bps.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { tokenSafety, withExit } from '../../core/tokens/safety.ts';
import { loadFreshPools } from './fresh-pools.ts';
import { loadSwapToken } from './load-swap-token.ts';
import type { PricedSwap } from './price-swap.ts';
import { bestPriced, offersFor } from './rival-swap.ts';
import type { PriceRequest, SwapDeps } from './swap-request.ts';
import { type SwapWarning, swapWarnings } from './swap-warnings.ts';

export type SwapQuote = {
  readonly request: PriceRequest;
  readonly priced: PricedSwap;
  readonly warnings: readonly SwapWarning[];
  readonly quoteId: string;
  /** The oldest state that the quote rests on. */
  readonly slot: bigint;
  /** Epoch milliseconds until which the quote is worth reading. */
  readonly expiresAt: number;
};

const QUOTE_TTL_MS = 10_000;

/**
 * What a swap would bring now, net of a referrer's part, without a wallet and without effect. Throws SAME_TOKEN, TOKEN_NOT_FOUND,
 * TOKEN_ACCOUNT_NOT_MINT, NO_ROUTE, INSUFFICIENT_LIQUIDITY, AMOUNT_DUST, CHAIN_UNREACHABLE.
 */
export async function quoteSwap(
  deps: Pick<
    SwapDeps,
    | 'chain'
    | 'venues'
    | 'hubs'
    | 'clock'
    | 'maxStateAgeMs'
    | 'ids'
    | 'wellKnown'
    | 'rivals'
    | 'lookupTables'
    | 'exitCheck'
    | 'routerProgram'
  >,
  request: PriceRequest,
  referrerFeeBps: Bps = bps(0),
): Promise<SwapQuote> {
  const { mintIn, mintOut } = request;
  if (mintIn === mintOut) throw new AppError('SAME_TOKEN', {});
  const { pools, others } = await loadFreshPools(
    deps,
    request,
    Promise.all([
      loadSwapToken(deps.chain, mintOut),
      deps.chain.epoch(),
      offersFor(deps, request, referrerFeeBps),
      deps.lookupTables?.usable(),
      // Nobody's wallet: whoever has enough pretends.
      deps.exitCheck?.(mintOut, null),
      loadSwapToken(deps.chain, mintIn),
    ]),
  );
  const [tokenOut, epoch, offers, tables, exit] = others;
  const priced = await bestPriced(deps, request, pools, {
    offers,
    referrerFeeBps,
    means: { lookupTables: tables ?? [], routerProgram: deps.routerProgram === true },
  });
  return {
    request,
    priced,
    warnings: swapWarnings({
      priceImpactBps: priced.route.priceImpactBps,
      slippageBps: request.slippageBps,
      safety: withExit(tokenSafety(tokenOut, { epoch, wellKnown: deps.wellKnown }), exit).warnings,
    }),
    quoteId: deps.ids.ulid(),
    slot: priced.route.slot,
    expiresAt: deps.clock.now() + QUOTE_TTL_MS,
  };
}

import type { Address } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import { ownRoute, routeOrNull } from '../../trading/use/choose-way.ts';
import { freshPools } from '../../trading/use/fresh-pools.ts';
import { mintsOf } from '../../trading/use/own-wallet.ts';
import { platformTerms } from '../../trading/use/swap-terms.ts';
import { liquidity } from '../../trading/use/trade-card.ts';
import type { TradeQuote } from '../../trading/use/trade-quote.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';
import type { Order, OrderSide } from '../rules/order.ts';
import type { Rate } from '../rules/rate.ts';

/** A wallet's present output for an amount, platform fee taken off, network fee and rent not. */
export type ExecutablePrice = {
  readonly rate: Rate;
  readonly got: bigint;
  readonly impactBps: number;
  /** Both sides of all pools, in lamports. */
  readonly depthLamports: bigint;
  /** The oldest state among those it rests on. */
  readonly slot: bigint;
};

/**
 * The price that orders are compared with: the output of our own router for exactly this amount on the pools as they are now. The wallet's
 * balance is not checked. Null where nothing trades the token; throws CHAIN_UNREACHABLE and VENUES_UNREACHABLE.
 */
export async function executablePrice(
  deps: TradeDeps,
  {
    side,
    mint,
    amount,
    wallet,
  }: { readonly side: OrderSide; readonly mint: Address; readonly amount: bigint; readonly wallet: Address },
): Promise<ExecutablePrice | null> {
  const pair = mintsOf(side, mint);
  const [found, terms] = await Promise.all([
    freshPools(deps, pair)(),
    platformTerms(deps, { ...pair, amount, slippageBps: bps(0), wallet }),
  ]);
  const priced = await ownRoute(deps, terms, found);
  if (priced instanceof AppError) {
    if (
      hasCode(priced, 'NO_ROUTE') ||
      hasCode(priced, 'ROUTE_TOO_LARGE') ||
      hasCode(priced, 'AMOUNT_ABOVE_DEPTH') ||
      hasCode(priced, 'INSUFFICIENT_LIQUIDITY') ||
      hasCode(priced, 'AMOUNT_DUST')
    )
      return null;
    throw priced;
  }
  return {
    rate: { got: priced.amountOut, given: amount },
    got: priced.amountOut,
    impactBps: priced.route.priceImpactBps,
    depthLamports: liquidity(found.pools, mint),
    slot: priced.route.slot,
  };
}

/**
 * The output of other amounts of a quoted trade on the present pools, its fee in the same proportion: for finding a part. The part that is
 * found is quoted once more.
 */
export async function partQuotes(
  deps: TradeDeps,
  {
    order,
    whole,
  }: { readonly order: Pick<Order, 'side' | 'mint'>; readonly whole: Pick<TradeQuote, 'terms'> },
): Promise<(units: bigint) => bigint | null> {
  const pair = mintsOf(order.side, order.mint);
  const { pools } = await freshPools(deps, pair)();
  const { amountIn, quotedOut, platformFeeLamports: fee } = whole.terms;
  const feeOn = (part: bigint, all: bigint): bigint => (all <= 0n ? 0n : (part * fee + all - 1n) / all);
  return (units) => {
    const given = order.side === 'buy' ? units - feeOn(units, amountIn) : units;
    if (given <= 0n) return null;
    const got = routeOrNull(pools, { ...pair, amountIn: given })?.amountOut ?? null;
    return got === null || order.side === 'buy' ? got : got - feeOn(got, quotedOut + fee);
  };
}

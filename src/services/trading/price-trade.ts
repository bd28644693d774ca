import { type Bps, bps, minimumOut } from '../../core/amounts/bps.ts';
import { maxBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { TradeTerms } from '../../core/intents/params.ts';
import type { Route } from '../../core/swap/route.ts';
import type { Fee } from '../treasury/platform-fee.ts';

/** A route with the numbers that a person confirms. */
export type PricedTrade = { readonly route: Route; readonly terms: TradeTerms };

/** A buy of `lamportsIn`, fee included, on a route that swaps the rest, whoever found it. */
export function buyOn(
  route: Route,
  {
    lamportsIn,
    fee,
    slippageBps,
  }: { readonly lamportsIn: bigint; readonly fee: Fee; readonly slippageBps: Bps },
): PricedTrade {
  return {
    route,
    terms: terms(route, { amountIn: lamportsIn, out: route.amountOut, fee, slippageBps }),
  };
}

/** A sale of `amountIn` units: the fee comes off what the route brings. AMOUNT_DUST when nothing would be left. */
export async function sellOn(
  route: Route,
  input: {
    readonly amountIn: bigint;
    readonly slippageBps: Bps;
    readonly fee: (grossLamports: bigint) => Promise<Fee>;
  },
): Promise<PricedTrade> {
  const { amountIn, slippageBps } = input;
  const fee = await input.fee(route.amountOut);
  const out = route.amountOut - fee.lamports;
  if (out <= 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  return { route, terms: terms(route, { amountIn, out, fee, slippageBps }) };
}

/** The fee of a fresh quote, but never above what was confirmed: a discount that ended since still holds. */
export function notAbove(fresh: Fee, confirmed: TradeTerms): Fee {
  return fresh.lamports <= confirmed.platformFeeLamports
    ? fresh
    : { lamports: confirmed.platformFeeLamports, discountBps: bps(confirmed.feeDiscountBps ?? 0) };
}

function terms(
  route: Route,
  numbers: {
    readonly amountIn: bigint;
    readonly out: bigint;
    readonly fee: Fee;
    readonly slippageBps: Bps;
  },
): TradeTerms {
  return {
    amountIn: numbers.amountIn,
    quotedOut: numbers.out,
    // With 100 % slippage the minimum would be nothing at all, and a swap for nothing is never wanted.
    minOut: maxBigint(1n, minimumOut(numbers.out, numbers.slippageBps)),
    platformFeeLamports: numbers.fee.lamports,
    ...(numbers.fee.discountBps === 0 ? {} : { feeDiscountBps: numbers.fee.discountBps }),
    priceImpactBps: route.priceImpactBps,
    slippageBps: numbers.slippageBps,
    route: route.legs.map((leg) => ({
      venue: leg.pool.label,
      pool: leg.pool.id,
      percent: leg.shareBps / 100,
      from: leg.mintIn === route.mintIn ? null : leg.mintIn,
      to: leg.mintOut === route.mintOut ? null : leg.mintOut,
      pausedBy: `${route.aggregator === undefined ? 'venue' : 'aggregator'}:${leg.pool.venue}`,
    })),
  };
}

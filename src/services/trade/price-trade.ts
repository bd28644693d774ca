import { type Bps, minimumOut } from '../../core/amounts/bps.ts';
import { maxBigint } from '../../core/amounts/rounding.ts';
import { AppError } from '../../core/errors/app-error.ts';
import type { TradeTerms } from '../../core/intents/params.ts';
import type { Route } from '../../core/swap/route.ts';

/** A route with the numbers that a person confirms. */
export type PricedTrade = { readonly route: Route; readonly terms: TradeTerms };

/** A buy of `lamportsIn`, fee included, on a route that swaps the rest, whoever found it. */
export function buyOn(
  route: Route,
  {
    lamportsIn,
    feeLamports,
    slippageBps,
  }: { readonly lamportsIn: bigint; readonly feeLamports: bigint; readonly slippageBps: Bps },
): PricedTrade {
  return {
    route,
    terms: terms(route, { amountIn: lamportsIn, out: route.amountOut, feeLamports, slippageBps }),
  };
}

/** A sale of `amountIn` units: the fee comes off what the route brings. AMOUNT_DUST when nothing would be left. */
export async function sellOn(
  route: Route,
  input: {
    readonly amountIn: bigint;
    readonly slippageBps: Bps;
    readonly fee: (grossLamports: bigint) => Promise<bigint>;
  },
): Promise<PricedTrade> {
  const { amountIn, slippageBps } = input;
  const feeLamports = await input.fee(route.amountOut);
  const out = route.amountOut - feeLamports;
  if (out <= 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  return { route, terms: terms(route, { amountIn, out, feeLamports, slippageBps }) };
}

function terms(
  route: Route,
  numbers: {
    readonly amountIn: bigint;
    readonly out: bigint;
    readonly feeLamports: bigint;
    readonly slippageBps: Bps;
  },
): TradeTerms {
  return {
    amountIn: numbers.amountIn,
    quotedOut: numbers.out,
    // With 100 % slippage the minimum would be nothing at all, and a swap for nothing is never wanted.
    minOut: maxBigint(1n, minimumOut(numbers.out, numbers.slippageBps)),
    platformFeeLamports: numbers.feeLamports,
    priceImpactBps: route.priceImpactBps,
    slippageBps: numbers.slippageBps,
    route: route.legs.map((leg) => ({
      venue: leg.pool.label,
      pool: leg.pool.id,
      percent: leg.shareBps / 100,
    })),
  };
}

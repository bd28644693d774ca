import { WSOL_MINT } from '../../core/address/programs.ts';
import { type Bps, bps } from '../../core/amounts/bps.ts';
import { minBigint } from '../../core/amounts/rounding.ts';
import { AppError, isAppError } from '../../core/errors/app-error.ts';
import type { AggregatorOrder } from '../../core/ports/aggregator.ts';
import type { Pool } from '../../core/ports/venue.ts';
import type { SwapToken } from '../../core/swap/foreign-route.ts';
import { ACCOUNTS_WITH_TABLES, type Offer } from '../aggregators/rivals.ts';
import { feeOnInput, type PricedSwap, priceRoute, priceSwap, type RouteMeans } from './price-swap.ts';
import type { PriceRequest, SwapDeps, SwapRequest } from './swap-request.ts';

const NO_FEE = bps(0);

/** What the aggregators offer for the request, best first; nothing when none is switched on. */
export async function offersFor(
  { rivals }: Pick<SwapDeps, 'rivals'>,
  request: PriceRequest,
  referrerFeeBps: Bps = NO_FEE,
): Promise<readonly Offer[]> {
  return rivals === undefined ? [] : rivals.offers(orderOf(request, referrerFeeBps));
}

function orderOf(
  { mintIn, mintOut, amount, slippageBps }: PriceRequest,
  referrerFeeBps: Bps,
): AggregatorOrder {
  const amountIn = amount - feeOnInput(mintIn, amount, referrerFeeBps);
  return { mintIn, mintOut, amountIn, slippageBps, maxAccounts: ACCOUNTS_WITH_TABLES };
}

/** Our own route, or the AppError that says why there is none: an aggregator may still know one. */
export function ownOrWhyNot(
  pools: readonly Pool[],
  request: PriceRequest,
  referrerFeeBps: Bps = NO_FEE,
  means: RouteMeans = {},
): PricedSwap | AppError {
  try {
    return priceSwap(pools, request, referrerFeeBps, means);
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

/** The better of our own route and the best offer, to be shown; equal outputs go to our own. Throws what `priceSwap` does. */
export async function bestPriced(
  { rivals, chain }: Pick<SwapDeps, 'rivals' | 'chain'>,
  request: PriceRequest,
  pools: readonly Pool[],
  {
    offers,
    referrerFeeBps,
    means,
  }: {
    readonly offers: readonly Offer[];
    readonly referrerFeeBps: Bps;
    readonly means: RouteMeans;
  },
): Promise<PricedSwap> {
  const own = ownOrWhyNot(pools, request, referrerFeeBps, means);
  const [offer] = offers;
  if (rivals === undefined || offer === undefined || !beats(offer, own)) {
    if (own instanceof AppError) throw own;
    return own;
  }
  const [first] = pools;
  const slot =
    first === undefined
      ? (await chain.accounts([request.mintOut])).slot
      : pools.reduce((oldest, pool) => minBigint(oldest, pool.slot), first.slot);
  const route = rivals.show(offer, orderOf(request, referrerFeeBps), pools, slot);
  return priceRoute(route, request, referrerFeeBps);
}

/** Says that an aggregator's swap, taken over already, failed on the way to the caller. */
export function dropRival({ rivals }: Pick<SwapDeps, 'rivals'>, { route }: PricedSwap, error: unknown): null {
  rivals?.passedOver(route.legs[0]?.pool.venue ?? '', 'simulate', error);
  return null;
}

/** Whether the offer promises more than our own route; what it keeps of that is for the simulation to say. */
export function beats({ quote }: Offer, own: PricedSwap | AppError): boolean {
  return own instanceof AppError || quote.amountOut > own.route.amountOut;
}

/** The best offer that promises more than our own route and whose transaction keeps the rules, priced; null when none does. */
export async function rivalSwap(
  { rivals }: Pick<SwapDeps, 'rivals'>,
  input: {
    readonly request: SwapRequest;
    readonly own: PricedSwap | AppError;
    readonly offers: readonly Offer[];
    readonly pools: readonly Pool[];
    readonly tokenIn: SwapToken;
    readonly tokenOut: SwapToken;
  },
): Promise<PricedSwap | null> {
  if (rivals === undefined) return null;
  const { request, own, offers } = input;
  const feeBps = request.referrer?.feeBps ?? NO_FEE;
  for (const offer of offers) {
    if (!beats(offer, own)) return null;
    const route = await rivals.build(offer, orderOf(request, feeBps), { ...input, user: request.user });
    if (route !== null) return priceRoute(route, request, feeBps);
  }
  return null;
}

/** A swap that was simulated, as far as it is compared with another one for the same request. */
export type Outcome = {
  readonly priced: PricedSwap;
  /** What the simulation brought to the account of the output. */
  readonly gained: bigint;
  readonly networkLamports: bigint;
  /** Rent that stays in accounts which the swap opens. */
  readonly newAccountRentLamports: bigint;
};

/**
 * Whether the rival leaves the trader more than our own swap, by what the simulations brought and not by what was promised,
 * after network fees and rent as far as a side is SOL. Equal ones go to our own.
 */
export function rivalWins(rival: Outcome, own: Outcome): boolean {
  return netOf(rival) > netOf(own);
}

function netOf({ priced, gained, networkLamports, newAccountRentLamports }: Outcome): bigint {
  const { mintIn, mintOut, amountIn, amountOut } = priced.route;
  // What a wallet gained in lamports is net of rent already.
  if (mintOut === WSOL_MINT) return gained - networkLamports;
  if (mintIn !== WSOL_MINT || amountIn === 0n) return gained;
  return gained - ((networkLamports + newAccountRentLamports) * amountOut) / amountIn;
}

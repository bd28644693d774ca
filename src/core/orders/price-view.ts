import type { Address } from '../address/address.ts';
import { WSOL_MINT } from '../address/programs.ts';
import { type Bps, bpsFloor } from '../amounts/bps.ts';
import { MAX_U64 } from '../amounts/lamports.ts';
import { isAppError } from '../errors/app-error.ts';
import type { Pool } from '../ports/venue.ts';
import { chooseRoute } from '../swap/choose-route.ts';
import type { PriceView } from './book.ts';
import type { OrderSide } from './order.ts';
import { bestSpot, outputAtMost } from './output-bound.ts';
import type { Rate } from './rate.ts';
import { classEdges, leastOfClass } from './size-class.ts';
import type { SolUsd } from './trigger.ts';

/** A fee, a transfer fee on each side, a division of the curve: a smaller amount may lose a unit to each. */
const ROUNDING_UNITS = 4n;
/** Below so many units roundings are a part of the rate that counts: there the bound is the rate at zero size, without our fee. */
const LEAST_FOR_BOUND = 1_000_000n;

export type ViewOf = {
  readonly mint: Address;
  readonly pools: readonly Pool[];
  readonly slot: bigint;
  readonly at: number;
  readonly how: PriceView['how'];
  readonly solUsd: SolUsd | null;
  /** Of the SOL side, without anybody's discount: what is fired is judged with it. */
  readonly feeBps: Bps;
};

/**
 * The pools of a token as orders see them. The bounds are sound and cheap; `quote` and `edge` ask the router, each once. A rate
 * at zero size leaves the platform fee out: fees are rounded down, so that a small order may pay none.
 */
export function createPriceView(of: ViewOf): PriceView {
  const { mint, pools, slot, at, how, solUsd } = of;
  const ends = (side: OrderSide) =>
    side === 'buy' ? { mintIn: WSOL_MINT, mintOut: mint } : { mintIn: mint, mintOut: WSOL_MINT };
  const quote = remembered((side, amount) => {
    const rest = side === 'buy' ? amount - bpsFloor(amount, of.feeBps) : amount;
    const gross = routed(pools, { ...ends(side), amountIn: rest });
    if (gross === null) return null;
    const got = side === 'buy' ? gross : gross - bpsFloor(gross, of.feeBps);
    return got > 0n ? { got, given: amount } : null;
  });
  const spot = remembered((side) => bestSpot(pools, ends(side).mintIn, ends(side).mintOut));
  /** Of an amount and of every larger one: average rates fall. */
  const most = (side: OrderSide, amount: bigint): Rate | null => {
    const { mintIn, mintOut } = ends(side);
    const rest = side === 'buy' ? amount - bpsFloor(amount, of.feeBps) + 1n : amount;
    const gross = outputAtMost(pools, mintIn, mintOut, rest);
    if (gross === null) return null;
    return { got: side === 'buy' ? gross : gross - bpsFloor(gross, of.feeBps) + 1n, given: amount };
  };
  const edgeAmount = (size: number): bigint => {
    const { upper } = classEdges(size);
    return upper < MAX_U64 ? upper : MAX_U64;
  };
  return {
    slot,
    at,
    how,
    solUsd,
    atMost: remembered((side, size) => {
      const { lower } = classEdges(Number(size));
      return lower < LEAST_FOR_BOUND ? spot(side, 0) : most(side, lower);
    }),
    edgeAtMost: remembered((side, size) => {
      const upper = edgeAmount(Number(size));
      return upper < LEAST_FOR_BOUND ? spot(side, 0) : most(side, upper);
    }),
    atLeast: remembered((side, size) => {
      const upper = edgeAmount(Number(size));
      const { mintIn, mintOut } = ends(side);
      const rest = side === 'buy' ? upper - bpsFloor(upper, of.feeBps) : upper;
      const gross = bestSingle(pools, mintIn, mintOut, rest);
      return leastOfClass(
        Number(size),
        side === 'buy' ? gross : gross - bpsFloor(gross, of.feeBps),
        ROUNDING_UNITS,
      );
    }),
    edge: (side, size) => quote(side, edgeAmount(size)),
    quote,
  };
}

/** One computation per question: many orders of a token ask the same. */
function remembered(
  work: (side: OrderSide, amount: bigint) => Rate | null,
): (side: OrderSide, amount: bigint | number) => Rate | null {
  const known = new Map<string, Rate | null>();
  return (side, amount) => {
    const key = `${side}:${amount}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const rate = work(side, BigInt(amount));
    known.set(key, rate);
    return rate;
  };
}

function routed(
  pools: readonly Pool[],
  order: { readonly mintIn: Address; readonly mintOut: Address; readonly amountIn: bigint },
): bigint | null {
  if (order.amountIn <= 0n) return null;
  try {
    return chooseRoute(pools, order).amountOut;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** The best of the pools of the pair, each alone: the router never gives less. 0 where none gives anything. */
function bestSingle(pools: readonly Pool[], mintIn: Address, mintOut: Address, amountIn: bigint): bigint {
  let best = 0n;
  for (const pool of pools) {
    if (!pool.mints.includes(mintIn) || !pool.mints.includes(mintOut) || amountIn <= 0n) continue;
    const got = pool.quote(mintIn, amountIn);
    if (got > best) best = got;
  }
  return best;
}

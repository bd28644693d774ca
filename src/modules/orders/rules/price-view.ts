import { type Address, MAX_U64, maxBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { type Bps, bpsFloor } from '../../../core/amounts/bps.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { chooseRoute } from '../../trading/rules/choose-route.ts';
import type { PriceView } from './book.ts';
import { dividedOutput } from './divided-output.ts';
import { liquidityOf } from './event-trigger.ts';
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
  /** Of the SOL side, without any person's discount: a fire is judged with it. */
  readonly feeBps: Bps;
};

/**
 * The pools of a token as orders see them. The bounds are sound and cheap; `quote` asks the router, once per amount. A rate
 * at zero size leaves the platform fee out: fees are rounded down, so that a small order may pay none.
 */
export function createPriceView(of: ViewOf): PriceView {
  const { pools, slot, at, how, solUsd } = of;
  const fees = feesOf(of);
  const { ends, given, kept } = fees;
  const quote = remembered((side, amount) => {
    const gross = routed(pools, { ...ends(side), amountIn: given(side, amount) });
    if (gross === null) return null;
    const got = kept(side, gross);
    return got > 0n ? { got, given: amount } : null;
  });
  const spot = remembered((side) => bestSpot(pools, ends(side).mintIn, ends(side).mintOut));
  const most = (side: OrderSide, amount: bigint): Rate | null =>
    amount < LEAST_FOR_BOUND ? spot(side, 0) : mostOf(pools, fees, side, amount);
  /** The output of the best pool alone, our fee taken off. */
  const single = (side: OrderSide, amount: bigint): bigint =>
    kept(side, bestSingle(pools, { ...ends(side), amountIn: given(side, amount) }));
  return {
    slot,
    at,
    how,
    solUsd,
    liquidity: () => liquidityOf(pools, of.mint),
    atMost: remembered((side, size) => most(side, classEdges(Number(size)).lower)),
    edgeAtMost: remembered((side, size) => most(side, edgeAmount(size))),
    atLeast: remembered((side, size) =>
      leastOfClass(Number(size), single(side, edgeAmount(size)), ROUNDING_UNITS),
    ),
    quoteAtMost: most,
    quoteAtLeast: (side, amount) => ({ got: single(side, amount), given: amount }),
    edge: remembered((side, size) => {
      const upper = edgeAmount(size);
      const { mintIn, mintOut } = ends(side);
      const gross = dividedOutput(pools, mintIn, mintOut, given(side, upper));
      if (gross === null || gross <= 0n) return quote(side, upper);
      return { got: maxBigint(kept(side, gross), single(side, upper)), given: upper };
    }),
    quote,
  };
}

type Fees = {
  readonly ends: (side: OrderSide) => { readonly mintIn: Address; readonly mintOut: Address };
  /** The part of an amount that goes to the pools. */
  readonly given: (side: OrderSide, amount: bigint) => bigint;
  /** The person's part of their output. */
  readonly kept: (side: OrderSide, gross: bigint) => bigint;
};

/** Our fee is of the SOL side: of the amount that a buy gives, and of the proceeds of a sale. */
function feesOf({ mint, feeBps }: Pick<ViewOf, 'mint' | 'feeBps'>): Fees {
  const less = (amount: bigint): bigint => amount - bpsFloor(amount, feeBps);
  return {
    ends: (side) =>
      side === 'buy' ? { mintIn: WSOL_MINT, mintOut: mint } : { mintIn: mint, mintOut: WSOL_MINT },
    given: (side, amount) => (side === 'buy' ? less(amount) : amount),
    kept: (side, gross) => (side === 'buy' ? gross : less(gross)),
  };
}

/** Of an amount and of every larger one: average rates fall. A unit more than the fee's rounding takes. */
function mostOf(
  pools: readonly Pool[],
  { ends, given, kept }: Fees,
  side: OrderSide,
  amount: bigint,
): Rate | null {
  const { mintIn, mintOut } = ends(side);
  const isBuy = side === 'buy';
  const gross = outputAtMost(pools, mintIn, mintOut, given(side, amount) + (isBuy ? 1n : 0n));
  return gross === null ? null : { got: kept(side, gross) + (isBuy ? 0n : 1n), given: amount };
}

function edgeAmount(size: bigint | number): bigint {
  const { upper } = classEdges(Number(size));
  return upper < MAX_U64 ? upper : MAX_U64;
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
function bestSingle(
  pools: readonly Pool[],
  {
    mintIn,
    mintOut,
    amountIn,
  }: { readonly mintIn: Address; readonly mintOut: Address; readonly amountIn: bigint },
): bigint {
  let best = 0n;
  for (const pool of pools) {
    if (!pool.mints.includes(mintIn) || !pool.mints.includes(mintOut) || amountIn <= 0n) continue;
    const got = pool.quote(mintIn, amountIn);
    if (got > best) best = got;
  }
  return best;
}

import { divCeil, maxBigint, minBigint, mulDivCeil, mulDivFloor } from '@tradepost/solana';
import type { RestingOrder } from './book-side.ts';
import { FEE_DENOMINATOR, MAX_I64 } from './layout.ts';
import type { Market } from './market.ts';
import { type Matched, matchOrders } from './match-orders.ts';

/** Both sides of a market, best first. */
export type Book = { readonly bids: readonly RestingOrder[]; readonly asks: readonly RestingOrder[] };

/** A taker's order and its result on the book as it was read. */
export type Take = {
  readonly side: 'bid' | 'ask';
  readonly matched: Matched;
  /** Units that leave the taker and units that reach him. */
  readonly spent: bigint;
  readonly received: bigint;
  /** The program's limits. */
  readonly maxBaseLots: bigint;
  readonly maxQuoteLotsIncludingFees: bigint;
};

/** Of the amount in, the part that may stay with the trader because it makes no whole lot: one in a hundred. */
const UNSPENT_PART = 100n;

/** Sells as many whole lots as `units` of the base token make. */
export function sellBase(market: Market, book: Book, units: bigint): Take {
  const most = MAX_I64 / market.quoteLotSize;
  const lots = minBigint(units / market.baseLotSize, MAX_I64 / market.baseLotSize);
  const matched = matchOrders(market, book.bids, { baseLots: lots, quoteLots: most });
  return {
    side: 'ask',
    matched,
    spent: matched.baseLots * market.baseLotSize,
    received: matched.quoteLots * market.quoteLotSize - matched.rebateUnits,
    maxBaseLots: lots,
    maxQuoteLotsIncludingFees: most,
  };
}

/**
 * Buys as many lots as `units` of the quote token pay for, rebates to makers included. The program takes the taker fee off the limit it is
 * given and does not charge it: the limit is set so that the rest of it is exactly the amount that may be spent.
 */
export function buyBase(market: Market, book: Book, units: bigint): Take {
  const most = MAX_I64 / market.quoteLotSize;
  const budget = minBigint(
    mulDivFloor(units, FEE_DENOMINATOR, FEE_DENOMINATOR + market.makerRebate) / market.quoteLotSize,
    mulDivFloor(most, FEE_DENOMINATOR, FEE_DENOMINATOR + market.takerFee),
  );
  const lots = MAX_I64 / market.baseLotSize;
  const matched = matchOrders(market, book.asks, { baseLots: lots, quoteLots: budget });
  return {
    side: 'bid',
    matched,
    spent: matched.quoteLots * market.quoteLotSize + matched.rebateUnits,
    received: matched.baseLots * market.baseLotSize,
    maxBaseLots: lots,
    maxQuoteLotsIncludingFees: mulDivCeil(budget, FEE_DENOMINATOR + market.takerFee, FEE_DENOMINATOR),
  };
}

/**
 * Units that reach the taker for `units`; 0 when the orders that were read do not take the whole amount. 0 also when more than a hundredth
 * of it would stay behind because lots are coarse.
 */
export function takeOut({ matched, spent, received }: Take, units: bigint): bigint {
  if (!matched.isComplete || matched.baseLots === 0n) return 0n;
  return (units - spent) * UNSPENT_PART > units ? 0n : received;
}

/**
 * The worst price in lots at which the order may still match: every lot must bring (or may cost) this on average for the whole amount to
 * give `minOut`. It is never stricter than a price that the quote itself meets. So a fill in part leaves the trader with the rest of his
 * input, and each lot was traded at a price he agreed to.
 */
export function limitPriceLots(market: Market, take: Take, minOut: bigint): bigint {
  const { matched } = take;
  if (take.side === 'ask') {
    const gross = mulDivCeil(minOut, FEE_DENOMINATOR, FEE_DENOMINATOR - market.makerRebate);
    const average = divCeil(gross, maxBigint(1n, take.maxBaseLots) * market.quoteLotSize);
    return clamped(minBigint(average, matched.worstPriceLots ?? average));
  }
  const budget = mulDivFloor(
    take.maxQuoteLotsIncludingFees,
    FEE_DENOMINATOR,
    FEE_DENOMINATOR + market.takerFee,
  );
  const average = budget / maxBigint(1n, divCeil(minOut, market.baseLotSize));
  return clamped(maxBigint(average, matched.worstPriceLots ?? average));
}

function clamped(priceLots: bigint): bigint {
  return minBigint(maxBigint(1n, priceLots), MAX_I64);
}

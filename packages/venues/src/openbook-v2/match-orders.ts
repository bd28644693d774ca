import { type Address, minBigint } from '@tradepost/solana';
import type { RestingOrder } from './book-side.ts';
import { FEE_DENOMINATOR } from './layout.ts';
import type { Market } from './market.ts';

/** The result of a taker's order. */
export type Matched = {
  readonly baseLots: bigint;
  readonly quoteLots: bigint;
  /** Units of the quote token that the taker pays beside the price. */
  readonly rebateUnits: bigint;
  /** The least favourable price that was met; null when nothing was. */
  readonly worstPriceLots: bigint | null;
  /** False when the orders that were read ran out before the amount did. */
  readonly isComplete: boolean;
  /** Accounts that the program credits on the way: of makers that were filled, and of dead orders that it removes. */
  readonly makers: readonly Address[];
};

/** Dead orders that one instruction removes. */
const DROPPED_PER_ORDER = 5;

/**
 * Takes orders until one of the two amounts is used up or the rest does not pay for another lot. Beside the price the taker pays each
 * fill's rebate to its maker, rounded down; the market's taker fee is waived for those who take without an account of open orders
 * ("place_take_orders doesnt pay to referrers"). Source of truth: openbook-v2 `orderbook/book.rs` `new_order`,
 * `instructions/place_take_order.rs`; the executed program agrees.
 */
export function matchOrders(
  { quoteLotSize, makerRebate }: Pick<Market, 'quoteLotSize' | 'makerRebate'>,
  orders: readonly RestingOrder[],
  most: { readonly baseLots: bigint; readonly quoteLots: bigint },
): Matched {
  let { baseLots, quoteLots } = most;
  let rebateUnits = 0n;
  let worstPriceLots: bigint | null = null;
  let dropped = 0;
  let affordsNoMore = false;
  const makers = new Set<Address>();
  for (const order of orders) {
    if (baseLots === 0n || quoteLots === 0n) break;
    if (order.isExpired) {
      if (++dropped <= DROPPED_PER_ORDER) makers.add(order.owner);
      continue;
    }
    const affordable = quoteLots / order.priceLots;
    if (affordable === 0n) break;
    const lots = minBigint(minBigint(baseLots, order.baseLots), affordable);
    baseLots -= lots;
    quoteLots -= lots * order.priceLots;
    rebateUnits += (lots * order.priceLots * quoteLotSize * makerRebate) / FEE_DENOMINATOR;
    worstPriceLots = order.priceLots;
    makers.add(order.owner);
    // A taker that cannot pay for a lot at this price cannot at the next.
    affordsNoMore = quoteLots < order.priceLots;
  }
  return {
    baseLots: most.baseLots - baseLots,
    quoteLots: most.quoteLots - quoteLots,
    rebateUnits,
    worstPriceLots,
    isComplete: affordsNoMore || baseLots === 0n || quoteLots === 0n,
    makers: [...makers],
  };
}

import { type Address, known } from '@tradepost/solana';
import type { AccountView } from '../shared/account-view.ts';
import { type Refusal, refuse } from '../shared/refusal.ts';
import { FEE_DENOMINATOR, MARKET_AT } from './layout.ts';

/** A market's terms and the accounts that an order names. */
export type Market = {
  readonly id: Address;
  readonly authority: Address;
  readonly bids: Address;
  readonly asks: Address;
  readonly eventHeap: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly oracleA: Address | null;
  readonly oracleB: Address | null;
  /** Units in a lot. A price of 1 is `quoteLotSize` units for `baseLotSize` units. */
  readonly baseLotSize: bigint;
  readonly quoteLotSize: bigint;
  /** Parts of a million by which the taker's allowance is reduced. It is not the taker's cost: see `matchOrders`. */
  readonly takerFee: bigint;
  /** Parts of a million of each fill, rounded down, that go to its maker: all that a taker pays. */
  readonly makerRebate: bigint;
};

/** How a field of 32 zeros reads: no such account. */
const NOBODY = known('11111111111111111111111111111111');

/** The market's terms, or why it is not traded on: expired, for members only, or with numbers the program never writes. */
export function readMarket(id: Address, view: AccountView, unixSeconds: bigint): Market | Refusal {
  const some = (at: number): Address | null => {
    const found = view.address(at);
    return found === NOBODY ? null : found;
  };
  const expiry = view.i64(MARKET_AT.timeExpiry);
  if (expiry !== 0n && expiry < unixSeconds) return refuse('not-trading', `expired at ${expiry}`);
  // Every order needs that admin's signature.
  if (some(MARKET_AT.openOrdersAdmin) !== null)
    return refuse('not-trading', 'orders need the signature of an admin');
  // A maker's payout may wait for one person's pleasure: makers stay away, and so does the price.
  if (some(MARKET_AT.consumeEventsAdmin) !== null)
    return refuse('unmodelled', 'events are consumed by an admin only');

  const baseLotSize = view.i64(MARKET_AT.baseLotSize);
  const quoteLotSize = view.i64(MARKET_AT.quoteLotSize);
  if (baseLotSize <= 0n || quoteLotSize <= 0n)
    return refuse('bad-state', `lots of ${baseLotSize} and ${quoteLotSize} units`);
  const makerFee = view.i64(MARKET_AT.makerFee);
  const takerFee = view.i64(MARKET_AT.takerFee);
  if (takerFee < 0n || takerFee >= FEE_DENOMINATOR || -makerFee > takerFee)
    return refuse('bad-state', `fees ${makerFee} and ${takerFee} of a million`);

  return {
    id,
    authority: view.address(MARKET_AT.marketAuthority),
    bids: view.address(MARKET_AT.bids),
    asks: view.address(MARKET_AT.asks),
    eventHeap: view.address(MARKET_AT.eventHeap),
    baseVault: view.address(MARKET_AT.baseVault),
    quoteVault: view.address(MARKET_AT.quoteVault),
    oracleA: some(MARKET_AT.oracleA),
    oracleB: some(MARKET_AT.oracleB),
    baseLotSize,
    quoteLotSize,
    takerFee,
    makerRebate: makerFee < 0n ? -makerFee : 0n,
  };
}

import type { PoolShape } from '@tradepost/router';
import { TOKEN_PROGRAM } from '@tradepost/solana';
import type { BookLevel, OrderBook } from '../order-book.ts';
import type { Exchange, ExchangePool, PoolAccounts, PoolFacts } from '../shared/exchange.ts';
import { exchangePool, type Ratio } from '../shared/exchange-pool.ts';
import { checkedView, poolMints, vaultBalances } from '../shared/pool-checks.ts';
import { isRefusal, type Refusal, refuse } from '../shared/refusal.ts';
import { type RestingOrder, readBookSide, WHOLE_SIDE } from './book-side.ts';
import { holdsAtLeast, placeTakeOrder } from './instruction.ts';
import { BOOK_SIDE, FEE_DENOMINATOR, MARKET, MARKET_AT } from './layout.ts';
import { type Market, readMarket } from './market.ts';
import { type Book, buyBase, limitPriceLots, sellBase, takeOut } from './take.ts';

export const mintsOfOpenbookV2Market: Exchange['mints'] = (accounts) => {
  const view = checkedView(accounts.get(accounts.id), MARKET, 'not-a-pool');
  return isRefusal(view) ? view : [view.address(MARKET_AT.baseMint), view.address(MARKET_AT.quoteMint)];
};

/** Fills move no vault: events report them. */
export const vaultsOfOpenbookV2Market: Exchange['vaults'] = (_id, account) => {
  const view = checkedView(account, MARKET, 'not-a-pool');
  if (isRefusal(view)) return view;
  return { kind: 'book', vaults: [view.address(MARKET_AT.baseVault), view.address(MARKET_AT.quoteVault)] };
};

/** The event heap is not among them: every maker in reach is named in the order, so nothing is put there. */
export const openbookV2Dependencies: Exchange['dependencies'] = (_id, account) => {
  const view = checkedView(account, MARKET, 'not-a-pool');
  if (isRefusal(view)) return [];
  return [MARKET_AT.bids, MARKET_AT.asks, MARKET_AT.baseVault, MARKET_AT.quoteVault].map((at) =>
    view.address(at),
  );
};

/** A market's book at one slot, to take from: a swap finds at most the best few orders of each side. */
export function decodeOpenbookV2Market(accounts: PoolAccounts, facts: PoolFacts): ExchangePool | Refusal {
  const view = checkedView(accounts.get(accounts.id), MARKET, 'not-a-pool');
  if (isRefusal(view)) return view;
  const market = readMarket(accounts.id, view, facts.unixSeconds);
  if (isRefusal(market)) return market;
  const mints = poolMints(facts, [view.address(MARKET_AT.baseMint), view.address(MARKET_AT.quoteMint)]);
  if (isRefusal(mints)) return mints;
  if (mints.some((mint) => mint.tokenProgram !== TOKEN_PROGRAM))
    return refuse('mint', 'the program moves tokens of the first token program only');
  const book = readBook(accounts, market, facts.unixSeconds);
  if (isRefusal(book)) return book;
  const held = vaultBalances(accounts, [market.baseVault, market.quoteVault], mints);
  if (isRefusal(held)) return held;

  const take = (direction: 0 | 1, units: bigint) =>
    (direction === 0 ? sellBase : buyBase)(market, book, units);
  const rebate = Number((market.makerRebate * 1_000_000_000n) / FEE_DENOMINATOR);

  const pool = exchangePool({
    id: accounts.id,
    venue: 'openbook-v2',
    label: 'OpenBook',
    slot: facts.slot,
    epoch: facts.epoch,
    mints,
    shape: shapeOf(market, book),
    feePpb: [
      { in: 0, out: rebate },
      { in: rebate, out: 0 },
    ],
    leaving: (direction, arriving) => takeOut(take(direction, arriving), arriving),
    price: (direction) => bestPrice(market, book, direction),
    instructions: (direction, order) => {
      const { owner, destination, amountIn, minOut, destinationHolds } = order;
      // Without that number the check below would say nothing.
      if (destinationHolds === undefined)
        throw new RangeError('an order on a book needs to know what the destination holds before it');
      const taken = take(direction, amountIn);
      const [sent, received] = direction === 0 ? mints : mints.toReversed();
      const left = (order.sourceHolds ?? 0n) - amountIn;
      return [
        placeTakeOrder(market, taken, limitPriceLots(market, taken, minOut), order),
        holdsAtLeast(destination, owner, received, destinationHolds + minOut),
        // The order counts in lots, which are unreadable without the market.
        ...(left > 0n ? [holdsAtLeast(order.source, owner, sent, left)] : []),
      ];
    },
  });
  return { ...pool, orders: () => restingOrders(accounts, market, facts.unixSeconds) };
}

/** The price of a side's best live order; where there is none, nothing. */
function bestPrice(market: Market, book: Book, direction: 0 | 1): Ratio {
  const best = (direction === 0 ? book.bids : book.asks).find(({ isExpired }) => !isExpired);
  if (best === undefined) return { numerator: 0n, denominator: 1n };
  const [base, quote] = [market.baseLotSize, best.priceLots * market.quoteLotSize];
  return direction === 0 ? { numerator: quote, denominator: base } : { numerator: base, denominator: quote };
}

/** Every live order of both sides, summed per price; a side that cannot be read whole is empty. */
function restingOrders(accounts: PoolAccounts, market: Market, unixSeconds: bigint): OrderBook {
  const levels = (side: 'bids' | 'asks'): readonly BookLevel[] => {
    const view = checkedView(accounts.get(market[side]), BOOK_SIDE);
    const orders = isRefusal(view) ? view : readBookSide(view, side, unixSeconds, WHOLE_SIDE);
    if (isRefusal(orders)) return [];
    const lotsAt = new Map<bigint, bigint>();
    for (const { priceLots, baseLots, isExpired } of orders)
      if (!isExpired) lotsAt.set(priceLots, (lotsAt.get(priceLots) ?? 0n) + baseLots);
    return [...lotsAt].map(([priceLots, baseLots]) => ({
      base: baseLots * market.baseLotSize,
      quote: baseLots * priceLots * market.quoteLotSize,
    }));
  };
  return { bids: levels('bids'), asks: levels('asks') };
}

function readBook(accounts: PoolAccounts, market: Market, unixSeconds: bigint): Book | Refusal {
  const read = (side: 'bids' | 'asks') => {
    const view = checkedView(accounts.get(market[side]), BOOK_SIDE);
    return isRefusal(view) ? view : readBookSide(view, side, unixSeconds);
  };
  const bids = read('bids');
  if (isRefusal(bids)) return bids;
  const asks = read('asks');
  if (isRefusal(asks)) return asks;
  const best = (orders: readonly RestingOrder[]) => orders.find(({ isExpired }) => !isExpired)?.priceLots;
  const [bid, ask] = [best(bids), best(asks)];
  if (bid === undefined && ask === undefined) return refuse('not-trading', 'the book is empty');
  if (bid !== undefined && ask !== undefined && bid >= ask)
    return refuse('bad-state', `a bid of ${bid} lots stands above an ask of ${ask}`);
  return { bids, asks };
}

/** Each price is a bin: bids hold the quote token, asks the base token. */
function shapeOf({ baseLotSize, quoteLotSize }: Market, { bids, asks }: Book): PoolShape {
  const bins = new Map<bigint, [bigint, bigint]>();
  const add = (orders: readonly RestingOrder[], side: 0 | 1) => {
    for (const { priceLots, baseLots, isExpired } of orders) {
      if (isExpired) continue;
      const held = bins.get(priceLots) ?? [0n, 0n];
      held[side] += side === 0 ? baseLots * baseLotSize : baseLots * priceLots * quoteLotSize;
      bins.set(priceLots, held);
    }
  };
  add(bids, 1);
  const bidLevels = bins.size;
  add(asks, 0);
  return {
    kind: 'bins',
    bins: [...bins]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([priceLots, reserves]) => ({
        price: (Number(priceLots) * Number(quoteLotSize)) / Number(baseLotSize),
        reserves,
      })),
    activeBin: bidLevels - 1,
    activeIsExact: false,
  };
}

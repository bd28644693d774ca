import type { Address } from '../../core/address/address.ts';
import { bps } from '../../core/amounts/bps.ts';
import type { Order } from '../../core/orders/order.ts';
import { loadToken } from '../trading/load-token.ts';
import { lookAtWallet, sellableOf } from '../trading/own-wallet.ts';
import { quoteTrade } from '../trading/quote-trade.ts';
import type { TradeQuote, TradeRequest } from '../trading/trade-quote.ts';
import type { TradeDeps } from '../trading/trading-deps.ts';
import { executablePrice, partQuotes } from './executable-price.ts';

export type FireQuote = Pick<TradeQuote, 'terms' | 'safety'>;

/** What a fire asks about the market and its wallet. Everything is read now, and nothing is changed. */
export type FireMarket = {
  /** Units that a sale can take: those of the one account it would take them from. Throws INSUFFICIENT_TOKENS where there are none. */
  sellable(wallet: Address, mint: Address): Promise<bigint>;
  /** The trade that would be signed for so many units. Throws as `quoteTrade`. */
  quote(order: Order, wallet: Address, units: bigint): Promise<FireQuote>;
  /** What other amounts of a quoted trade would bring; null = nothing. */
  parts(order: Order, whole: FireQuote): Promise<(units: bigint) => bigint | null>;
  /** Units of the token there are. Throws TOKEN_NOT_FOUND for what is no mint any more. */
  supply(mint: Address): Promise<bigint>;
  /** Lamports on both sides of the token's pools; null where nothing trades it. */
  depth(order: Order, wallet: Address, units: bigint): Promise<bigint | null>;
};

export function createFireMarket(trade: TradeDeps): FireMarket {
  return {
    sellable: async (wallet, mint) => {
      const token = await loadToken(trade.chain, mint);
      const own = await lookAtWallet(trade, { side: 'sell', wallet, token });
      return (await sellableOf(trade, own, 1n)).units;
    },
    quote: (order, wallet, units) => quoteTrade(trade, requestOf(order, wallet, units)),
    parts: (order, whole) => partQuotes(trade, { order, whole }),
    supply: async (mint) => (await loadToken(trade.chain, mint)).supply,
    depth: async ({ side, mint }, wallet, amount) =>
      (await executablePrice(trade, { side, mint, amount, wallet }))?.depthLamports ?? null,
  };
}

function requestOf({ side, mint, terms }: Order, wallet: Address, units: bigint): TradeRequest {
  const settings = { wallet, mint, slippageBps: bps(terms.slippageBps), tier: terms.tier };
  return side === 'buy'
    ? { side, ...settings, amount: { lamports: units } }
    : { side, ...settings, amount: { units } };
}

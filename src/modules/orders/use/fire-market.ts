import type { Address } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { findShare } from '../../trading/use/find-sellable.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import { quoteTrade } from '../../trading/use/quote-trade.ts';
import type { TradeQuote, TradeRequest } from '../../trading/use/trade-quote.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';
import type { Order } from '../rules/order.ts';
import { executablePrice, partQuotes } from './executable-price.ts';

export type FireQuote = Pick<TradeQuote, 'terms' | 'safety'>;

/** Units of a token in one wallet: those that one sale can take, and those in other accounts of the wallet. */
export type HeldForSale = { readonly units: bigint; readonly elsewhere: bigint };

/** A fire's questions about the market and its wallet. Everything is read now, and nothing is changed. */
export type FireMarket = {
  /** The movable units of a token. A sale takes from one account. Throws INSUFFICIENT_TOKENS where there is nothing. */
  sellable(wallet: Address, mint: Address): Promise<HeldForSale>;
  /** The trade that would be signed for so many units. Throws as `quoteTrade`. */
  quote(order: Order, wallet: Address, units: bigint): Promise<FireQuote>;
  /** The output of other amounts of a quoted trade; null = nothing. */
  parts(order: Order, whole: FireQuote): Promise<(units: bigint) => bigint | null>;
  /** Units of the token there are. Throws TOKEN_NOT_FOUND for an address that is no mint any more. */
  supply(mint: Address): Promise<bigint>;
  /** Lamports on both sides of the token's pools; null where nothing trades it. */
  depth(order: Order, wallet: Address, units: bigint): Promise<bigint | null>;
};

const WHOLE = bps(10_000);

export function createFireMarket(trade: TradeDeps): FireMarket {
  return {
    sellable: async (wallet, mint) => {
      const token = await loadToken(trade.chain, mint);
      const associated = trade.programs.associatedTokenAddress(wallet, mint, token.tokenProgram);
      return findShare(trade, { wallet, token, associated, shareBps: WHOLE });
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

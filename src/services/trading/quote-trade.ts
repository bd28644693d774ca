import { quoteBuy } from './quote-buy.ts';
import { quoteSell } from './quote-sell.ts';
import type { TradeDeps } from './trade-deps.ts';
import type { TradeQuote, TradeRequest } from './trade-quote.ts';

/** The confirm screen's numbers for a buy or a sale, from chain state read now. Changes nothing anywhere. */
export function quoteTrade(deps: TradeDeps, request: TradeRequest): Promise<TradeQuote> {
  return request.side === 'buy' ? quoteBuy(deps, request) : quoteSell(deps, request);
}

import { bps } from '../../../core/amounts/bps.ts';
import type { ConfirmableTrade, TradeRequest } from './trade-quote.ts';

/** The request whose quote is compared with a confirmed trade: the same amount, slippage and way. */
export function againFor(
  trade: Omit<ConfirmableTrade, 'quotedAt'>,
  wallet: TradeRequest['wallet'],
): TradeRequest {
  const settings = {
    wallet,
    mint: trade.mint,
    slippageBps: bps(trade.terms.slippageBps),
    tier: trade.tier,
    ...(trade.tip === undefined ? {} : { tip: trade.tip }),
  };
  return trade.side === 'buy'
    ? { side: 'buy', ...settings, amount: { lamports: trade.terms.amountIn } }
    : { side: 'sell', ...settings, amount: { units: trade.terms.amountIn } };
}

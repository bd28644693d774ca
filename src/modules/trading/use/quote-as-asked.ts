import { type AutoSlippageDeps, slippageNow } from './auto-slippage.ts';
import { quoteTrade } from './quote-trade.ts';
import type { TradeQuote, TradeRequest } from './trade-quote.ts';

/**
 * `quoteTrade` with the slippage that its person chose: a fixed one, or one worked out from the market's moves, within the person's cap.
 * Throws as `quoteTrade`, and DATABASE_UNREACHABLE.
 */
export async function quoteAsAsked(
  deps: AutoSlippageDeps & Parameters<typeof quoteTrade>[0],
  request: TradeRequest,
): Promise<TradeQuote> {
  const { mint, side, wallet, autoCapBps: capBps = null } = request;
  if (capBps === null) return quoteTrade(deps, request);
  const auto = await slippageNow(deps, { mint, side, capBps, wallet });
  return { ...(await quoteTrade(deps, { ...request, slippageBps: auto.bps })), auto };
}

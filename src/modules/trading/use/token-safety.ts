import type { Address } from '@tradepost/solana';
import { type TokenSafety, tokenSafety, withExit } from '../../tokens/rules/safety.ts';
import { loadTradable } from './load-token.ts';
import type { TradeDeps } from './trading-deps.ts';

/**
 * The warnings of a token as a quote of its purchase has them, without a quote. `wallet`: the buyer, who may be barred. Throws
 * TOKEN_NOT_FOUND, TOKEN_NOT_TRANSFERABLE, CHAIN_UNREACHABLE.
 */
export async function safetyNow(
  deps: Pick<TradeDeps, 'chain' | 'wellKnown' | 'exitCheck'>,
  { mint, wallet }: { readonly mint: Address; readonly wallet: Address },
): Promise<TokenSafety> {
  const [token, epoch, exit] = await Promise.all([
    loadTradable(deps.chain, mint),
    deps.chain.epoch(),
    deps.exitCheck?.(mint, wallet),
  ]);
  return withExit(tokenSafety(token, { epoch, wellKnown: deps.wellKnown }), exit);
}

import { bps } from '../../../core/amounts/bps.ts';
import { orderOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { WalletStore } from '../../wallets/store/wallet-store-port.ts';
import { percentThatPasses } from '../rules/allowed-slippage.ts';
import { againFor } from './quote-again.ts';
import { quoteTrade } from './quote-trade.ts';

export type SlippageThatPassesDeps = Parameters<typeof quoteTrade>[0] & {
  readonly db: { readonly wallets: Pick<WalletStore, 'find'> };
};

/**
 * The whole percents of slippage with which a trade that the price failed would pass by a quote of now. Null where the agreed slippage is
 * enough again, and where it would take more than half of the trade. Null also for the trade of an order, and without a quote. Throws nothing.
 */
export async function slippageThatPasses(
  deps: SlippageThatPassesDeps,
  { params, walletId }: Pick<Intent, 'params' | 'walletId'>,
): Promise<number | null> {
  const trade = tradeOf(params);
  if (trade === null || orderOf(params) !== null || !('tier' in params)) return null;
  const { side, mint, terms } = trade;
  try {
    const wallet = await deps.db.wallets.find(walletId);
    if (wallet === null) return null;
    const asked = againFor({ side, mint, terms, tier: params.tier }, wallet.address);
    const { terms: now } = await quoteTrade(deps, { ...asked, slippageBps: bps(terms.slippageBps) });
    return percentThatPasses(terms, now.quotedOut);
  } catch {
    // A token without a market now, a wallet that was emptied: the card says it.
    return null;
  }
}

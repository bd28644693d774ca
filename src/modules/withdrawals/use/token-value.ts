import { WSOL_MINT } from '@tradepost/solana';
import type { WithdrawTokenParams } from '../../../engine/intents/kinds/withdraw-token/params.ts';
import { saleWorth } from '../../trading/rules/sale-worth.ts';
import { assertAllAsked, loadRoutePools, type RoutePoolsDeps } from '../../trading/use/load-route-pools.ts';

/**
 * The present worth of the amount in lamports, as it counts against the daily cap: see `saleWorth`. Null when no exchange pays anything for
 * the token, for any amount. Not reaching the chain is neither: it throws, as it does where a venue could not be asked and no other pays.
 */
export async function tokenValue(
  deps: RoutePoolsDeps,
  { mint, amount }: Pick<WithdrawTokenParams, 'mint' | 'amount'>,
): Promise<bigint | null> {
  // Wrapped SOL is SOL.
  if (mint === WSOL_MINT) return amount;
  const { pools, ...asked } = await loadRoutePools(deps, { mintIn: WSOL_MINT, mintOut: mint });
  const worth = saleWorth(pools, mint);
  if (worth === null) assertAllAsked(asked);
  return worth === null ? null : worth(amount);
}

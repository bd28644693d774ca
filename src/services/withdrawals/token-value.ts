import { WSOL_MINT } from '../../core/address/programs.ts';
import type { WithdrawTokenParams } from '../../core/intents/params.ts';
import { saleWorth } from '../../core/swap/sale-worth.ts';
import { loadRoutePools, type RoutePoolsDeps } from '../trading/load-route-pools.ts';

/**
 * What the amount is worth now in lamports, as it counts against the daily cap: see `saleWorth`. Null when no exchange pays
 * anything for the token, whatever the amount. Not reaching the chain is neither: it throws.
 */
export async function tokenValue(
  deps: RoutePoolsDeps,
  { mint, amount }: Pick<WithdrawTokenParams, 'mint' | 'amount'>,
): Promise<bigint | null> {
  // Wrapped SOL is SOL.
  if (mint === WSOL_MINT) return amount;
  const worth = saleWorth(await loadRoutePools(deps, WSOL_MINT, mint), mint);
  return worth === null ? null : worth(amount);
}

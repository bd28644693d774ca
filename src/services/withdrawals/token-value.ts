import { WSOL_MINT } from '../../core/address/programs.ts';
import { isAppError } from '../../core/errors/app-error.ts';
import type { ErrorCode } from '../../core/errors/codes.ts';
import type { WithdrawTokenParams } from '../../core/intents/params.ts';
import { chooseRoute } from '../../core/swap/choose-route.ts';
import { loadRoutePools, type RoutePoolsDeps } from '../swap/load-route-pools.ts';

/** Answers of the exchanges that mean: this amount has no price. */
const UNPRICED: ReadonlySet<ErrorCode> = new Set([
  'NO_ROUTE',
  'INSUFFICIENT_LIQUIDITY',
  'AMOUNT_DUST',
  'PRICE_IMPACT_TOO_HIGH',
]);

/**
 * What selling the amount would bring now, in lamports: the worth that counts against the daily cap. Null when no exchange
 * gives a price for it; such withdrawals are counted by number instead. Not reaching the chain is neither: it throws.
 */
export async function tokenValue(
  deps: RoutePoolsDeps,
  { mint, amount }: WithdrawTokenParams,
): Promise<bigint | null> {
  // Wrapped SOL is SOL.
  if (mint === WSOL_MINT) return amount;
  try {
    const pools = await loadRoutePools(deps, WSOL_MINT, mint);
    return chooseRoute(pools, { mintIn: mint, mintOut: WSOL_MINT, amountIn: amount }).amountOut;
  } catch (error) {
    if (isAppError(error) && UNPRICED.has(error.code)) return null;
    throw error;
  }
}

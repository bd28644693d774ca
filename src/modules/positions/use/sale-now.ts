import { type Address, WSOL_MINT } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import { marketPrice, networkFee } from '../../../engine/fees/use/network-fee.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { valueAt } from '../../trading/rules/price.ts';
import { loadMeans, ownRoute } from '../../trading/use/choose-way.ts';
import { loadRoutePools } from '../../trading/use/load-route-pools.ts';
import { loadToken } from '../../trading/use/load-token.ts';
import { platformTerms } from '../../trading/use/swap-terms.ts';
import { bestPrice } from '../../trading/use/trade-card.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';

/** The proceeds of a sale of all units now. Lamports. */
export type SaleNow = {
  /** The proceeds after the platform's and the network's fee; below zero when the fees are more. */
  readonly netLamports: bigint;
  /** At the mid price of the deepest pool; null where no pool has one. */
  readonly midLamports: bigint | null;
};

/** About the compute units of a sale, for the fee of a transaction that is not built yet. */
const SALE_UNITS = 200_000;
const NO_SLIPPAGE = bps(0);

/**
 * The exact route for these units at the present states. Null where there is no market, or where not every venue could be asked
 * and the others have none: unknown is never shown as zero. Never throws for a refusal; a broken chain is unknown as well.
 */
export async function saleNow(
  deps: TradeDeps,
  sale: {
    readonly wallet: Address;
    readonly mint: Address;
    readonly units: bigint;
    readonly tier: PriorityTier;
  },
): Promise<SaleNow | null> {
  const { wallet, mint, units, tier } = sale;
  if (units <= 0n) return null;
  try {
    const way = { mintIn: mint, mintOut: WSOL_MINT };
    const terms = await platformTerms(deps, { ...way, amount: units, slippageBps: NO_SLIPPAGE, wallet });
    const [token, found, price, means] = await Promise.all([
      loadToken(deps.chain, mint),
      loadRoutePools(deps, way),
      marketPrice(deps.chain, { payer: wallet }, [], tier),
      loadMeans(deps, terms),
    ]);
    const priced = await ownRoute(deps, terms, found, means);
    if (isAppError(priced)) return null;
    const network = networkFee({ units: SALE_UNITS, marketPrice: price, tier, signatures: 1 });
    const middle = bestPrice(found.pools, token);
    return {
      netLamports: priced.amountOut - network.totalLamports,
      midLamports: middle === null ? null : valueAt(middle, units, token.decimals),
    };
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

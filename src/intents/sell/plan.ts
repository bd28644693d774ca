import { buildTradePlan } from '../../services/trading/build-trade-plan.ts';
import type { TradeDeps } from '../../services/trading/trading-deps.ts';
import type { PlanBuilder } from '../../services/transactions/plan.ts';

/** One attempt of a confirmed sale, on the market as it is then. Throws what `buildTradePlan` throws. */
export function createSellPlanBuilder(deps: TradeDeps): PlanBuilder<'sell'> {
  return ({ params }, { address: wallet }, attemptId) =>
    buildTradePlan(deps, { ...params, side: 'sell', wallet, amount: params.amountIn, attemptId });
}

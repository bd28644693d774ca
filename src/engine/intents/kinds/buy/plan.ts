import { buildTradePlan } from '../../../../modules/trading/use/build-trade-plan.ts';
import type { TradeDeps } from '../../../../modules/trading/use/trading-deps.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';

/** One attempt of a confirmed purchase, on the market as it is then. Throws the errors of `buildTradePlan`. */
export function createBuyPlanBuilder(deps: TradeDeps): PlanBuilder<'buy'> {
  return ({ params }, { address: wallet }, attemptId) =>
    buildTradePlan(deps, { ...params, side: 'buy', wallet, amount: params.lamportsIn, attemptId });
}

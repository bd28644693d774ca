import { buildTradePlan } from '../../../../modules/trading/use/build-trade-plan.ts';
import type { TradeDeps } from '../../../../modules/trading/use/trading-deps.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';
import { withTip } from '../../../transactions/use/tip-plan.ts';

/** One attempt of a confirmed purchase, on the market as it is then. Throws the errors of `buildTradePlan`. */
export function createBuyPlanBuilder(deps: TradeDeps): PlanBuilder<'buy'> {
  return async ({ params }, { address: wallet }, attemptId, n) =>
    withTip(
      await buildTradePlan(deps, { ...params, side: 'buy', wallet, amount: params.lamportsIn, attemptId }),
      { programs: deps.programs, wallet, tip: params.tip, n },
    );
}

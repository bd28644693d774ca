import { sellAndClose } from '../../../../modules/trading/use/sell-and-close.ts';
import type { TradeDeps } from '../../../../modules/trading/use/trading-deps.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';
import { withTip } from '../../../transactions/use/tip-plan.ts';

/**
 * One attempt of a confirmed sale, on the market as it is then. The first attempt of a sale that a person asks for closes the account that
 * it empties. An order's does not: a stranger who sends one unit at the right moment would keep it from selling. Throws the errors of
 * `buildTradePlan`.
 */
export function createSellPlanBuilder(deps: TradeDeps): PlanBuilder<'sell'> {
  return async ({ params }, { address: wallet }, attemptId, n) =>
    withTip(
      await sellAndClose(deps, {
        ...params,
        side: 'sell',
        wallet,
        amount: params.amountIn,
        attemptId,
        mayClose: n === 1 && params.order === undefined,
      }),
      { programs: deps.programs, wallet, tip: params.tip, n },
    );
}

import { isAppError } from '../../../core/errors/app-error.ts';
import { failedInstruction } from '../../../engine/transactions/use/check-simulation.ts';
import type { TransactionPlan } from '../../../engine/transactions/use/plan.ts';
import { buildTradePlan, type ConfirmedTrade } from './build-trade-plan.ts';
import type { TradeDeps } from './trading-deps.ts';

/**
 * A sale that closes the account which it empties, where it may. The deposit never blocks the sale. Closing alone may fail, because a route
 * left dust or units came meanwhile, or the message may have no room for it. Then the same sale is planned without. Throws the errors of
 * `buildTradePlan`.
 */
export async function sellAndClose(deps: TradeDeps, trade: ConfirmedTrade): Promise<TransactionPlan> {
  const keepOpen = () => buildTradePlan(deps, { ...trade, mayClose: false });
  const orKeepOpen = (plan: TransactionPlan): TransactionPlan => {
    if (plan.expect.closes === undefined) return plan;
    const closing = plan.instructions.length - 1;
    return {
      ...plan,
      instead: async (why) => {
        // An error that is no refusal is a message that does not fit.
        if (failedInstruction(why) === closing || !isAppError(why)) return keepOpen();
        if (plan.instead === undefined) throw why;
        return orKeepOpen(await plan.instead(why));
      },
    };
  };
  return orKeepOpen(await buildTradePlan(deps, trade));
}

import { isAppError } from '../../../core/errors/app-error.ts';
import { failedInstruction } from '../../../engine/transactions/use/check-simulation.ts';
import type { TransactionPlan } from '../../../engine/transactions/use/plan.ts';
import { buildTradePlan, type ConfirmedTrade } from './build-trade-plan.ts';
import type { TradeDeps } from './trading-deps.ts';

/**
 * A sale that closes the account which it empties, where it may. The deposit never stands in the way of the sale: when closing
 * alone fails, because a route left dust or units came meanwhile, or when the message has no room for it, the same sale is
 * planned without. Throws what `buildTradePlan` throws.
 */
export async function sellAndClose(deps: TradeDeps, trade: ConfirmedTrade): Promise<TransactionPlan> {
  const keepOpen = () => buildTradePlan(deps, { ...trade, mayClose: false });
  const orKeepOpen = (plan: TransactionPlan): TransactionPlan => {
    if (plan.expect.closes === undefined) return plan;
    const closing = plan.instructions.length - 1;
    return {
      ...plan,
      instead: async (why) => {
        // What is no refusal is a message that does not fit.
        if (failedInstruction(why) === closing || !isAppError(why)) return keepOpen();
        if (plan.instead === undefined) throw why;
        return orKeepOpen(await plan.instead(why));
      },
    };
  };
  return orKeepOpen(await buildTradePlan(deps, trade));
}

import { AppError } from '../../../../core/errors/app-error.ts';
import type { Chain } from '../../../../platform/ports/chain.ts';
import type { Programs } from '../../../../platform/ports/programs.ts';
import { networkFeeCap } from '../../../fees/rules/network-fee-cap.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';

/**
 * The plan of a payout: one transfer per item out of the treasury. Recipients and the treasury are looked at again, because
 * one recipient that cannot receive fails the whole batch and burns its fee. Throws RECIPIENT_BELOW_RENT, INSUFFICIENT_LAMPORTS.
 */
export function createPayoutPlan(deps: {
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption'>;
  readonly programs: Pick<Programs, 'transferSol'>;
}): PlanBuilder<'payout'> {
  return async ({ params }, treasury) => {
    const { items } = params;
    const [{ accounts }, minimum] = await Promise.all([
      deps.chain.accounts([treasury.address, ...items.map((item) => item.recipient)]),
      deps.chain.rentExemption(0),
    ]);
    const total = items.reduce((sum, item) => sum + item.lamports, 0n);
    const available = accounts[0]?.lamports ?? 0n;
    const fees = networkFeeCap('normal') + minimum;
    if (available < total + fees) {
      throw new AppError('INSUFFICIENT_LAMPORTS', { needed: total + fees, available, amount: total, fees });
    }
    items.forEach((item, index) => {
      const wouldHold = (accounts[index + 1]?.lamports ?? 0n) + item.lamports;
      if (wouldHold < minimum) throw new AppError('RECIPIENT_BELOW_RENT', { minimum, wouldHold });
    });
    return {
      instructions: items.map((item) =>
        deps.programs.transferSol({ from: treasury.address, to: item.recipient, lamports: item.lamports }),
      ),
      tier: 'normal',
      units: null,
      terms: null,
      expect: { maxLamportsOut: total, minLamportsIn: null, tokens: [] },
      coSign: null,
    };
  };
}

import { AppError } from '../../../../core/errors/app-error.ts';
import type { Chain } from '../../../../platform/ports/chain.ts';
import type { Programs } from '../../../../platform/ports/programs.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';

/** Compute units of two budget instructions, a memo with an intent id and a transfer, with room to spare. */
export const SOL_TRANSFER_UNITS = 40_000;

/**
 * The plan of a SOL withdrawal. Its units are known beforehand, so that the fee is exact before anything is compiled and a withdrawal of
 * everything leaves exactly nothing. Lamports that arrived in the wallet after the confirmation stay there: they were neither agreed nor
 * counted against the daily cap. Only a remainder too small to stay goes along.
 */
export function createWithdrawSolPlan(deps: {
  readonly chain: Pick<Chain, 'balance' | 'rentExemption'>;
  readonly programs: Pick<Programs, 'transferSol'>;
}): PlanBuilder<'withdraw-sol'> {
  return async ({ params }, wallet) => {
    const part = (lamports: bigint) => ({
      instructions: [deps.programs.transferSol({ from: wallet.address, to: params.destination, lamports })],
      expect: { maxLamportsOut: lamports, minLamportsIn: null, tokens: [] },
    });
    const common = { tier: params.tier, units: SOL_TRANSFER_UNITS, terms: null, coSign: null } as const;
    if (!params.everything) return { ...part(params.lamports), ...common };
    const [balance, minimum] = await Promise.all([
      deps.chain.balance(wallet.address),
      deps.chain.rentExemption(0),
    ]);
    return {
      ...part(1n),
      ...common,
      finish: (networkFeeLamports) => {
        const most = balance - networkFeeLamports;
        const lamports = most - params.lamports < minimum ? most : params.lamports;
        if (lamports <= 0n) {
          throw new AppError('INSUFFICIENT_LAMPORTS', {
            needed: networkFeeLamports + 1n,
            available: balance,
            amount: 1n,
            fees: networkFeeLamports,
          });
        }
        return part(lamports);
      },
    };
  };
}

import type { Address } from '@tradepost/solana';
import { type BuildDeps, priceAndSimulate } from './build-attempt.ts';
import type { TransactionPlan } from './plan.ts';

/** As long as every intent's id: a memo of another length would make a transaction of another size. */
export const NO_INTENT = '0'.repeat(26);

/** Throws the error that building the plan for this wallet would meet at this moment. Nothing is signed, sent or stored. */
export type Rehearse = (plan: TransactionPlan, wallet: Address) => Promise<void>;

export function createRehearse(deps: Pick<BuildDeps, 'chain' | 'compiler' | 'programs'>): Rehearse {
  return async (plan, address) => {
    try {
      await priceAndSimulate(deps, { id: NO_INTENT }, { address }, plan);
    } catch (error) {
      if (plan.instead === undefined) throw error;
      await priceAndSimulate(deps, { id: NO_INTENT }, { address }, await plan.instead(error));
    }
  };
}

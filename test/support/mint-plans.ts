import type { PlanBuilders } from '../../src/services/transactions/plan.ts';

/** For rigs in which nobody makes tokens. */
export const NO_MINT_PLANS: Pick<PlanBuilders, 'create-token' | 'revoke-authority' | 'launch'> = {
  'create-token': () => Promise.reject(new Error('no creations here')),
  'revoke-authority': () => Promise.reject(new Error('no revocations here')),
  launch: () => Promise.reject(new Error('no launches here')),
};

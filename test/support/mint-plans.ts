import type { PlanBuilders } from '../../src/engine/transactions/use/plan.ts';

/** For rigs in which nobody makes tokens. */
export const NO_MINT_PLANS: Pick<
  PlanBuilders,
  'prepare-token' | 'create-token' | 'revoke-authority' | 'launch'
> = {
  'prepare-token': () => Promise.reject(new Error('no creations here')),
  'create-token': () => Promise.reject(new Error('no creations here')),
  'revoke-authority': () => Promise.reject(new Error('no revocations here')),
  launch: () => Promise.reject(new Error('no launches here')),
};

import { accrueReward } from '../../services/payouts/accrue-reward.ts';
import type { Settlement } from '../../services/transactions/settlement.ts';
import type { BuyParams } from './params.ts';

/** Books the fee and the inviter's share of it. */
export const settlement: Settlement<BuyParams> = {
  capture: (deps, stores, { fee }) => accrueReward(deps, stores, fee),
};

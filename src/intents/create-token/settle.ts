import { rememberToken } from '../../services/mint/remember-token.ts';
import { accrueReward } from '../../services/payouts/accrue-reward.ts';
import type { Settlement } from '../../services/transactions/settlement.ts';
import type { CreateTokenParams } from './params.ts';

/** Writes the token down, and books the fee with the inviter's share. */
export const settlement: Settlement<CreateTokenParams> = {
  capture: async (deps, stores, final) => {
    const { feeLamports } = await rememberToken(deps, stores, final.params, final);
    const arrived = final.receipt?.platformFeeLamports ?? feeLamports;
    await accrueReward(deps, stores, { ...final.fee, feeLamports: arrived });
  },
};

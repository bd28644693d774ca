import { rememberToken } from '../../../../modules/mint/use/remember-token.ts';
import { accrueReward } from '../../../../modules/referrals/use/accrue-reward.ts';
import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { CreateTokenParams } from './params.ts';

/** Writes the token down, and books the fee with the inviter's share. */
export const settlement: Settlement<CreateTokenParams> = {
  capture: async (deps, stores, final) => {
    const { feeLamports } = await rememberToken(deps, stores, final.params, final);
    const arrived = final.receipt?.platformFeeLamports ?? feeLamports;
    await accrueReward(deps, stores, { ...final.fee, feeLamports: arrived });
  },
};

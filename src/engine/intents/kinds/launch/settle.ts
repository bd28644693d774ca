import type { ReadCreation } from '../../../../modules/mint/rules/read-creation.ts';
import { rememberToken } from '../../../../modules/mint/use/remember-token.ts';
import { accrueReward } from '../../../../modules/referrals/use/accrue-reward.ts';
import type { Stores } from '../../../../platform/ports/stores.ts';
import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { LaunchParams } from './params.ts';

/** Writes the launch and its token down, and books the fee with the inviter's share. */
export const settlement: Settlement<LaunchParams> = {
  capture: async (deps, stores, final) => {
    const { feeLamports } = await rememberLaunch(deps, stores, final.params, final);
    const arrived = final.receipt?.platformFeeLamports ?? feeLamports;
    await accrueReward(deps, stores, { ...final.fee, feeLamports: arrived });
  },
};

type Remember = Parameters<typeof rememberToken>;

/** Writes a launch down beside its token, inside the commit that makes its intent final. Returns the facts of the landed bytes. */
async function rememberLaunch(
  deps: Remember[0],
  stores: Pick<Stores, 'createdTokens' | 'wallets' | 'launches' | 'notices'>,
  params: LaunchParams,
  landed: Remember[3],
): Promise<ReadCreation> {
  const way = params.spec.program === 'token2022' ? 'native' : 'metaplex';
  const creation = await rememberToken(deps, stores, { ...params, way }, landed);
  const { intent, receipt } = landed;
  if (intent.userId === null) return creation;
  const at = receipt?.landedAt ?? deps.clock.now();
  await stores.launches.insert({
    mint: creation.mint,
    userId: intent.userId,
    intentId: intent.id,
    pad: params.pad,
    config: params.config,
    firstBuyLamports: params.firstBuy?.lamports ?? 0n,
    soldBps: 0,
    checkedAt: at,
    graduatedAt: null,
    createdAt: at,
  });
  return creation;
}

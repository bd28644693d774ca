import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { known, refuseAction } from '../../../signing/rules/payment-rules.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import type { WithdrawSolParams } from './params.ts';

/** One transfer to the agreed address. Of everything: the whole rest, which the plan knows and the simulation bounds. */
export const policy: KindPolicy<WithdrawSolParams> = {
  coSigners: 0,
  tierOf: ({ tier }) => tier,
  judge: ({ actions }, params) => {
    const [transfer, ...rest] = known(actions);
    if (transfer?.kind !== 'transfer-sol' || rest.length > 0) refuseAction(transfer, rest);
    if (transfer.to !== params.destination) deny('sol-destination');
    if (!params.everything && transfer.lamports !== params.lamports) deny('sol-amount');
  },
};

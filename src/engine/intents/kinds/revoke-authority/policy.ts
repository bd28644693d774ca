import { revokeInstruction } from '../../../../modules/mint/rules/instructions/revoke-authority.ts';
import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import { sameInstructions } from '../../../signing/rules/token-rules.ts';
import type { RevokeAuthorityParams } from './params.ts';

/** Exactly the one instruction that gives this authority of this mint up. */
export const policy: KindPolicy<RevokeAuthorityParams> = {
  coSigners: 0,
  tierOf: ({ tier }) => tier,
  judge: ({ instructions: own }, params, { wallet }) => {
    if (!sameInstructions(own, [revokeInstruction({ ...params, holder: wallet })])) deny('instruction');
  },
};

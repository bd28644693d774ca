import { revokeInstruction } from '../../core/mint/instructions/revoke-authority.ts';
import type { KindPolicy } from '../../core/signing/kind-policy.ts';
import { deny } from '../../core/signing/policy-rule.ts';
import { sameInstructions } from '../../core/signing/token-rules.ts';
import type { RevokeAuthorityParams } from './params.ts';

/** Exactly the one instruction that gives this authority of this mint up. */
export const policy: KindPolicy<RevokeAuthorityParams> = {
  coSigners: 0,
  tierOf: ({ tier }) => tier,
  judge: ({ instructions: own }, params, { wallet }) => {
    if (!sameInstructions(own, [revokeInstruction({ ...params, holder: wallet })])) deny('instruction');
  },
};

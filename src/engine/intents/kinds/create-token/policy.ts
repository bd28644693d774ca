import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import { expectedCreation, sameInstructions } from '../../../signing/rules/token-rules.ts';
import type { CreateTokenParams } from './params.ts';

/** Exactly the instructions that the row describes. The new mint signs, where no earlier transaction made it. */
export const policy: KindPolicy<CreateTokenParams> = {
  coSigners: 1,
  tierOf: ({ tier }) => tier,
  judge: ({ instructions: own, signers }, params, { wallet, treasury }) => {
    const expected = expectedCreation(own, params, { wallet, treasury, signers });
    if (expected === null || !sameInstructions(own, expected)) deny('instruction');
  },
};

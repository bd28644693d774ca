import { revokeInstruction } from '../../../../modules/mint/rules/instructions/revoke-authority.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';

/** One attempt of giving an authority up: a single instruction that moves nothing. */
export function createRevocationPlanBuilder(): PlanBuilder<'revoke-authority'> {
  return async ({ params }, wallet) => ({
    instructions: [revokeInstruction({ ...params, holder: wallet.address })],
    tier: params.tier,
    units: null,
    terms: null,
    expect: { maxLamportsOut: 0n, minLamportsIn: null, tokens: [] },
    coSign: null,
  });
}

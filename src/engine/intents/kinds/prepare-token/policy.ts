import type { Instruction } from '@tradepost/solana';
import { prepareTokenInstructions } from '../../../../modules/mint/rules/instructions/create-token.ts';
import type { KindPolicy, OwnPart, PolicyContext } from '../../../signing/rules/kind-policy.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import { recordOf, sameInstructions } from '../../../signing/rules/token-rules.ts';
import type { PrepareTokenParams } from './params.ts';

/** Exactly the instructions that the row describes: the new mint signs, and no payment is in them. */
export const policy: KindPolicy<PrepareTokenParams> = {
  coSigners: 1,
  tierOf: ({ tier }) => tier,
  judge: (own, params, context) => {
    const expected = expectedPreparation(own, params, context);
    if (expected === null || !sameInstructions(own.instructions, expected)) deny('instruction');
  },
};

/** The one list that the first half of this creation may consist of: it pays no fee. */
function expectedPreparation(
  { instructions: own, signers }: OwnPart,
  { creation }: PrepareTokenParams,
  { wallet }: PolicyContext,
): readonly Instruction[] | null {
  const mint = signers[1];
  const record = recordOf(own);
  if (signers.length !== 2 || mint === undefined) return null;
  if (creation.way === 'metaplex' && record === null) return null;
  const { spec, way, uri, mintRentLamports } = creation;
  return prepareTokenInstructions({ spec, way, uri, creator: wallet, mint, record, mintRentLamports });
}

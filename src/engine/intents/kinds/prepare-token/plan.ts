import type { Address } from '@tradepost/solana';
import { prepareTokenInstructions } from '../../../../modules/mint/rules/instructions/create-token.ts';
import type { MintKeys } from '../../../../platform/ports/mint-keys.ts';
import type { Programs } from '../../../../platform/ports/programs.ts';
import type { PlanBuilder, TransactionPlan } from '../../../transactions/use/plan.ts';
import type { PrepareTokenParams } from './params.ts';

type PreparationPlanDeps = { readonly programs: Programs; readonly mintKeys: MintKeys };

/** One attempt of the first half of a creation: a mint of its own, without supply and without a fee. */
export function createPreparationPlanBuilder(deps: PreparationPlanDeps): PlanBuilder<'prepare-token'> {
  return async ({ params }, wallet) => planPreparation(deps, params, wallet.address);
}

export function planPreparation(
  { programs, mintKeys }: PreparationPlanDeps,
  { creation, tier }: PrepareTokenParams,
  creator: Address,
): TransactionPlan {
  const { spec, way, uri, mintRentLamports } = creation;
  const key = mintKeys.generate();
  const mint = key.address;
  const record = way === 'metaplex' ? programs.metadataRecordAddress(mint) : null;
  return {
    instructions: prepareTokenInstructions({ spec, way, uri, creator, mint, record, mintRentLamports }),
    tier,
    units: null,
    terms: null,
    expect: { maxLamportsOut: mintRentLamports + creation.recordLamports, minLamportsIn: null, tokens: [] },
    coSign: async (message) => new Map([[mint, key.sign(message)]]),
  };
}

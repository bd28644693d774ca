import type { Address } from '../../core/address/address.ts';
import { minBigint } from '../../core/amounts/rounding.ts';
import { createTokenInstructions } from '../../core/mint/instructions/create-token.ts';
import { tokenProgramOf } from '../../core/mint/mint-size.ts';
import type { MintKeys } from '../../core/ports/mint-keys.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { PlanBuilder } from '../transactions/plan.ts';
import type { ReceivableFee } from '../treasury/platform-fee.ts';

/**
 * One attempt of a confirmed creation: a mint of its own, the agreed parameters to the letter, and the platform's fee in the
 * same transaction, so that a creation that fails costs no fee. The mint's key signs after the simulation and is gone.
 */
export function createTokenPlanBuilder(deps: {
  readonly programs: Programs;
  readonly mintKeys: MintKeys;
  readonly receivableFee: ReceivableFee;
  readonly treasury: Address;
}): PlanBuilder<'create-token'> {
  const { programs, treasury } = deps;
  return async ({ params }, wallet) => {
    const { spec, way, uri, mintRentLamports } = params;
    const lamports = minBigint(await deps.receivableFee(params.feeLamports), params.feeLamports);
    const key = deps.mintKeys.generate();
    const mint = key.address;
    const holding = programs.associatedTokenAddress(spec.mintTo, mint, tokenProgramOf(spec));
    return {
      instructions: createTokenInstructions({
        spec,
        way,
        uri,
        creator: wallet.address,
        mint,
        holding,
        record: way === 'metaplex' ? programs.metadataRecordAddress(mint) : null,
        mintRentLamports,
        fee: lamports === 0n ? null : { treasury, lamports },
      }),
      tier: params.tier,
      units: null,
      terms: null,
      expect: {
        maxLamportsOut: mintRentLamports + params.holdingRentLamports + params.recordLamports + lamports,
        minLamportsIn: null,
        tokens: spec.mintTo === wallet.address ? [{ account: holding, mint, minDelta: spec.supply }] : [],
      },
      coSign: async (message) => new Map([[mint, key.sign(message)]]),
    };
  };
}

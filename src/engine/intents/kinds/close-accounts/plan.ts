import type { Programs } from '../../../../platform/ports/programs.ts';
import type { PlanBuilder } from '../../../transactions/use/plan.ts';

/**
 * One attempt of closing the agreed accounts, withheld fees harvested before, and of taking what others hold above their rent. The simulation
 * must show that the lamports that were shown come back.
 */
export function createCloseAccountsPlan(deps: {
  readonly programs: Pick<Programs, 'closeTokenAccount' | 'harvestWithheldFees' | 'withdrawExcess'>;
}): PlanBuilder<'close-accounts'> {
  return async ({ params }, wallet) => ({
    instructions: [
      ...params.accounts.flatMap(({ account, tokenProgram, feeMint }) => [
        ...(feeMint === undefined
          ? []
          : [deps.programs.harvestWithheldFees({ mint: feeMint, accounts: [account] })]),
        deps.programs.closeTokenAccount({ account, tokenProgram, owner: wallet.address }),
      ]),
      ...(params.excess ?? []).map((one) => deps.programs.withdrawExcess({ ...one, owner: wallet.address })),
    ],
    tier: params.tier,
    units: null,
    terms: null,
    expect: {
      maxLamportsOut: 0n,
      minLamportsIn: params.rentLamports,
      tokens: [],
      closes: params.accounts.map(({ account }) => account),
    },
    coSign: null,
  });
}

import type { Programs } from '../../core/ports/programs.ts';
import type { PlanBuilder } from '../../services/transactions/plan.ts';

/** One attempt of closing the agreed accounts. The simulation must show that the rent that was shown comes back. */
export function createCloseAccountsPlan(deps: {
  readonly programs: Pick<Programs, 'closeTokenAccount'>;
}): PlanBuilder<'close-accounts'> {
  return async ({ params }, wallet) => ({
    instructions: params.accounts.map((one) =>
      deps.programs.closeTokenAccount({ ...one, owner: wallet.address }),
    ),
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

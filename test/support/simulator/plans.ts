import { type Address, addressFromBytes } from '../../../src/core/address/address.ts';
import type { Chain } from '../../../src/core/ports/chain.ts';
import type { Programs } from '../../../src/core/ports/programs.ts';
import { createPayoutPlan } from '../../../src/services/payouts/plan-payout.ts';
import type { PlanBuilders, TransactionPlan } from '../../../src/services/transactions/plan.ts';
import { createWithdrawSolPlan } from '../../../src/services/withdrawals/plan-withdraw-sol.ts';
import { NO_MINT_PLANS } from '../mint-plans.ts';

/** Where every simulated trade's lamports go: the simulated cluster has no tokens, the engine under test does not look. */
export const VENUE: Address = addressFromBytes(new Uint8Array(32).fill(77));
export const TREASURY: Address = addressFromBytes(new Uint8Array(32).fill(2));

/** The real plans where lamports move; for tokens and trades, plans that move lamports and carry the platform fee. */
export function simulatedPlans(chain: Chain, programs: Programs): PlanBuilders {
  const moving = (from: Address, moves: readonly (readonly [Address, bigint])[]): TransactionPlan => ({
    instructions: moves.map(([to, lamports]) => programs.transferSol({ from, to, lamports })),
    tier: 'normal',
    units: null,
    terms: null,
    expect: {
      maxLamportsOut: moves.reduce((sum, [, lamports]) => sum + lamports, 0n),
      minLamportsIn: null,
      tokens: [],
    },
    coSign: null,
  });
  return {
    ...NO_MINT_PLANS,
    'withdraw-sol': createWithdrawSolPlan({ chain, programs }),
    payout: createPayoutPlan({ chain, programs }),
    'withdraw-token': async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      return moving(wallet.address, [[params.destination, params.amount]]);
    },
    buy: async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      const fee = params.terms.platformFeeLamports;
      return {
        ...moving(wallet.address, [
          [VENUE, params.lamportsIn - fee],
          [TREASURY, fee],
        ]),
        terms: params.terms,
      };
    },
    sell: async ({ params }, wallet) => {
      await chain.accounts([wallet.address]);
      const fee = params.terms.platformFeeLamports;
      return {
        ...moving(wallet.address, [
          [VENUE, params.amountIn],
          [TREASURY, fee],
        ]),
        terms: params.terms,
      };
    },
  };
}

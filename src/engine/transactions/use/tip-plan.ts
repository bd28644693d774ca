import { type Address, DONT_FRONT } from '@tradepost/solana';
import type { Programs } from '../../../platform/ports/programs.ts';
import { type TipTerms, tipOfAttempt } from '../../intents/rules/tip-terms.ts';
import type { TransactionPlan } from './plan.ts';

/**
 * The plan with the tip of attempt `n` as its last instruction, and with the lamports that the tip takes in what the simulation may show. A
 * protecting sender is also asked not to let anything run ahead, by an account that the system program ignores. Without a tip the plan as
 * it is.
 */
export function withTip(
  plan: TransactionPlan,
  given: {
    readonly programs: Pick<Programs, 'transferSol'>;
    readonly wallet: Address;
    readonly tip: TipTerms | undefined;
    readonly n: number | undefined;
  },
): TransactionPlan {
  const { programs, wallet, tip, n = 1 } = given;
  if (tip === undefined) return plan;
  const lamports = tipOfAttempt(tip, n);
  const transfer = programs.transferSol({ from: wallet, to: tip.to, lamports });
  const asks = tip.protects ? [{ address: DONT_FRONT, signer: false, writable: false }] : [];
  const { expect, instead } = plan;
  return {
    ...plan,
    instructions: [...plan.instructions, { ...transfer, accounts: [...transfer.accounts, ...asks] }],
    expect: {
      ...expect,
      maxLamportsOut: expect.maxLamportsOut + lamports,
      minLamportsIn: expect.minLamportsIn === null ? null : expect.minLamportsIn - lamports,
    },
    ...(instead === undefined ? {} : { instead: async (why) => withTip(await instead(why), given) }),
  };
}

import { lamportsDelta } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { WithdrawSolParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const withdrawSol: KindRules<WithdrawSolParams> = {
  act: 'withdraw',
  confirmedBy: 'pin',
  stoppedBy: ['signing', 'withdrawals'],
  fee: null,
  spends: () => 0n,
  recipientOf: ({ destination }) => destination,
  withdraws: ({ lamports }) => ({ lamports, unpriced: 0 }),
  showsEffect: ({ landed, wallet, params }) => {
    const got = lamportsDelta(landed, params.destination);
    return params.everything
      ? got > 0n && got === -lamportsDelta(landed, wallet) - landed.feeLamports
      : got === params.lamports;
  },
  retry,
  policy,
};

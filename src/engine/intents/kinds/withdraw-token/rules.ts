import { WSOL_MINT } from '../../../../core/address/programs.ts';
import { tokenDelta } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { WithdrawTokenParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const withdrawToken: KindRules<WithdrawTokenParams> = {
  act: 'withdraw',
  confirmedBy: 'pin',
  stoppedBy: ['signing', 'withdrawals'],
  fee: null,
  spends: () => 0n,
  recipientOf: ({ destination }) => destination,
  withdraws: ({ mint, amount }) => (mint === WSOL_MINT ? amount : 0n),
  tokenMoveOf: ({ mint }) => ({ mint, as: null, flowLamports: 0n }),
  showsEffect: ({ landed, wallet, params }) => tokenDelta(landed, wallet, params.mint) === -params.amount,
  retry,
  policy,
};

import { maxBigint, WSOL_MINT } from '@tradepost/solana';
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
  withdraws: ({ mint, amount, worth }) => ({
    lamports: maxBigint(mint === WSOL_MINT ? amount : 0n, worth ?? 0n),
    unpriced: worth === null ? 1 : 0,
  }),
  tokenMoveOf: ({ mint }) => ({ mint, as: null, flowLamports: 0n }),
  showsEffect: ({ landed, wallet, params }) => tokenDelta(landed, wallet, params.mint) === -params.amount,
  retry,
  policy,
};

import { tokenDelta } from '../../core/intents/landed-sums.ts';
import { transferMovements } from '../../core/positions/receipt-movements.ts';
import type { KindRules } from '../kind.ts';
import type { WithdrawTokenParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const withdrawToken: KindRules<WithdrawTokenParams> = {
  confirmedBy: 'pin',
  stoppedBy: ['signing', 'withdrawals'],
  fee: null,
  spends: () => 0n,
  recipientOf: ({ destination }) => destination,
  sentMintOf: ({ mint }) => mint,
  showsEffect: ({ landed, wallet, params }) => tokenDelta(landed, wallet, params.mint) === -params.amount,
  movementsOf: ({ mint }, facts) => transferMovements(facts, mint),
  retry,
  policy,
};

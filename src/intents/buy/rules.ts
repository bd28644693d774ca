import { tokenDelta } from '../../core/intents/landed-sums.ts';
import { tradeMovements } from '../../core/positions/receipt-movements.ts';
import type { KindRules } from '../kind.ts';
import { type BuyParams, tradeOf } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const buy: KindRules<BuyParams> = {
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading'],
  fee: 'trade',
  spends: ({ lamportsIn }) => lamportsIn,
  tradeOf,
  showsEffect: ({ landed, wallet, params }) => tokenDelta(landed, wallet, params.mint) > 0n,
  movementsOf: (params, facts) => tradeMovements(facts, { ...tradeOf(params), terms: params.terms }),
  retry,
  policy,
};

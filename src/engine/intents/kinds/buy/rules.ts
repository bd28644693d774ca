import { tokenDelta, tradeFlow } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import { type BuyParams, tradeOf } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const buy: KindRules<BuyParams> = {
  act: 'buy',
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading'],
  fee: 'trade',
  spends: ({ lamportsIn }) => lamportsIn,
  tradeOf,
  orderOf: ({ order }) => order ?? null,
  hasLegs: ({ legs }) => legs === true,
  withLegs: (params) => ({ ...params, legs: true }),
  tokenMoveOf: ({ mint }, receipt) => ({ mint, as: 'buy', flowLamports: tradeFlow(receipt) }),
  showsEffect: ({ landed, wallet, params }) => tokenDelta(landed, wallet, params.mint) > 0n,
  retry,
  policy,
};

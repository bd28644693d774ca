import { tokenDelta, tradeFlow } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import { type SellParams, tradeOf } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const sell: KindRules<SellParams> = {
  act: 'sell',
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading'],
  fee: 'trade',
  spends: () => 0n,
  atTier: (params, tier) => ({ ...params, tier }),
  tradeOf,
  orderOf: ({ order }) => order ?? null,
  tokenMoveOf: ({ mint }, receipt) => ({ mint, as: 'sell', flowLamports: tradeFlow(receipt) }),
  showsEffect: ({ landed, wallet, params }) => tokenDelta(landed, wallet, params.mint) < 0n,
  retry,
  policy,
};

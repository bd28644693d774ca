import { showsCreation } from '../../core/intents/landed-sums.ts';
import { creationCost, readCreation } from '../../core/mint/read-creation.ts';
import type { KindRules } from '../kind.ts';
import type { PrepareTokenParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const prepareToken: KindRules<PrepareTokenParams> = {
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading', 'creation'],
  fee: null,
  spends: ({ creation }) => creationCost(creation),
  showsEffect: showsCreation,
  mintOf: (_params, bytes, treasury) => readCreation(bytes, treasury).mint,
  isFirstHalf: true,
  retry,
  policy,
};

import { creationCost, readCreation } from '../../../../modules/mint/rules/read-creation.ts';
import { showsCreation } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { PrepareTokenParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const prepareToken: KindRules<PrepareTokenParams> = {
  act: 'token-create',
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading', 'creation'],
  fee: null,
  spends: ({ creation }) => creationCost(creation),
  followedBy: 'create-token',
  showsEffect: showsCreation,
  mintOf: (_params, bytes, treasury) => readCreation(bytes, treasury).mint,
  isFirstHalf: true,
  retry,
  policy,
};

import { lamportsDelta } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { RevokeAuthorityParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const revokeAuthority: KindRules<RevokeAuthorityParams> = {
  act: 'authority-revoke',
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading', 'creation'],
  fee: null,
  spends: () => 0n,
  // A right given up is in no balance: the fee is all that can be seen.
  showsEffect: ({ landed, wallet }) => -lamportsDelta(landed, wallet) >= landed.feeLamports,
  retry,
  policy,
};

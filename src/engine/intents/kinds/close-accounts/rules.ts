import { lamportsDelta } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { CloseAccountsParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const closeAccounts: KindRules<CloseAccountsParams> = {
  act: 'close-accounts',
  confirmedBy: 'tap',
  stoppedBy: ['signing', 'trading'],
  fee: null,
  spends: () => 0n,
  // The wallet gets back the content of the accounts: it never pays more than the fee.
  showsEffect: ({ landed, wallet }) => lamportsDelta(landed, wallet) + landed.feeLamports >= 0n,
  retry,
  policy,
};

import type { Address } from '@tradepost/solana';
import { lamportsDelta } from '../../rules/landed-sums.ts';
import type { KindRules } from '../kind.ts';
import type { PayoutParams } from './params.ts';
import { policy } from './policy.ts';
import { retry } from './retry.ts';

export const payout: KindRules<PayoutParams> = {
  act: 'payout',
  confirmedBy: 'nobody',
  provedBy: 'payout-books',
  stoppedBy: ['signing', 'payouts'],
  fee: null,
  spends: () => 0n,
  showsEffect: ({ landed, params }) => {
    // Two inviters may be paid to one address.
    const owed = new Map<Address, bigint>();
    for (const { recipient, lamports } of params.items)
      owed.set(recipient, (owed.get(recipient) ?? 0n) + lamports);
    return [...owed].every(([recipient, lamports]) => lamportsDelta(landed, recipient) === lamports);
  },
  retry,
  policy,
};

import type { Address } from '@tradepost/solana';
import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { known, refuseAction } from '../../../signing/rules/payment-rules.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import type { WithdrawTokenParams } from './params.ts';

/** The recipient's account and transfers to it that together are the agreed amount. */
export const policy: KindPolicy<WithdrawTokenParams> = {
  coSigners: 0,
  tierOf: ({ tier }) => tier,
  judge: ({ actions }, params, { wallet }) => {
    let account: Address | null = null;
    let moved = 0n;
    for (const action of known(actions)) {
      if (action.kind === 'create-associated') {
        if (action.owner !== params.destination || action.mint !== params.mint) deny('account-opening');
        if (action.tokenProgram !== params.tokenProgram) deny('account-opening');
        account = action.account;
      } else if (action.kind === 'transfer-token') {
        // The creation above makes the chain itself check that this is the recipient's associated account.
        if (action.destination !== account) deny('token-destination');
        if (action.mint !== params.mint || action.tokenProgram !== params.tokenProgram)
          deny('token-destination');
        if (action.authority !== wallet || action.extraAccounts > 0) deny('instruction');
        moved += action.amount;
      } else refuseAction(action, []);
    }
    if (moved !== params.amount) deny('token-amount');
  },
};

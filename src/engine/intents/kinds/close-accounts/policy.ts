import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { known, refuseAction } from '../../../signing/rules/payment-rules.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import type { CloseAccountsParams } from './params.ts';

/**
 * Exactly the agreed accounts, each closed once by the wallet for the wallet, or its excess taken once by the wallet for the wallet. A look at the chain must show that each is the wallet's, and
 * empty where it is closed. The look matters for wrapped SOL, which the token program closes with any content; of any other token it refuses an account that
 * holds units. Withheld fees are harvested of an agreed account alone, to the agreed mint, before it is closed.
 */
export const policy: KindPolicy<CloseAccountsParams> = {
  coSigners: 0,
  readsHoldings: true,
  tierOf: ({ tier }) => tier,
  judge: ({ actions }, { accounts, excess = [] }, { wallet, held }) => {
    const left = new Set(accounts.map(({ account }) => account));
    const above = new Set(excess.map(({ account }) => account));
    const feeMints = new Map(accounts.map(({ account, feeMint }) => [account, feeMint]));
    for (const action of known(actions)) {
      if (action.kind === 'harvest-fees') {
        const [from] = action.accounts;
        if (from === undefined || action.accounts.length !== 1 || !left.has(from)) deny('instruction');
        if (feeMints.get(from) !== action.mint) deny('instruction');
        continue;
      }
      if (action.kind === 'withdraw-excess') {
        if (!above.delete(action.account)) deny('account-closing');
        if (action.destination !== wallet || action.authority !== wallet) deny('account-closing');
        if (!held?.get(action.account)) deny('account-closing');
        continue;
      }
      if (action.kind !== 'close-token-account') refuseAction(action, []);
      const { account, destination, authority } = action;
      if (!left.delete(account)) deny('account-closing');
      if (destination !== wallet || authority !== wallet) deny('account-closing');
      const shown = held?.get(account) ?? deny('account-closing');
      if (shown.amount !== 0n) deny('token-amount');
    }
    if (left.size + above.size > 0) deny('account-closing');
  },
};

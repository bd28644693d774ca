import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { known, refuseAction } from '../../../signing/rules/payment-rules.ts';
import { deny } from '../../../signing/rules/policy-rule.ts';
import type { PayoutParams } from './params.ts';

/** One transfer per item, each exact, none missing. */
export const policy: KindPolicy<PayoutParams> = {
  coSigners: 0,
  tierOf: () => 'normal',
  judge: ({ actions }, params) => {
    const owed = params.items.map((item) => ({ to: item.recipient, lamports: item.lamports }));
    for (const action of known(actions)) {
      if (action.kind !== 'transfer-sol') refuseAction(action, []);
      const index = owed.findIndex((item) => item.to === action.to);
      if (index < 0) deny('sol-destination');
      const exact = owed.findIndex((item) => item.to === action.to && item.lamports === action.lamports);
      if (exact < 0) deny('sol-amount');
      owed.splice(exact, 1);
    }
    if (owed.length > 0) deny('sol-amount');
  },
};

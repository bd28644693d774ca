import { type KindPolicy, MAX_POOLS } from '../../../signing/rules/kind-policy.ts';
import { checkTrade } from '../../../signing/rules/trade-rule.ts';
import { type BuyParams, tradeOf } from './params.ts';

/** One key per pool of a split may co-sign; the wallet's holdings prove the sold and bought amounts. */
export const policy: KindPolicy<BuyParams> = {
  coSigners: MAX_POOLS,
  mayLookUp: true,
  readsHoldings: true,
  tierOf: ({ tier }) => tier,
  tipOf: ({ tip }) => tip,
  judge: (own, params, context) => checkTrade(own, tradeOf(params), context),
};

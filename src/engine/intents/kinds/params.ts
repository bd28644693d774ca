import type { BuyParams } from './buy/params.ts';
import type { CloseAccountsParams } from './close-accounts/params.ts';
import type { CreateTokenParams } from './create-token/params.ts';
import type { LaunchParams } from './launch/params.ts';
import type { PayoutParams } from './payout/params.ts';
import type { PrepareTokenParams } from './prepare-token/params.ts';
import type { RevokeAuthorityParams } from './revoke-authority/params.ts';
import type { SellParams } from './sell/params.ts';
import type { WithdrawSolParams } from './withdraw-sol/params.ts';
import type { WithdrawTokenParams } from './withdraw-token/params.ts';

/**
 * Every kind of intent, with the terms agreed on its confirm screen. The signing policy and the screen read the same row. The one list:
 * `rules.ts`, `rows.ts`, `index.ts` and `views.ts` do not compile while a kind of it has no part there.
 */
export type ParamsByKind = {
  readonly 'withdraw-sol': WithdrawSolParams;
  readonly 'withdraw-token': WithdrawTokenParams;
  readonly buy: BuyParams;
  readonly sell: SellParams;
  readonly payout: PayoutParams;
  readonly 'prepare-token': PrepareTokenParams;
  readonly 'create-token': CreateTokenParams;
  readonly 'revoke-authority': RevokeAuthorityParams;
  readonly launch: LaunchParams;
  readonly 'close-accounts': CloseAccountsParams;
};

export type IntentKind = keyof ParamsByKind;
export type IntentParams = ParamsByKind[IntentKind];

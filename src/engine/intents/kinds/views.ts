import type { KindView } from '../chat/kind-view.ts';
import { view as buy } from './buy/view.ts';
import { view as closeAccounts } from './close-accounts/view.ts';
import { view as createToken } from './create-token/view.ts';
import { view as launch } from './launch/view.ts';
import type { IntentKind, IntentParams, ParamsByKind } from './params.ts';
import { view as payout } from './payout/view.ts';
import { view as prepareToken } from './prepare-token/view.ts';
import { view as revokeAuthority } from './revoke-authority/view.ts';
import { view as sell } from './sell/view.ts';
import { view as withdrawSol } from './withdraw-sol/view.ts';
import { view as withdrawToken } from './withdraw-token/view.ts';

const VIEWS: { readonly [K in IntentKind]: KindView<ParamsByKind[K]> } = {
  'withdraw-sol': withdrawSol,
  'withdraw-token': withdrawToken,
  buy,
  sell,
  payout,
  'prepare-token': prepareToken,
  'create-token': createToken,
  'revoke-authority': revokeAuthority,
  launch,
  'close-accounts': closeAccounts,
};

/** How the chat shows a kind. The caller passes it params of that very kind. */
export function viewOf(kind: IntentKind): KindView<IntentParams> {
  return VIEWS[kind];
}

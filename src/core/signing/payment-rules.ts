import type { PayoutParams, WithdrawSolParams, WithdrawTokenParams } from '../../intents/params.ts';
import type { Address } from '../address/address.ts';
import type { WalletAction } from './decode-instruction.ts';
import { deny } from './policy-rule.ts';

/** Kinds that only send: `actions` are what is left beside memo and budget. Each throws POLICY_DENIED with the rule. */

export function checkWithdrawSol(actions: readonly WalletAction[], params: WithdrawSolParams): void {
  const [transfer, ...rest] = actions;
  if (transfer?.kind !== 'transfer-sol' || rest.length > 0) refuseKind(transfer, rest);
  if (transfer.to !== params.destination) deny('sol-destination');
  if (!params.everything && transfer.lamports !== params.lamports) deny('sol-amount');
}

export function checkWithdrawToken(
  actions: readonly WalletAction[],
  params: WithdrawTokenParams,
  wallet: Address,
): void {
  let account: Address | null = null;
  let moved = 0n;
  for (const action of actions) {
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
    } else refuseKind(action, []);
  }
  if (moved !== params.amount) deny('token-amount');
}

export function checkPayout(actions: readonly WalletAction[], params: PayoutParams): void {
  const owed = params.items.map((item) => ({ to: item.recipient, lamports: item.lamports }));
  for (const action of actions) {
    if (action.kind !== 'transfer-sol') refuseKind(action, []);
    const index = owed.findIndex((item) => item.to === action.to);
    if (index < 0) deny('sol-destination');
    const exact = owed.findIndex((item) => item.to === action.to && item.lamports === action.lamports);
    if (exact < 0) deny('sol-amount');
    owed.splice(exact, 1);
  }
  if (owed.length > 0) deny('sol-amount');
}

/** Names the rule that an instruction out of place breaks. */
function refuseKind(action: WalletAction | undefined, rest: readonly WalletAction[]): never {
  const odd = action !== undefined && action.kind !== 'transfer-sol' ? action : rest[0];
  deny(odd?.kind === 'foreign' || odd?.kind === 'router-call' ? 'program' : 'instruction');
}

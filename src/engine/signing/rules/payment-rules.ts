import type { WalletAction } from './decode-instruction.ts';
import { deny } from './policy-rule.ts';

/** Rules that the kinds which only send have in common. */

/** The actions themselves, when each of them is known. Throws POLICY_DENIED. */
export function known(actions: readonly WalletAction[]): readonly WalletAction[] {
  return actions.some((action) => action.kind === 'forbidden') ? deny('instruction') : actions;
}

/** Throws POLICY_DENIED with the rule that an instruction out of place breaks. */
export function refuseAction(action: WalletAction | undefined, rest: readonly WalletAction[]): never {
  const odd = action !== undefined && action.kind !== 'transfer-sol' ? action : rest[0];
  deny(odd?.kind === 'foreign' || odd?.kind === 'router-call' ? 'program' : 'instruction');
}

import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { IntentKind, IntentParams } from '../../intents/kinds/params.ts';
import { RULES, rulesOf } from '../../intents/kinds/rules.ts';
import { decodeInstruction } from './decode-instruction.ts';
import type { KindPolicy, OwnPart, PolicyContext } from './kind-policy.ts';
import { deny } from './policy-rule.ts';
import { checkFee, isCommon, type ReadMessage, readMessage } from './read-message.ts';
import { withoutTip } from './tip-rule.ts';

/**
 * Deny by default: throws POLICY_DENIED with the rule unless this kind of intent needs every instruction of the message. Addresses and
 * amounts must be those of the intent's row. The bytes are decoded here, so that their builder need not be trusted: a venue's or
 * aggregator's answer cannot smuggle in an Assign, a nonce, an authority change, an approval, a close to a stranger or a second payment.
 */
export function assertPolicy(message: Uint8Array, context: PolicyContext): void {
  const { params } = context.intent;
  const policy = policyOf(params.kind);
  const whole = readMessage(message, policy.mayLookUp === true ? context.lookupTables : []);
  const read = withoutTip(whole, policy.tipOf?.(params) ?? null, context);
  const { signers } = read;
  assertCommon(whole, { coSigners: policy.coSigners, tier: policy.tierOf(params) }, context);
  const own: OwnPart = {
    signers,
    instructions: read.instructions.filter((instruction) => !isCommon(decodeInstruction(instruction))),
    actions: read.actions.filter((action) => !isCommon(action)),
  };
  policy.judge(own, params, context);
}

/** Whether the wallet's holdings must be read before an intent of this kind is judged. Throws as `assertPolicy`. */
export function readsHoldings(kind: IntentKind): boolean {
  return policyOf(kind).readsHoldings === true;
}

/** A row of a kind that this version does not know may come from a newer one, or from any writer of the database. */
function policyOf(kind: IntentKind): KindPolicy<IntentParams> {
  return Object.hasOwn(RULES, kind) ? rulesOf(kind).policy : deny('kind');
}

/** Rules of every kind: the signers, the one memo with the intent's id, the fee's cap, no other person's money or accounts. */
function assertCommon(
  read: ReadMessage,
  { coSigners, tier }: { readonly coSigners: number; readonly tier: PriorityTier },
  { intent, wallet }: PolicyContext,
): void {
  const { signers, actions } = read;
  if (signers[0] !== wallet) deny('signers');
  // A co-signer is free in its own accounts: every instruction is judged by its effect on the wallet.
  if (signers.length > 1 + coSigners) deny('signers');

  const memos = actions.filter((action) => action.kind === 'memo');
  // Two equal intents on one blockhash would have one signature, and both would count as paid: the id keeps them apart.
  const [memo] = memos;
  if (memos.length !== 1 || memo === undefined || memo.text !== intent.id || memo.signers !== 0) deny('memo');

  checkFee(read, tier);
  for (const action of actions) {
    if (action.kind === 'transfer-sol' && action.from !== wallet) deny('sol-source');
    if (action.kind === 'create-associated' && action.payer !== wallet) deny('account-opening');
  }
}

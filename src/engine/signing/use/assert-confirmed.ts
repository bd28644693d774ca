import { firstHalfOf } from '../../../modules/mint/use/finish-token.ts';
import { rulesOf } from '../../intents/kinds/rules.ts';
import { type ConfirmedIntent, confirmationText, isSameValue } from '../../intents/rules/confirmation.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { assertPayoutHeld } from './assert-payout-held.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

type ConfirmedDeps = Pick<SignerDeps, 'db' | 'seals' | 'keys'>;

/**
 * Throws POLICY_DENIED unless the stored intent equals the one that its person confirmed, to the last value. An attacker who changes the
 * row, or writes one of their own, has no code for it. Two kinds of intent have none, and are proved by their origin: a payout by the
 * books, the second half of a creation by the first half.
 */
export async function assertConfirmed(deps: ConfirmedDeps, intent: Intent): Promise<void> {
  const { params } = intent;
  if (intent.kind !== params.kind) denySignature('confirmation');
  const { provedBy } = rulesOf(params.kind);
  if (provedBy === 'payout-books') return assertPayoutHeld(deps, intent);
  if (intent.confirmation !== null) return assertSealed(deps, intent);
  if (provedBy === 'first-half') return assertFollows(deps, intent);
  denySignature('unconfirmed');
}

function assertSealed({ seals }: Pick<ConfirmedDeps, 'seals'>, intent: Intent): void {
  const request = requestOf(intent);
  if (request === null || intent.confirmation === null) denySignature('unconfirmed');
  if (!seals.isSealOf(intent.confirmation, confirmationText(request))) denySignature('confirmation');
}

function requestOf({ id, idemKey, userId, walletId, params }: Intent): ConfirmedIntent | null {
  return userId === null ? null : { id, idemKey, userId, walletId, params };
}

/**
 * Whichever process saw the first half become final writes the second half of a creation. It is the person's request when the first half
 * was confirmed, has come true, and is of the same person and wallet. Nothing of the creation may have changed except that its mint is
 * there now. The key names the first half, and no second intent can have it.
 */
async function assertFollows(deps: ConfirmedDeps, intent: Intent): Promise<void> {
  if (intent.params.kind !== 'create-token') denySignature('unconfirmed');
  const { prepared, ...rest } = intent.params;
  const parentId = firstHalfOf(intent.idemKey);
  if (prepared === undefined || parentId === null) denySignature('unconfirmed');
  const parent = await deps.db.intents.find(parentId);
  if (parent === null || parent.params.kind !== 'prepare-token' || parent.kind !== 'prepare-token') {
    denySignature('follow-up');
  }
  assertSealed(deps, parent);
  const isOurs =
    parent.status === 'SUCCEEDED' &&
    parent.userId === intent.userId &&
    parent.walletId === intent.walletId &&
    isSameValue(parent.params.creation, rest);
  if (!isOurs) denySignature('follow-up');
}

import type { CreateTokenParams } from '../../../engine/intents/kinds/create-token/params.ts';
import type { LaunchParams } from '../../../engine/intents/kinds/launch/params.ts';
import type { PrepareTokenParams } from '../../../engine/intents/kinds/prepare-token/params.ts';
import type { RevokeAuthorityParams } from '../../../engine/intents/kinds/revoke-authority/params.ts';
import { rulesOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import { assertNotPaused } from '../../../engine/switches/use/assert-not-paused.ts';
import type { CreateIntentInput } from '../../../engine/transactions/use/create-intent.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { requireReferralAccount } from '../../referrals/use/require-account.ts';

export type ConfirmMintInput<
  P extends PrepareTokenParams | CreateTokenParams | RevokeAuthorityParams | LaunchParams,
> = Omit<CreateIntentInput, 'params' | 'judge'> & { readonly params: P };

export type ConfirmMintDeps = {
  readonly db: Pick<Stores, 'intents' | 'flags' | 'referrals'>;
  /** Whether the operator wants creators to have a referral account. */
  readonly needsReferralAccount: boolean;
  /** `createIntent` of engine/transactions/use, bound to its own dependencies. */
  readonly createIntent: (input: Omit<CreateIntentInput, 'judge'>) => Promise<{
    readonly intent: Intent;
    readonly created: boolean;
  }>;
};

/**
 * Turns an agreed creation or launch into an intent, once: a repeated key returns the intent that exists. Throws PAUSED while a switch
 * stops it, REFERRAL_REQUIRED when the operator asks for a referral account first and there is none, and the errors of `createIntent`.
 */
export async function confirmCreateToken(
  deps: ConfirmMintDeps,
  input: ConfirmMintInput<PrepareTokenParams | CreateTokenParams | LaunchParams>,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  return confirm(deps, input, () => requireReferralAccount(deps, input.userId));
}

/** As `confirmCreateToken`, for an authority that is given up; needs no referral account. */
export async function confirmRevokeAuthority(
  deps: ConfirmMintDeps,
  input: ConfirmMintInput<RevokeAuthorityParams>,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  return confirm(deps, input, async () => undefined);
}

async function confirm(
  deps: ConfirmMintDeps,
  input: Omit<CreateIntentInput, 'judge'>,
  check: () => Promise<void>,
): Promise<{ readonly intent: Intent; readonly created: boolean }> {
  const known = await deps.db.intents.findByKey(input.idemKey);
  if (known === null) {
    await assertNotPaused(deps.db.flags, rulesOf(input.params.kind).stoppedBy);
    await check();
  }
  return deps.createIntent(input);
}

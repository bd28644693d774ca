import { capNow } from '../../../modules/guard/rules/cap.ts';
import { assertMayUnlock } from '../../../modules/guard/rules/unlock.ts';
import { canSign, KEY_LIMITS, keyMisfit } from '../../../modules/personal-keys/rules/personal-key.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/** Clocks of two processes differ by less. */
const CLOCKS_MS = 60_000;

type Deps = Pick<SignerDeps, 'db' | 'certifier' | 'clock' | 'guardRules'> & {
  readonly verifyPin: Vault['verifyPin'];
};

/**
 * The certificate of a key of a person's own program. The PIN is compared here, also within unlocked hours, and one that is younger than
 * its wait does not do. The key is new: no row has its name. Its caps lie within the spending cap of the chat as it is now. Nothing is
 * stored. Throws the errors of `verifyPin`, PIN_REQUIRED, PIN_TOO_NEW, POLICY_DENIED.
 */
export async function certifyPersonalKey(
  deps: Deps,
  { key, pin }: Parameters<Vault['certifyPersonalKey']>[0],
): Promise<string> {
  const { db, clock, guardRules } = deps;
  const { userId, walletId, publicKey, terms, lockEpoch, until } = key;
  if ((await db.users.find(userId)) === null) denySignature('unknown-person');
  const wallet = await db.wallets.find(walletId);
  if (wallet === null || wallet.userId !== userId || wallet.deletedAt !== null)
    denySignature('foreign-wallet');
  const guard = await db.guards.find(userId);
  const fits =
    canSign(publicKey) &&
    keyMisfit(terms, capNow(guard, clock, guardRules, 'spending')) === null &&
    lockEpoch === guard.lockEpoch &&
    until <= clock.now() + KEY_LIMITS.longestMs + CLOCKS_MS &&
    (await db.personalKeys.find(key.id)) === null;
  if (!fits) denySignature('personal-key');
  assertMayUnlock(guard, clock);
  await deps.verifyPin({ userId, pin });
  return deps.certifier.personalKey(key);
}

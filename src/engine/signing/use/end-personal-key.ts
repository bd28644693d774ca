import { KEY_LIMITS } from '../../../modules/personal-keys/rules/personal-key.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/**
 * Writes down that a person ended a key: from then on no request of it is confirmed or signed. Its row has no say. A row that is gone or
 * was changed hides no key. Without a PIN, and also while frozen. Throws POLICY_DENIED (`personal-key`) for another person's key.
 */
export async function endPersonalKey(
  { db, clock, certifier, signing }: Pick<SignerDeps, 'db' | 'clock' | 'certifier' | 'signing'>,
  { userId, keyId }: Parameters<Vault['endPersonalKey']>[0],
): Promise<void> {
  const key = await db.personalKeys.find(keyId);
  const isCertified = key?.certificate != null && key.certificate === certifier.personalKey(key);
  if (isCertified && key.userId !== userId) denySignature('personal-key');
  const until = isCertified ? key.until : clock.now() + KEY_LIMITS.longestMs;
  await signing.endKey({ keyId, until });
}

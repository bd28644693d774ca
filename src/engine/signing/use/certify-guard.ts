import type { Vault } from '../../../platform/ports/vault.ts';
import type { SignerDeps } from './deps.ts';

/**
 * The signer's word for a guard as it is about to be written. The committed row is read and proved first, so that no change blesses a row
 * that another one wrote or put back. Its version is in the journal before the certificate leaves.
 */
export async function certifyGuard(
  { db, signing, certifier }: Pick<SignerDeps, 'db' | 'signing' | 'certifier'>,
  { guard, transactionId }: Parameters<Vault['certifyGuard']>[0],
): ReturnType<Vault['certifyGuard']> {
  const before = await db.guards.find(guard.userId);
  const version = await signing.guards.next(before, transactionId);
  return { version, certificate: certifier.guard({ ...guard, version }) };
}

import { AppError } from '../../../core/errors/app-error.ts';
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

/** The signer's word for an address of the book: the wallet is certified and the person's, and the wait begins by the signer's own clock. */
export async function certifyAddress(
  { db, clock, certifier }: Pick<SignerDeps, 'db' | 'clock' | 'certifier'>,
  facts: Parameters<Vault['certifyAddress']>[0],
): ReturnType<Vault['certifyAddress']> {
  const wallet = await db.wallets.find(facts.walletId);
  if (wallet === null || wallet.userId !== facts.userId) throw new AppError('WALLET_NOT_FOUND', {});
  const addedAt = clock.now();
  return { addedAt, certificate: certifier.address({ ...facts, addedAt }) };
}

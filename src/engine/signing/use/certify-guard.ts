import { AppError } from '../../../core/errors/app-error.ts';
import type { Guard } from '../../../modules/guard/rules/guard.ts';
import { onlyStops } from '../../../modules/guard/rules/only-stops.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/**
 * The signer's word for a guard as it is about to be written. The committed row is read and proved first, so that no change blesses a row
 * that another one wrote or put back. Its version is in the journal before the certificate leaves.
 */
export async function certifyGuard(
  { db, signing, certifier }: Pick<SignerDeps, 'db' | 'signing' | 'certifier'>,
  { guard, transactionId }: Parameters<Vault['certifyGuard']>[0],
  mayBecome: (before: Guard) => boolean = () => true,
): ReturnType<Vault['certifyGuard']> {
  const before = await db.guards.find(guard.userId);
  if (!mayBecome(before)) denySignature('guard-stop');
  const version = await signing.guards.next(before, transactionId);
  return { version, certificate: certifier.guard({ ...guard, version }) };
}

/** The same for a process that passes a Stop link on, and is asked for nothing else. */
export function certifyStop(
  deps: Parameters<typeof certifyGuard>[0],
  input: Parameters<Vault['certifyStop']>[0],
): ReturnType<Vault['certifyStop']> {
  return certifyGuard(deps, input, (before) => onlyStops(before, input.guard));
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

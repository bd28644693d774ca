import type { Vault } from '../../core/ports/vault.ts';

/**
 * Returns when what was typed is right: the PIN, and behind it the authenticator's code, or a recovery code, where the person
 * has one. The signer compares and counts (`checkPin`), for it alone can. Throws PIN_REQUIRED, PIN_UNSUITABLE (costs no try),
 * PIN_WRONG, PIN_LOCKED, SECRET_UNREADABLE.
 */
export function verifyPin(
  { vault }: { readonly vault: Pick<Vault, 'verifyPin'> },
  { userId, pin }: { readonly userId: string; readonly pin: string },
): Promise<void> {
  return vault.verifyPin({ userId, pin });
}

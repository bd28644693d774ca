import type { Vault } from '../../../platform/ports/vault.ts';
import type { RightPin } from '../rules/right-pin.ts';

/**
 * Returns when the typed text is right: the PIN, and behind it the authenticator's code, or a recovery code, where the person has one.
 * The signer compares and counts (`checkPin`), for it alone can. Throws PIN_REQUIRED, PIN_UNSUITABLE (costs no try), PIN_WRONG,
 * PIN_LOCKED, SECRET_UNREADABLE.
 */
export async function verifyPin(
  { vault }: { readonly vault: Pick<Vault, 'verifyPin'> },
  { userId, pin }: { readonly userId: string; readonly pin: string },
): Promise<RightPin> {
  await vault.verifyPin({ userId, pin });
  return provenBefore(userId);
}

/** For an act of two steps, whose first one had the PIN verified and whose second one compares the very hash that was right then. */
export function provenBefore(userId: string): RightPin {
  return { userId } as RightPin;
}

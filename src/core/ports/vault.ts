import type { Address } from '../address/address.ts';
import type { Intent } from '../intents/intent.ts';
import type { WalletSecret } from '../wallets/wallet.ts';

/**
 * The only code that ever holds a secret key. No method takes or returns one.
 */
export interface Vault {
  /** Makes a fresh key and seals it under the current key-encryption key. Nothing is stored: the caller commits the row. */
  create(input: { readonly walletId: string; readonly userId: string | null }): Promise<WalletSecret>;
  /**
   * The Ed25519 signature of `message` by the wallet's key, after the signing policy has decoded the message itself and
   * found it to be what the intent says. Throws POLICY_DENIED, SECRET_UNREADABLE or KEK_UNAVAILABLE; nothing is signed then.
   */
  sign(request: SigningRequest): Promise<Uint8Array>;
}

export type SigningRequest = {
  readonly intent: Intent;
  readonly wallet: { readonly id: string; readonly userId: string | null; readonly address: Address };
  readonly message: Uint8Array;
  /** Addresses the policy may see lamports or tokens move to, beside what the intent itself names. */
  readonly treasury: Address;
};

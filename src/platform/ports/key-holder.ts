import type { Address } from '@tradepost/solana';
import type { Intent } from '../../engine/intents/rules/intent.ts';
import type { Wallet, WalletSecret } from '../../modules/wallets/rules/wallet.ts';

/**
 * The only code that ever holds a secret key, inside the signer. No method takes or returns one. It believes its caller about the intent;
 * callers from outside ask `Vault`, which believes no caller.
 */
export interface KeyHolder {
  /** Makes a fresh key and seals it under the current key-encryption key. Nothing is stored: the caller commits the row. */
  create(input: { readonly walletId: string; readonly userId: string | null }): Promise<WalletSecret>;
  /**
   * The Ed25519 signature of `message` by the wallet's key, after the signing policy has decoded the message itself and found it to match
   * the intent. Throws POLICY_DENIED, SECRET_UNREADABLE or KEK_UNAVAILABLE; nothing is signed then.
   */
  sign(request: SigningRequest): Promise<Uint8Array>;
  /**
   * Whether the key of this wallet's address lies sealed in this wallet's row. No writer of the database can bring that about for an
   * address of their own. Throws KEK_UNAVAILABLE.
   */
  holds(wallet: Pick<Wallet, 'id' | 'userId' | 'address'>): Promise<boolean>;
}

export type SigningRequest = {
  readonly intent: Intent;
  readonly wallet: { readonly id: string; readonly userId: string | null; readonly address: Address };
  readonly message: Uint8Array;
  /** Addresses the policy may see lamports or tokens move to, beside those that the intent itself names. */
  readonly treasury: Address;
};

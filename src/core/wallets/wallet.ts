import type { Address } from '../address/address.ts';

export type Wallet = {
  readonly id: string;
  /** Null for the service's treasury. */
  readonly userId: string | null;
  readonly name: string;
  readonly address: Address;
  readonly createdAt: number;
  /** Soft deletion: restorable until the grace period ends, or while it holds anything; the sealed key is kept. */
  readonly deletedAt: number | null;
};

/**
 * A sealed deposit key as stored. Boxes are `iv(12) ‖ ciphertext ‖ tag(16)`; the additional data binds them to this row,
 * so that neither a row nor a field can be swapped for another's.
 */
export type WalletSecret = {
  readonly walletId: string;
  readonly userId: string | null;
  readonly publicKey: Address;
  readonly version: 1;
  readonly kekId: string;
  readonly wrappedDek: Uint8Array;
  readonly sealedSeed: Uint8Array;
};

export const WALLET_NAME_MAX = 20;
/** Deleted wallets can be restored for this long, and one that holds anything for ever. */
export const WALLET_GRACE_DAYS = 30;

import type { Address } from '@tradepost/solana';

export const WALLET_ORIGINS = ['made', 'imported'] as const;
export type WalletOrigin = (typeof WALLET_ORIGINS)[number];

export type Wallet = {
  readonly id: string;
  /** Null for the service's treasury. */
  readonly userId: string | null;
  readonly name: string;
  readonly address: Address;
  readonly createdAt: number;
  /** Soft deletion: restorable until the grace period ends, or while it holds anything; the sealed key is kept. */
  readonly deletedAt: number | null;
  /** `imported`: the key came from outside, so others may have it too. */
  readonly origin: WalletOrigin;
  /** From then on an imported wallet receives like one that was made here; null = it does not. */
  readonly confirmedAt: number | null;
  /** From then on payouts go to it, until a later choice counts; null = it was never chosen. */
  readonly payoutFrom: number | null;
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

/** A sealed key as the signer hands it out, with its word for whose it is. */
export type CertifiedKey = WalletSecret & { readonly certificate: string };

export const WALLET_NAME_MAX = 20;
/** Deleted wallets can be restored for this long, and one that holds anything for ever. */
export const WALLET_GRACE_DAYS = 30;

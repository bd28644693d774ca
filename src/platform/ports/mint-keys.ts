import type { Address } from '@tradepost/solana';

/** Makes the keys of new mints. No method takes or returns a secret. */
export interface MintKeys {
  /** A fresh key pair that exists in memory alone. */
  generate(): MintKey;
}

/** A mint's key signs once, for the creation of its own account, and is of no use after: the secret is dropped then. */
export type MintKey = {
  readonly address: Address;
  /** The Ed25519 signature of `message`. Throws a RangeError at the second call. */
  readonly sign: (message: Uint8Array) => Uint8Array;
};

import type { Address } from '@tradepost/solana';

export interface SignatureChecks {
  /** Whether the signature of the message is that of the signer's key (Ed25519). */
  isSigned(message: Uint8Array, signer: Address, signature: Uint8Array): boolean;
  /** The SHA-256 of the bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
}

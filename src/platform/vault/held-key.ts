import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Address, addressFromBytes } from '@tradepost/solana';

/** PKCS #8 of an Ed25519 private key up to the seed. Source of truth: RFC 8410 §7. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that waits for its message. `sign` gives the 64-byte Ed25519 signature. */
export type HeldKey = { readonly address: Address; sign(message: Uint8Array): Uint8Array };

/**
 * The key of a 32-byte seed, in OpenSSL's memory, which is wiped when the object goes; the buffer made here is wiped at once. A web3.js
 * Keypair leaves copies of the seed on the heap, which cannot be wiped. For a seed that signs now and is gone, `signWithSeed` costs a
 * fifth.
 */
export function heldKey(seed: Uint8Array): HeldKey {
  const key = privateKey(seed);
  // As a JSON web key: OpenSSL hands that its 32 bytes as they are, while a DER export goes through its encoders.
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return {
    address: addressFromBytes(Buffer.from(String(x), 'base64url')),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

function privateKey(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

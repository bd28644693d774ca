import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Address, addressFromBytes } from '../../core/address/address.ts';

/** PKCS #8 of an Ed25519 private key up to the seed. Source of truth: RFC 8410 §7. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Node's key object of a 32-byte seed. Its bytes live in OpenSSL's memory and go with it; the buffer made here is wiped.
 * A web3.js Keypair leaves copies of the seed on the heap, which nobody can wipe.
 */
export function signingKey(seed: Uint8Array): KeyObject {
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

/**
 * The address that belongs to the key. As a JSON web key, because OpenSSL hands that its 32 bytes as they are, while a DER
 * export goes through its encoders [measured: 93 µs of a signature's time, now a few].
 */
export function keyAddress(key: KeyObject): Address {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return addressFromBytes(Buffer.from(String(x), 'base64url'));
}

/** The 64-byte Ed25519 signature of `message`. */
export function signMessage(key: KeyObject, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, key));
}

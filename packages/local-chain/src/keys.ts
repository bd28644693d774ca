import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Address, addressFromBytes } from './address.ts';

/** A play-money key of the local chain: the faucet, the treasury, a desk's maker. Never a user's. */
export type ChainKey = { readonly address: Address; sign(message: Uint8Array): Uint8Array };

const PKCS8_ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key that `label` names under this chain's seed; the same seed always gives the same key. */
export function deriveKey(seed: Uint8Array, label: string): ChainKey {
  const secret = createHash('sha256')
    .update('tradepost local chain key\0')
    .update(seed)
    .update(label)
    .digest();
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519_PREFIX, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: addressFromBytes(spki.subarray(spki.length - 32)),
    sign: (message) => sign(null, message, key),
  };
}

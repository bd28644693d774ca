import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Address, addressFromBytes } from '@tradepost/solana';

/** A program's key: its private half signs, its public half is what a person pastes. */
type BotKey = { readonly privateKey: KeyObject; readonly publicKey: Address };

export function botKey(): BotKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const x = publicKey.export({ format: 'jwk' }).x ?? '';
  return { privateKey, publicKey: addressFromBytes(new Uint8Array(Buffer.from(x, 'base64url'))) };
}

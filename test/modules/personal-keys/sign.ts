import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Address, addressFromBytes } from '../../../src/core/address/address.ts';
import { COVERED, type SignedRequest } from '../../../src/modules/personal-keys/rules/signed-request.ts';

/** A program's key: its private half signs, its public half is what a person pastes. */
export type BotKey = { readonly privateKey: KeyObject; readonly publicKey: Address };

export function botKey(): BotKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const x = publicKey.export({ format: 'jwk' }).x ?? '';
  return { privateKey, publicKey: addressFromBytes(new Uint8Array(Buffer.from(x, 'base64url'))) };
}

let nonces = 0;

export type Signing = {
  readonly key: BotKey;
  readonly keyId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly method?: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly body?: string;
  readonly idempotencyKey?: string | null;
  readonly covered?: readonly string[];
  /** Replaces the parameters of the signature. */
  readonly params?: string;
  readonly created?: number;
  readonly expires?: number;
  readonly nonce?: string;
};

/** A request as a program signs it by RFC 9421, written a second time and without the product's reader. */
export function signedRequest(given: Signing): SignedRequest {
  nonces += 1;
  const {
    key,
    keyId,
    method = 'POST',
    authority = 'desk.example',
    path = '/desk/trades',
    query = '?',
  } = given;
  const { idempotencyKey = null, body = '' } = given;
  const created = given.created ?? Math.floor(given.now / 1_000);
  const expires = given.expires ?? created + 30;
  const nonce = given.nonce ?? `nonce-${String(nonces).padStart(16, '0')}`;
  const contentDigest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const covered = given.covered ?? [...COVERED, ...(idempotencyKey === null ? [] : ['idempotency-key'])];
  const values: Readonly<Record<string, string>> = {
    '@method': method,
    '@authority': authority,
    '@path': path,
    '@query': query,
    'content-digest': contentDigest,
    'idempotency-key': idempotencyKey ?? '',
    date: 'today',
  };
  const params =
    given.params ?? `;created=${created};expires=${expires};nonce="${nonce}";keyid="${keyId}";alg="ed25519"`;
  const list = `(${covered.map((name) => `"${name}"`).join(' ')})${params}`;
  const base = [...covered.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${list}`].join(
    '\n',
  );
  const signature = sign(null, Buffer.from(base), key.privateKey).toString('base64');
  return {
    method,
    authority,
    path,
    query,
    signatureInput: `sig1=${list}`,
    signature: `sig1=:${signature}:`,
    contentDigest,
    idempotencyKey,
    body: new Uint8Array(Buffer.from(body)),
  };
}

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { addressFromBytes } from '@tradepost/solana';
import type { PersonalKey } from '../../src/modules/personal-keys/rules/personal-key.ts';
import type { Stores } from '../../src/platform/ports/stores.ts';
import { personalKeyRow } from '../conformance/personal-key-store.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';

/** A person's own program: the key as the service has it, and the private half that it keeps. */
export type Program = { readonly key: PersonalKey; readonly privateKey: KeyObject; readonly seed: string };

/** A key that the person added for this wallet, certified by the signer. */
export async function addedProgram(
  db: Pick<Stores, 'personalKeys'>,
  of: { readonly userId: string; readonly walletId: string },
  more: Partial<PersonalKey> & { readonly until: number },
): Promise<Program> {
  const seed = randomBytes(32);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const x = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
  const publicKey = addressFromBytes(new Uint8Array(Buffer.from(x, 'base64url')));
  const facts = personalKeyRow(of, { publicKey, lockEpoch: 0, ...more });
  const key = { ...facts, certificate: TEST_CERTIFIER.personalKey(facts) };
  await db.personalKeys.insert(PASSED, key);
  return { key, privateKey, seed: seed.toString('hex') };
}

export const sha256Digest = (body: string): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/** What a program says of a request; every part may be another than the request's own. */
export type Signing = {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly digest: string;
  readonly components: string;
  readonly created: number;
  readonly expires: number;
  readonly nonce: string;
  readonly keyId: string;
  readonly more: string;
};

/** The headers of a request that the program signs at that moment. */
export function signedHeaders(
  { key, privateKey }: Program,
  at: number,
  { method = 'GET', url = '/desk/positions', body = '' },
  change: Partial<Signing> = {},
): Record<string, string> {
  const [path = '', query] = url.split(/\?(.*)/s);
  const created = change.created ?? Math.floor(at / 1_000);
  const said: Signing = {
    method,
    host: key.host,
    path,
    query: `?${query ?? ''}`,
    digest: sha256Digest(body),
    components: '"@method" "@authority" "@path" "@query" "content-digest"',
    created,
    expires: created + 30,
    nonce: randomBytes(12).toString('base64'),
    keyId: key.id,
    more: '',
    ...change,
  };
  const params = `(${said.components});created=${said.created};expires=${said.expires};nonce="${said.nonce}";keyid="${said.keyId}"${said.more}`;
  const values: Readonly<Record<string, string>> = {
    '@method': said.method,
    '@authority': said.host,
    '@path': said.path,
    '@query': said.query,
    'content-digest': said.digest,
  };
  const lines = said.components
    .split(' ')
    .map((name) => `${name}: ${values[name.replaceAll('"', '')] ?? ''}`);
  const base = [...lines, `"@signature-params": ${params}`].join('\n');
  return {
    'content-digest': said.digest,
    'signature-input': `sig=${params}`,
    signature: `sig=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`,
  };
}

import { earliestOf, isStill, type Reading } from '../../../core/time/due.ts';

/** A request as it arrived, with the parts that its signature covers (RFC 9421). */
export type SignedRequest = {
  readonly method: string;
  /** As the request line has it, without the query. */
  readonly path: string;
  /** With its question mark; `?` alone where there is none. */
  readonly query: string;
  readonly signatureInput: string | undefined;
  readonly signature: string | undefined;
  readonly contentDigest: string | undefined;
  readonly body: Uint8Array;
  readonly ip: string;
};

/** A signature as its headers describe it. */
export type RequestSignature = {
  readonly components: readonly Component[];
  /** The text of `@signature-params`. */
  readonly params: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly expires: number;
  readonly nonce: string;
  readonly keyId: string;
  readonly bytes: Uint8Array;
};

/** All of them are covered, in any order. `@target-uri` is not: behind a proxy this service cannot know the scheme. */
const COMPONENTS = ['@method', '@authority', '@path', '@query', 'content-digest'] as const;
type Component = (typeof COMPONENTS)[number];

export const SIGNATURE_LIMITS = {
  /** From `created` to `expires`. */
  longestSeconds: 60,
  /** How far the clock of a program may run ahead. */
  aheadMs: 5_000,
} as const;

const MOST_LETTERS = 1_000;
const INPUT =
  /^([a-z][a-z0-9_-]{0,31})=(\(("[@a-z-]+"(?: "[@a-z-]+")*)\)((?:;[a-z]+=(?:\d{1,12}|"[\w+/=.-]{1,64}"))+))$/;
const SIGNATURE = /^([a-z][a-z0-9_-]{0,31})=:([A-Za-z0-9+/]{86}==):$/;
const NONCE = /^[\w+/=.-]{8,64}$/;

/** The signature of a request, or the fault of its headers: `null` where it has none at all. */
export function readSignature(
  headers: Pick<SignedRequest, 'signatureInput' | 'signature'>,
): RequestSignature | { readonly fault: string | null } {
  const { signatureInput, signature } = headers;
  if (signatureInput === undefined || signature === undefined) return { fault: null };
  if (signatureInput.length > MOST_LETTERS) return { fault: 'signature-input is too long' };
  const [, label, params = '', covered = '', rest = ''] = INPUT.exec(signatureInput) ?? [];
  if (label === undefined)
    return { fault: 'signature-input: expected one signature, as /docs/signatures shows it' };
  const [, signed, base64 = ''] = SIGNATURE.exec(signature) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (signed !== label || bytes.toString('base64') !== base64)
    return { fault: `signature: expected ${label}=:64 bytes of Ed25519 in base64:` };
  const components = covered.split(' ').map((name) => name.slice(1, -1));
  if (!isWhole(components))
    return { fault: `signature-input: expected these components, each once: ${COMPONENTS.join(', ')}` };
  const read = readParams(rest);
  return typeof read === 'string' ? { fault: read } : { ...read, components, params, bytes };
}

function isWhole(names: readonly string[]): names is readonly Component[] {
  return names.length === COMPONENTS.length && COMPONENTS.every((one) => names.includes(one));
}

/** The parameters of a signature, or their fault. */
function readParams(
  text: string,
): Pick<RequestSignature, 'created' | 'expires' | 'nonce' | 'keyId'> | string {
  const pairs = text
    .slice(1)
    .split(';')
    .map((part) => part.split(/=(.*)/s));
  const given = new Map(pairs.map(([name = '', value = '']) => [name, value]));
  if (given.size !== pairs.length) return 'signature-input names a parameter twice';
  const quoted = (name: string): string => /^"(.*)"$/.exec(given.get(name) ?? '')?.[1] ?? '';
  const seconds = (name: string): number => {
    const value = given.get(name) ?? '';
    return /^\d+$/.test(value) ? Number(value) : Number.NaN;
  };
  const [created, expires] = [seconds('created'), seconds('expires')];
  if (Number.isNaN(created) || Number.isNaN(expires))
    return 'signature-input: expected created and expires as whole seconds';
  const nonce = quoted('nonce');
  if (!NONCE.test(nonce)) return 'signature-input: expected a nonce of 8 to 64 letters of base64';
  const keyId = quoted('keyid');
  if (keyId === '') return 'signature-input: expected the id of the key as keyid';
  const known = given.has('alg') ? 5 : 4;
  if ((known === 5 && quoted('alg') !== 'ed25519') || given.size !== known)
    return 'signature-input: expected created, expires, nonce, keyid and at most alg="ed25519"';
  return { created, expires, nonce, keyId };
}

/** The bytes that a program signs, as text: `authority` is the host that the key was added for. */
export function signatureBase(
  { components, params }: Pick<RequestSignature, 'components' | 'params'>,
  request: Pick<SignedRequest, 'method' | 'path' | 'query' | 'contentDigest'>,
  authority: string,
): string {
  const values: Readonly<Record<Component, string>> = {
    '@method': request.method,
    '@authority': authority,
    '@path': request.path,
    '@query': request.query,
    'content-digest': request.contentDigest ?? '',
  };
  return [...components.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${params}`].join(
    '\n',
  );
}

/** The header `content-digest` of a body with this SHA-256. */
export const contentDigestOf = (sha256: Uint8Array): string =>
  `sha-256=:${Buffer.from(sha256).toString('base64')}:`;

/** The fault of a signature's times; null where it counts now. */
export function timeFault(
  { created, expires }: Pick<RequestSignature, 'created' | 'expires'>,
  at: Reading,
): string | null {
  if (expires <= created || expires - created > SIGNATURE_LIMITS.longestSeconds)
    return `expected expires within ${SIGNATURE_LIMITS.longestSeconds} seconds after created`;
  if (created * 1_000 > earliestOf(at) + SIGNATURE_LIMITS.aheadMs)
    return 'created lies in the future; set the clock of this machine';
  if (!isStill(expires * 1_000, at)) return 'the signature has expired; sign the request anew';
  return null;
}

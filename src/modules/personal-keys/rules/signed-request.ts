import type { Address } from '../../../core/address/address.ts';
import { isStill, latestOf, type Reading } from '../../../core/time/due.ts';
import type { SignatureChecks } from '../../../platform/ports/signature-checks.ts';
import { innerListText, quoted, readByteMembers, readSignatureInput } from './structured-fields.ts';

/** The parts of a request that a signature may cover, as they came. The signer is handed the same. */
export type SignedRequest = {
  readonly method: string;
  /** The host as the caller named it, with its port where that is not the scheme's own. */
  readonly authority: string;
  readonly path: string;
  /** With the question mark; a request without a query has that alone. */
  readonly query: string;
  readonly signatureInput: string | null;
  readonly signature: string | null;
  readonly contentDigest: string | null;
  readonly idempotencyKey: string | null;
  readonly body: Uint8Array;
};

/** A request whose signature was read, and not verified yet. */
export type ReadRequest = {
  readonly keyId: string;
  readonly nonce: string;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly expires: number;
  readonly idempotencyKey: string | null;
  readonly digest: Uint8Array;
  readonly signature: Uint8Array;
  /** The text that the signature is over. */
  readonly base: string;
};

/**
 * Why a request is not its key's. `missing`: a header lacks. `malformed`: one cannot be read. `component`: a part is not covered, or one
 * is that no reader here knows. `algorithm`: not Ed25519. `params`: key, nonce, beginning or end lacks. `future`, `expired`, `long`: its time.
 * `host`: it was signed for another one. `digest`: the body is another. `signature`: not of this key over these parts.
 */
export type RequestFault =
  | 'missing'
  | 'malformed'
  | 'component'
  | 'algorithm'
  | 'params'
  | 'future'
  | 'expired'
  | 'long'
  | 'host'
  | 'digest'
  | 'signature';

export const REQUEST_LIMITS = {
  /** Between `created` and `expires`. */
  longestMs: 60_000,
  /** A caller's clock may run ahead by so much. */
  aheadMs: 5_000,
} as const;

/** The parts that each signature covers. `idempotency-key` joins them where the request has one. */
export const COVERED = ['@method', '@authority', '@path', '@query', 'content-digest'] as const;
const KEYED = 'idempotency-key';
const KNOWN: ReadonlySet<string> = new Set([...COVERED, KEYED]);

const PARAMS: ReadonlySet<string> = new Set(['created', 'expires', 'nonce', 'keyid', 'alg']);
const A_NONCE = /^[A-Za-z0-9_-]{16,64}$/;
const A_KEY_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const AN_IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;
/** One line each: a value with a line break could pass for two parts. */
const ONE_LINE = /^[\x20-\x7e]*$/;
const SIGNATURE_BYTES = 64;
const DIGEST_BYTES = 32;

/** Reads the signature of a request, once: whose it says it is, its time, and the text that it is over. */
export function readRequest(request: SignedRequest): ReadRequest | RequestFault {
  const { signatureInput, signature: signatures, contentDigest, idempotencyKey } = request;
  if (signatureInput === null || signatures === null || contentDigest === null) return 'missing';
  const input = readSignatureInput(signatureInput);
  const signed = readByteMembers(signatures);
  const digest = readByteMembers(contentDigest)?.get('sha-256');
  if (input === null || signed === null || digest === undefined) return 'malformed';
  const signature = signed.get(input.label);
  if (signed.size !== 1 || signature?.length !== SIGNATURE_BYTES || digest.length !== DIGEST_BYTES)
    return 'malformed';
  if (!coversAll(input.items, idempotencyKey !== null)) return 'component';
  if (idempotencyKey !== null && !AN_IDEMPOTENCY_KEY.test(idempotencyKey)) return 'malformed';
  const params = new Map(input.params);
  if (params.get('alg') !== 'ed25519') return 'algorithm';
  const [created, expires] = [params.get('created'), params.get('expires')];
  const [nonce, keyId] = [params.get('nonce'), params.get('keyid')];
  const isWhole =
    typeof created === 'number' &&
    typeof expires === 'number' &&
    typeof nonce === 'string' &&
    typeof keyId === 'string' &&
    A_NONCE.test(nonce) &&
    A_KEY_ID.test(keyId) &&
    [...params.keys()].every((key) => PARAMS.has(key));
  if (!isWhole) return 'params';
  const values = input.items.map((name) => partOf(request, name));
  if (!values.every((value) => ONE_LINE.test(value))) return 'malformed';
  const base = signatureBase(
    input.items.map((name, at) => [name, values[at] ?? '']),
    innerListText(input),
  );
  return {
    keyId,
    nonce,
    created: created * 1_000,
    expires: expires * 1_000,
    idempotencyKey,
    digest,
    signature,
    base,
  };
}

/** The text that a signature is over: RFC 9421, 2.5. */
export function signatureBase(parts: readonly (readonly [string, string])[], params: string): string {
  const lines = parts.map(([name, value]) => `${quoted(name)}: ${value}`);
  return [...lines, `"@signature-params": ${params}`].join('\n');
}

/**
 * The first reason against a request that was read; null where it is this key's, of now and for this host. A signature that was used
 * before passes: the caller asks for its nonce.
 */
export function requestFault(
  checks: SignatureChecks,
  request: SignedRequest,
  read: ReadRequest,
  wanted: { readonly publicKey: Address; readonly host: string; readonly now: Reading },
): RequestFault | null {
  const { now, host, publicKey } = wanted;
  if (read.created > latestOf(now) + REQUEST_LIMITS.aheadMs) return 'future';
  if (!isStill(read.expires, now)) return 'expired';
  if (read.expires <= read.created || read.expires > read.created + REQUEST_LIMITS.longestMs) return 'long';
  if (request.authority.toLowerCase() !== host.toLowerCase()) return 'host';
  if (!isSame(checks.sha256(request.body), read.digest)) return 'digest';
  const text = new TextEncoder().encode(read.base);
  return checks.isSigned(text, publicKey, read.signature) ? null : 'signature';
}

function coversAll(items: readonly string[], hasKey: boolean): boolean {
  const names = new Set(items);
  return (
    names.size === items.length &&
    items.every((name) => KNOWN.has(name)) &&
    COVERED.every((name) => names.has(name)) &&
    names.has(KEYED) === hasKey
  );
}

function partOf(request: SignedRequest, name: string): string {
  switch (name) {
    case '@method':
      return request.method;
    case '@authority':
      return request.authority.toLowerCase();
    case '@path':
      return request.path;
    case '@query':
      return request.query;
    case 'content-digest':
      return (request.contentDigest ?? '').trim();
    default:
      return (request.idempotencyKey ?? '').trim();
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

import { toBase64 } from './base64.ts';
import { type Request, randomKey } from './request.ts';

/** A key of a program of yours, as you added it in the chat. */
export type PersonalKey = {
  /** As the chat shows it under Security → Program keys. */
  readonly id: string;
  /** The Ed25519 signature over these bytes: 64 bytes. The private key stays with you. */
  readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
};

/** Seconds for which a signature counts: long enough for a slow network. */
const COUNTS_SECONDS = 30;
const COVERED = '("@method" "@authority" "@path" "@query" "content-digest")';

/**
 * The request with a signature of RFC 9421 in the place of a key of the API. Each call has a nonce of its own, so that a request which is
 * tried again is signed again. Rejects with the error of `sign`.
 */
export async function signedRequest(
  request: Request,
  key: PersonalKey,
  nowMs: number = Date.now(),
): Promise<Request> {
  const { method, url, body } = request;
  const { 'x-api-key': _apiKey, ...headers } = request.headers;
  const text = new TextEncoder();
  const hash = await crypto.subtle.digest('SHA-256', text.encode(body ?? ''));
  const digest = `sha-256=:${toBase64(new Uint8Array(hash))}:`;
  const { host, pathname, search } = new URL(url);
  const created = Math.floor(nowMs / 1_000);
  const params = `${COVERED};created=${created};expires=${created + COUNTS_SECONDS};nonce="${randomKey()}";keyid="${key.id}"`;
  const base = [
    `"@method": ${method}`,
    `"@authority": ${host}`,
    `"@path": ${pathname}`,
    `"@query": ${search === '' ? '?' : search}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${params}`,
  ].join('\n');
  const signature = await key.sign(text.encode(base));
  return {
    ...request,
    headers: {
      ...headers,
      'content-digest': digest,
      'signature-input': `sig=${params}`,
      signature: `sig=:${toBase64(signature)}:`,
    },
  };
}

import type { FastifyRequest } from 'fastify';
import type { Right } from '../../modules/personal-keys/rules/personal-key.ts';
import type { Refusal } from '../../modules/personal-keys/use/admit-request.ts';
import type { ProgramDesk } from '../../modules/personal-keys/use/program-desk.ts';
import { ApiError } from './errors/api-error.ts';
import type { ApiCode } from './errors/catalogue.ts';
import type { Caller } from './route.ts';

/** Requests of one address to the signed routes, before any signature is looked at. */
export const SIGNED_RATE = { ratePerSecond: 10, burst: 20 } as const;

const CHALLENGE = { 'www-authenticate': 'Signature realm="tradepost"' };

const REFUSALS: Readonly<
  Record<Refusal, { readonly status: 401 | 403; readonly code: ApiCode; readonly message: string }>
> = {
  unsigned: {
    status: 401,
    code: 'REQUEST_SIGNATURE_MISSING',
    message: 'expected the headers signature-input and signature of RFC 9421; see /docs/signatures',
  },
  malformed: { status: 401, code: 'REQUEST_SIGNATURE_INVALID', message: 'the signature cannot be read' },
  time: { status: 401, code: 'REQUEST_TIME_INVALID', message: 'the signature does not count now' },
  unknown: {
    status: 401,
    code: 'PERSONAL_KEY_UNKNOWN',
    message: 'no key has this id; expected the id that the chat shows under Security → Program keys',
  },
  signature: {
    status: 401,
    code: 'REQUEST_SIGNATURE_INVALID',
    message:
      'the signature is not of this request by this key; the method, the path, the query or the host differ from what was signed',
  },
  body: {
    status: 401,
    code: 'REQUEST_SIGNATURE_INVALID',
    message: 'content-digest is not the SHA-256 of this body; expected sha-256=:base64: of its bytes',
  },
  ended: {
    status: 403,
    code: 'PERSONAL_KEY_ENDED',
    message: 'this key has ended, or trades were locked since it was added; add another one in the chat',
  },
  ip: {
    status: 403,
    code: 'PERSONAL_KEY_ADDRESS',
    message: 'this key takes no requests from this IP address; its list is in the chat',
  },
  right: {
    status: 403,
    code: 'PERSONAL_KEY_RIGHT',
    message: 'this key lacks the right that this path needs; add a key with it in the chat',
  },
  replayed: {
    status: 401,
    code: 'REQUEST_REPLAYED',
    message: 'a request with this nonce was taken already; expected a new nonce each time',
  },
};

/** Codes of the signed routes. */
export const SIGNED_CODES: readonly ApiCode[] = [
  ...new Set(Object.values(REFUSALS).map(({ code }) => code)),
].toSorted();

/** The caller with the personal key that signed the request. Throws 401 and 403. */
export async function verifySigned(
  desk: Pick<ProgramDesk, 'admit'>,
  asked: {
    readonly request: FastifyRequest;
    readonly body: Uint8Array;
    readonly caller: Caller;
    readonly right: Right;
  },
): Promise<Caller> {
  const { request, body, caller, right } = asked;
  const { method, url, ip, headers } = request;
  const [path = '', query] = url.split(/\?(.*)/s);
  const text = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const admission = await desk.admit(
    {
      method,
      path,
      query: `?${query ?? ''}`,
      signatureInput: text('signature-input'),
      signature: text('signature'),
      contentDigest: text('content-digest'),
      body,
      ip,
    },
    right,
  );
  if (admission.kind === 'admitted') {
    const [signatureInput = '', signature = ''] = [text('signature-input'), text('signature')];
    const signedText = { signatureInput, signature, body };
    return { ...caller, id: `program:${admission.key.id}`, personalKey: admission.key, signedText };
  }
  const { status, code, message } = REFUSALS[admission.why];
  throw new ApiError({
    status,
    code,
    message: admission.fault ?? message,
    ...(status === 401 ? { headers: CHALLENGE } : {}),
  });
}

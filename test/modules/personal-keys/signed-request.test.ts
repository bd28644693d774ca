import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  COVERED,
  readRequest,
  requestFault,
  type SignedRequest,
  signatureBase,
} from '../../../src/modules/personal-keys/rules/signed-request.ts';
import {
  innerListText,
  readByteMembers,
  readSignatureInput,
} from '../../../src/modules/personal-keys/rules/structured-fields.ts';
import { createSignatureChecks } from '../../../src/platform/chain/signature-checks.ts';
import { botKey, type Signing, signedRequest } from './sign.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const KEY = botKey();
const KEY_ID = '01J8ZQ6Y7V3M9T2K4C5D6E7F8G';
const HOST = 'desk.example';
const checks = createSignatureChecks();

const signed = (more: Partial<Signing> = {}): SignedRequest =>
  signedRequest({ key: KEY, keyId: KEY_ID, now: NOW, body: '{"side":"buy"}', ...more });

/** Null: it is the key's, of now and for this host. */
function faultOf(
  request: SignedRequest,
  more: { now?: number; host?: string; publicKey?: typeof KEY.publicKey } = {},
) {
  const read = readRequest(request);
  if (typeof read === 'string') return read;
  return requestFault(checks, request, read, { now: NOW, host: HOST, publicKey: KEY.publicKey, ...more });
}

describe('a signed request', () => {
  it('is its key’s, of now and for this host', () => {
    expect(faultOf(signed())).toBeNull();
    expect(faultOf(signed({ method: 'GET', body: '', query: '?limit=5' }))).toBeNull();
    expect(faultOf(signed({ idempotencyKey: 'order-17' }))).toBeNull();
    expect(faultOf({ ...signed(), authority: 'DESK.example' })).toBeNull();
    expect(readRequest(signed({ nonce: 'abcdefghijklmnop', idempotencyKey: 'k' }))).toMatchObject({
      keyId: KEY_ID,
      nonce: 'abcdefghijklmnop',
      idempotencyKey: 'k',
      created: NOW,
      expires: NOW + 30_000,
    });
  });

  it('is refused where any covered part was changed on the way', () => {
    const request = signed({ idempotencyKey: 'order-17' });
    const other = new Uint8Array(Buffer.from('{"side":"sell"}'));
    expect(faultOf({ ...request, body: other })).toBe('digest');
    const digest = Buffer.from(checks.sha256(other)).toString('base64');
    expect(faultOf({ ...request, body: other, contentDigest: `sha-256=:${digest}:` })).toBe('signature');
    expect(faultOf({ ...request, method: 'DELETE' })).toBe('signature');
    expect(faultOf({ ...request, path: '/desk/orders' })).toBe('signature');
    expect(faultOf({ ...request, query: '?a=1' })).toBe('signature');
    expect(faultOf({ ...request, idempotencyKey: 'order-18' })).toBe('signature');
    const signatureInput = (request.signatureInput ?? '').replace(
      /expires=(\d+)/,
      (_all, at) => `expires=${Number(at) + 5}`,
    );
    expect(faultOf({ ...request, signatureInput })).toBe('signature');
  });

  it('is refused at another host than the one it was signed for', () => {
    const elsewhere = signed({ authority: 'other.example' });
    expect(faultOf(elsewhere)).toBe('host');
    // Sent here under this host's name.
    expect(faultOf({ ...elsewhere, authority: HOST })).toBe('signature');
    expect(faultOf(signed({ authority: `${HOST}:4404` }))).toBe('host');
  });

  it('is refused before its beginning, from its end on, and where it lasts longer than a minute', () => {
    const at = NOW / 1_000;
    expect(faultOf(signed({ created: at + 5 }))).toBeNull();
    expect(faultOf(signed({ created: at + 6 }))).toBe('future');
    expect(faultOf(signed({ created: at - 40, expires: at }))).toBe('expired');
    expect(faultOf(signed(), { now: NOW + 30_000 })).toBe('expired');
    expect(faultOf(signed(), { now: NOW + 29_999 })).toBeNull();
    expect(faultOf(signed({ expires: at + 60 }))).toBeNull();
    expect(faultOf(signed({ expires: at + 61 }))).toBe('long');
    expect(faultOf(signed({ created: at + 3, expires: at + 3 }))).toBe('long');
  });

  it('is refused with another key', () => {
    expect(faultOf(signed({ key: botKey() }))).toBe('signature');
    expect(faultOf(signed(), { publicKey: botKey().publicKey })).toBe('signature');
  });

  it.each(COVERED)('is refused where %s is not covered', (name) => {
    expect(faultOf(signed({ covered: COVERED.filter((one) => one !== name) }))).toBe('component');
  });

  it('is refused where it covers what no reader here knows, a part twice, or not its idempotency key', () => {
    expect(faultOf(signed({ covered: [...COVERED, 'date'] }))).toBe('component');
    expect(faultOf(signed({ covered: [...COVERED, '@path'] }))).toBe('component');
    expect(faultOf(signed({ covered: [...COVERED], idempotencyKey: 'k' }))).toBe('component');
    expect(faultOf(signed({ covered: [...COVERED, 'idempotency-key'] }))).toBe('component');
    expect(faultOf(signed({ covered: [...COVERED, '@target-uri'] }))).toBe('component');
  });

  it('is refused without key, nonce, times or the algorithm, and with parameters of another meaning', () => {
    const at = NOW / 1_000;
    const whole = [`created=${at}`, `expires=${at + 30}`, 'nonce="abcdefghijklmnop"', `keyid="${KEY_ID}"`];
    const withParams = (params: readonly string[], alg = 'alg="ed25519"') =>
      faultOf(signed({ params: [...params, alg].map((one) => `;${one}`).join('') }));
    expect(withParams(whole)).toBeNull();
    for (const left of whole) expect(withParams(whole.filter((one) => one !== left))).toBe('params');
    expect(withParams(whole, 'tag="x"')).toBe('algorithm');
    expect(withParams(whole, 'alg="hmac-sha256"')).toBe('algorithm');
    expect(withParams([...whole, 'tag="x"'])).toBe('params');
    expect(withParams(whole.map((one) => one.replace('abcdefghijklmnop', 'short')))).toBe('params');
    expect(withParams(whole.map((one) => one.replace(KEY_ID, 'me')))).toBe('params');
    expect(withParams(whole.map((one) => one.replace(`created=${at}`, `created="${at}"`)))).toBe('params');
    expect(withParams(whole.map((one) => one.replace(`created=${at}`, `created=${at}.5`)))).toBe('malformed');
  });

  it('is refused without its headers, and with headers of another form', () => {
    const request = signed();
    for (const header of ['signatureInput', 'signature', 'contentDigest'] as const)
      expect(faultOf({ ...request, [header]: null })).toBe('missing');
    const { signatureInput: input, signature } = request;
    for (const broken of [
      { signatureInput: `${input}, sig2=("@method")` },
      { signatureInput: (input ?? '').replace('sig1', 'sig2') },
      { signatureInput: (input ?? '').replace('"@method"', '"@method";req') },
      { signatureInput: '' },
      { signature: `${signature}, ${signature?.replace('sig1', 'sig2')}` },
      { signature: 'sig1=:AAAA:' },
      { signature: (signature ?? '').replace(/:$/, '') },
      { contentDigest: 'sha-512=:AAAA:' },
      { contentDigest: 'sha-256=:AAAA:' },
      { path: '/desk/trades\n"@query": ?' },
      { method: 'POST\r' },
    ])
      expect(faultOf({ ...request, ...broken }), JSON.stringify(broken)).toBe('malformed');
  });
});

describe('structured fields', () => {
  it('are written as they were read, in the order of their parameters', () => {
    const text = 'sig=("@method" "a\\"b");created=1;nonce="x\\\\y";n=-5';
    const read = readSignatureInput(text);
    expect(read).toMatchObject({ label: 'sig', items: ['@method', 'a"b'] });
    expect(read === null ? '' : `sig=${innerListText(read)}`).toBe(text);
    expect(readSignatureInput('sig=( "a"  "b" );c=1')).toMatchObject({ items: ['a', 'b'] });
  });

  it('have one reading: what is doubled, cut off or of another type is none', () => {
    for (const text of [
      'sig',
      'sig=',
      'sig=("a"',
      'sig=("a""b")',
      'sig=("a");c=1;c=2',
      'sig=("a");c',
      'Sig=("a")',
      'sig=("a") x',
    ])
      expect(readSignatureInput(text), text).toBeNull();
    for (const text of ['a=:AAA:', 'a=:AAAB:, a=:AAAB:', 'a=:AAAB: b', 'a=:AAAB:,', 'a="x"', 'a=:AAA=:, b'])
      expect(readByteMembers(text), text).toBeNull();
    expect([...(readByteMembers('a=:AAAB: , b=:AAAC:') ?? [])].map(([key]) => key)).toEqual(['a', 'b']);
  });

  it('give the signed text of RFC 9421, B.2.6', () => {
    const parts = [
      ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['@method', 'POST'],
      ['@path', '/foo'],
      ['@authority', 'example.com'],
      ['content-type', 'application/json'],
      ['content-length', '18'],
    ] as const;
    const params: (readonly [string, string | number])[] = [
      ['created', 1_618_884_473],
      ['keyid', 'test-key-ed25519'],
    ];
    const base = signatureBase(parts, innerListText({ items: parts.map(([name]) => name), params }));
    const key = createPublicKey(
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----',
    );
    const signature =
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
    expect(verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))).toBe(true);
  });
});

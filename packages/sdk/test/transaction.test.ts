import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromBase58,
  fromBase64,
  messageOf,
  signatureOf,
  signersOf,
  toBase58,
  toBase64,
  withSignature,
} from '../src/index.ts';

const KEYS = [7, 8, 9].map((fill) => new Uint8Array(32).fill(fill));
const ADDRESSES = KEYS.map(toBase58);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const keys = KEYS.flatMap((key) => [...key]);

/** Two signers of three accounts, in each form; nothing is signed yet. */
const FORMS: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['legacy', Uint8Array.from([2, ...zeros(128), 2, 0, 1, 3, ...keys, ...zeros(33)])],
  ['version 0', Uint8Array.from([2, ...zeros(128), 0x80, 2, 0, 1, 3, ...keys, ...zeros(34)])],
  ['version 1', Uint8Array.from([0x81, 2, 0, 1, ...zeros(4), ...zeros(32), 0, 3, ...keys, ...zeros(128)])],
];

describe.each(FORMS)('a transaction of the form %s', (name, unsigned) => {
  it('names its signers', () => {
    expect(signersOf(unsigned)).toEqual(ADDRESSES.slice(0, 2));
  });

  it('takes each signature into its place, and leaves the message alone', () => {
    const [first, second] = [1, 2].map((fill) => new Uint8Array(64).fill(fill));
    const half = withSignature(unsigned, ADDRESSES[1] ?? '', second ?? new Uint8Array());
    expect(() => signatureOf(half)).toThrow('expected a signed transaction');
    const signed = withSignature(half, ADDRESSES[0] ?? '', first ?? new Uint8Array());
    expect(signatureOf(signed)).toBe(toBase58(new Uint8Array(64).fill(1)));
    expect(messageOf(signed)).toEqual(messageOf(unsigned));
    const start = name === 'version 1' ? signed.length - 128 : 1;
    expect([...signed.subarray(start, start + 128)]).toEqual([...(first ?? []), ...(second ?? [])]);
    expect(unsigned.subarray(start, start + 128).every((byte) => byte === 0)).toBe(true);
  });

  it('takes no signature of another account, and none of another length', () => {
    expect(() => withSignature(unsigned, ADDRESSES[2] ?? '', new Uint8Array(64))).toThrow('does not sign');
    expect(() => withSignature(unsigned, ADDRESSES[0] ?? '', new Uint8Array(63))).toThrow('64 bytes, not 63');
  });
});

describe('bytes that are no transaction', () => {
  it.each([
    ['none', []],
    ['no signature', [0, 1, 2]],
    ['too few for its signatures', [2, ...zeros(128)]],
    ['version 1 without room', [0x81, 2, 0]],
  ])('%s', (_, bytes) => {
    expect(() => messageOf(Uint8Array.from(bytes))).toThrow('expected the bytes of a Solana transaction');
  });

  it('a version that is not known', () => {
    expect(() => signersOf(Uint8Array.from([1, ...zeros(64), 0x82, ...zeros(99)]))).toThrow('version 0 or 1');
  });
});

describe('texts of bytes', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(fromBase58(toBase58(bytes))).toEqual(bytes);
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });

  it('are those of the world', () => {
    expect(toBase58(new TextEncoder().encode('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
    expect(toBase58(Uint8Array.from([0, 0, 40, 127, 180, 205]))).toBe('11233QC4');
  });

  it('are refused where they are none', () => {
    expect(() => fromBase58('0')).toThrow('expected base58');
    expect(() => fromBase64('§')).toThrow('expected base64');
  });
});

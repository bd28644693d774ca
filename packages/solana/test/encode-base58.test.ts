import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { encodeBase58 } from '../src/encode-base58.ts';

test('agrees with bs58 for every length up to a packet', () => {
  for (let length = 0; length <= 1_232; length += length < 80 ? 1 : 29) {
    const bytes = randomBytes(length);
    expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
  }
});

test('keeps leading zeros, and bytes that are all zeros or all ones', () => {
  for (let zeros = 0; zeros <= 66; zeros += 1) {
    for (const tail of [[], [1], [255, 255], [0, 1], [57], [58]]) {
      const bytes = Uint8Array.from([...new Uint8Array(zeros), ...tail]);
      expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
    }
    const ones = new Uint8Array(zeros).fill(255);
    expect(encodeBase58(ones)).toBe(bs58.encode(ones));
  }
});

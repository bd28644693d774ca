import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBox, sealBox } from '../../../src/platform/gcm-box.ts';

describe('a sealed box', () => {
  it('gives back any bytes under any additional data, and refuses a tag of 4 bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 80 }),
        fc.uint8Array({ maxLength: 40 }),
        (key, plain, aad) => {
          const box = sealBox(key, plain, aad);
          expect(new Uint8Array(openBox(key, box, aad))).toEqual(plain);
          // What an attacker would store: iv, ciphertext and a tag short enough to be guessed.
          expect(() => openBox(key, box.subarray(0, box.length - 12), aad)).toThrow();
          expect(() => openBox(key, box.subarray(0, 27), aad)).toThrow('sealed box is too short');
        },
      ),
    );
  });

  it('may hold nothing, and is then no longer than its frame', () => {
    const [key, aad] = [new Uint8Array(32).fill(1), new Uint8Array([2])];
    const box = sealBox(key, new Uint8Array(), aad);
    expect(box).toHaveLength(12 + 16);
    expect(openBox(key, box, aad)).toHaveLength(0);
  });
});

import { describe, expect, it } from 'vitest';
import { localKek, parseKek } from '../../../src/platform/vault/local-kek.ts';

describe('a key held in this process', () => {
  it('keeps the name that stored rows know it by, which says nothing of the key', () => {
    expect(localKek(new Uint8Array(32).fill(5)).id).toBe('local-72b6d7b64847efbf');
  });

  it('opens what it wrapped after the caller wiped the bytes it was made of', async () => {
    const bytes = new Uint8Array(32).fill(5);
    const kek = localKek(bytes);
    bytes.fill(0);
    const box = await localKek(new Uint8Array(32).fill(5)).wrap(Buffer.from('dek'), Buffer.from('row'));
    expect(Buffer.from(await kek.unwrap(box, Buffer.from('row'))).toString()).toBe('dek');
  });

  it.each([0, 16, 31, 33, 64])('is not made of %i bytes', (length) => {
    expect(() => localKek(new Uint8Array(length))).toThrow(
      new RangeError('a key-encryption key has 32 bytes'),
    );
  });
});

describe('the text of a key', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index * 8));
  const [hex, base64] = [bytes.toString('hex'), bytes.toString('base64')];

  it.each([hex, hex.toUpperCase(), base64, ` \t${hex}\r\n`, `\n${base64} `])('may be %j', (text) => {
    expect(parseKek(text)).toEqual(bytes);
  });

  it('may be base64 with every sign of its alphabet', () => {
    const any = '+/09AZaz'.repeat(5).concat('+/8=');
    expect(parseKek(any)).toEqual(Buffer.from(any, 'base64'));
  });

  it.each([
    ['nothing', ''],
    ['a digit more in front', `0${hex}`],
    ['a digit more behind', `${hex}0`],
    ['a letter that is no digit', `g${hex.slice(1)}`],
    ['base64 without its end', base64.slice(0, -1)],
    ['base64 with a sign more in front', `A${base64}`],
    ['base64 with a sign more behind', `${base64}A`],
    ['base64 of another alphabet', `-_${base64.slice(2)}`],
    ['base64 of 31 bytes', Buffer.alloc(31).toString('base64')],
    ['two keys', `${hex}\n${hex}`],
  ])('is not %s', (_, text) => {
    expect(parseKek(text)).toBeNull();
  });
});

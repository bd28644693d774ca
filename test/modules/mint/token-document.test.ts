import { describe, expect, it } from 'vitest';
import { metadataFaults, tokenDocument } from '../../../src/modules/mint/rules/token-document.ts';

const faultsOf = (metadata: Parameters<typeof metadataFaults>[0]) =>
  metadataFaults(metadata).map(({ field, code }) => `${field} ${code}`);

describe('the document of a token', () => {
  it('has the fields that wallets and explorers read', () => {
    const text = tokenDocument({
      name: 'Puppy',
      symbol: 'PUP',
      metadata: {
        description: 'A dog',
        imageUri: 'https://x.example/p.JPG?v=1',
        extensions: { website: 'https://pup.example', twitter: 'https://x.com/pup', discord: '' },
        tags: 'meme, dog,, dog',
      },
    });
    expect(JSON.parse(text)).toEqual({
      name: 'Puppy',
      symbol: 'PUP',
      description: 'A dog',
      image: 'https://x.example/p.JPG?v=1',
      external_url: 'https://pup.example',
      extensions: { website: 'https://pup.example', twitter: 'https://x.com/pup' },
      tags: ['meme', 'dog'],
      properties: {
        category: 'image',
        files: [{ uri: 'https://x.example/p.JPG?v=1', type: 'image/jpeg' }],
      },
    });
  });

  it('is the same text for the same token, whatever order its parts came in', () => {
    const one = { website: 'https://a.example', discord: 'https://b.example' };
    const other = { discord: 'https://b.example', website: 'https://a.example' };
    const textOf = (extensions: typeof one) =>
      tokenDocument({ name: 'A', symbol: 'A', metadata: { extensions } });
    expect(textOf(one)).toBe(textOf(other));
  });

  it('leaves out what was not given instead of pointing nowhere', () => {
    const document = JSON.parse(tokenDocument({ name: 'A', symbol: 'A', metadata: { imageUri: '' } }));
    expect(document).toEqual({ name: 'A', symbol: 'A', description: '', extensions: {}, tags: [] });
  });
});

describe('the faults of metadata', () => {
  it('are none for links of the usual kinds, line breaks, emoji families and Persian', () => {
    expect(
      faultsOf({
        description: 'one\ntwo 👨‍👩‍👧 می‌خواهم',
        imageUri: 'ipfs://bafkreigh2akiscaildc/p.png',
        extensions: { website: 'http://127.0.0.1:4403/x?y=1#z', telegram: 'https://t.me/pup' },
        tags: 'a,b',
      }),
    ).toEqual([]);
  });

  it('are told all at once, with their fields', () => {
    expect(
      faultsOf({
        description: 'x'.repeat(1_001),
        imageUri: 'data:image/svg+xml,<svg onload=alert(1)>',
        extensions: { website: 'javascript:alert(1)', twitter: `https://x.com/${'a'.repeat(200)}` },
        tags: Array.from({ length: 11 }, (_, n) => `t${n}`).join(','),
      }),
    ).toEqual([
      'metadata.description TOO_LONG',
      'metadata.imageUri NOT_A_LINK',
      'metadata.extensions.website NOT_A_LINK',
      'metadata.extensions.twitter TOO_LONG',
      'metadata.tags TOO_MANY',
    ]);
  });

  it.each([
    ['a user in front of the host', 'https://x.com@evil.example/'],
    ['quotes that end an attribute', 'https://x.com/"onload="alert(1)'],
    ['a space', 'https://x.com/a b'],
    ['a reversed ending', 'https://x.com/\u202egnp.exe'],
    ['a file', 'file:///etc/passwd'],
    ['no scheme', 'x.com/p.png'],
    ['a scheme in other letters', 'JavaScript://x'],
  ])('include a link with %s', (_, imageUri) => {
    expect(faultsOf({ imageUri })).toEqual(['metadata.imageUri NOT_A_LINK']);
  });

  it('count bytes, not characters', () => {
    expect(faultsOf({ description: '🐶'.repeat(251) })).toEqual(['metadata.description TOO_LONG']);
    expect(faultsOf({ description: '🐶'.repeat(250) })).toEqual([]);
  });

  it('include control characters and reversed text', () => {
    expect(faultsOf({ description: 'a\u0000b' })).toEqual(['metadata.description CONTROL_CHARACTER']);
    expect(faultsOf({ tags: 'a\u202eb' })).toEqual(['metadata.tags CONTROL_CHARACTER']);
  });
});

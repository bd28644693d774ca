import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchKey } from '../../../src/modules/market/rules/search-key.ts';
import { type Findable, rankTokens } from '../../../src/modules/market/rules/search-rank.ts';
import { readTokenQuery } from '../../../src/modules/market/rules/token-query.ts';

const MINT = 'Gh3kQ8mcW6wmNkRZ2CTMGZc4hYhFy1aW1sJQ9u3GmVwA';

describe('a search key', () => {
  it('is one for what a reader takes for one, and ASCII whatever was given', () => {
    expect(['PUP', '$PUP', ' pup', 'РUР', 'p\u200bup', 'ＰＵＰ', 'PÜP'].map(searchKey)).toEqual(
      Array(7).fill('pup'),
    );
    expect(searchKey('бонк')).toBe('u431ohk');
    expect(searchKey('犬')).toBe('u72ac');
    expect(['', ' ', '\u202e', null].map(searchKey)).toEqual(['', '', '', '']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const key = searchKey(text);
        expect(key).toMatch(/^[\x20-\x7f]*$/);
        expect(key.length).toBeLessThanOrEqual(128);
      }),
    );
  });
});

describe('what is looked for', () => {
  it('is an address, wherever it stands, or a name', () => {
    const found = { kind: 'addresses', addresses: [MINT] };
    expect(readTokenQuery(MINT)).toEqual(found);
    expect(readTokenQuery(`https://dexscreener.com/solana/${MINT}?maker=1`)).toEqual(found);
    expect(readTokenQuery('$PUP')).toEqual({ kind: 'name', key: 'pup' });
    expect(readTokenQuery('puppy')).toEqual({ kind: 'name', key: 'puppy' });
    expect(readTokenQuery("'")).toEqual({ kind: 'name', key: "'" });
    expect(readTokenQuery('%')).toEqual({ kind: 'name', key: '%' });
    expect(readTokenQuery('$')).not.toBeNull();
  });

  it('is nothing where nothing shows, or too much does', () => {
    expect(readTokenQuery('')).toBeNull();
    expect(readTokenQuery('\u202e\u200b')).toBeNull();
    expect(readTokenQuery('a'.repeat(64))).not.toBeNull();
    expect(readTokenQuery('b d'.repeat(22))).toBeNull();
    expect(readTokenQuery(`${MINT}${' '.repeat(512)}`)).toBeNull();
    expect(readTokenQuery('\u0301'.repeat(64))).toBeDefined();
  });
});

const token = (mint: string, symbol: string, changes: Partial<Findable> = {}): Findable => ({
  mint: mint as Address,
  symbolKey: searchKey(symbol),
  nameKey: '',
  verified: false,
  bare: false,
  held: false,
  madeHere: false,
  liquidityUsd: 0,
  similarity: 1,
  ...changes,
});
const order = (found: readonly Findable[], key: string) => rankTokens(found, key).map(({ mint }) => mint);

describe('the order of tokens', () => {
  it('is verified, held, deep, made here, then what begins so, contains it, is like it', () => {
    const found = [
      token('alike', 'pppu', { similarity: 0.4 }),
      token('contains', 'xpup', { liquidityUsd: 9e9 }),
      token('prefix', 'pupx', { liquidityUsd: 5 }),
      token('deeper prefix', 'pupy', { liquidityUsd: 50 }),
      token('made', 'pupz', { madeHere: true }),
      token('held', 'mypup', { held: true }),
      token('verified', 'PUP', { verified: true }),
    ];
    expect(order(found, 'pup')).toEqual([
      'verified',
      'held',
      'made',
      'deeper prefix',
      'prefix',
      'contains',
      'alike',
    ]);
  });

  it('puts a look-alike behind the one it imitates, however deep it is and whoever holds it', () => {
    const found = [
      token('fake', 'РUР', { held: true, liquidityUsd: 9e9, madeHere: true }),
      token('real', 'PUP', { bare: true, liquidityUsd: 1 }),
      token('other', 'PUPPET'),
    ];
    expect(rankTokens(found, 'pup').map(({ mint, imitates }) => [mint, imitates])).toEqual([
      ['real', null],
      ['fake', 'real'],
      ['other', null],
    ]);
  });

  it('gives a ticker that is nobody’s to the best of those that have it', () => {
    const found = [
      token('b', 'CAT', { liquidityUsd: 2 }),
      token('a', 'CAT'),
      token('c', 'CAT', { verified: true }),
    ];
    expect(rankTokens(found.slice(0, 2), 'cat').map(({ mint, imitates }) => [mint, imitates])).toEqual([
      ['b', null],
      ['a', 'b'],
    ]);
    expect(rankTokens(found, 'cat')[0]).toMatchObject({ mint: 'c', imitates: null });
  });

  it('loses nobody, and never shows a look-alike above whom it imitates', () => {
    const arbitrary = fc.record({
      symbol: fc.constantFrom('PUP', 'РUР', '$pup', 'PUPPY', 'CAT', 'xpup', ''),
      verified: fc.boolean(),
      bare: fc.boolean(),
      held: fc.boolean(),
      madeHere: fc.boolean(),
      liquidityUsd: fc.nat(100),
      similarity: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 12 }), (some) => {
        const found = some.map(({ symbol, ...facts }, index) => token(`mint${index}`, symbol, facts));
        const ranked = rankTokens(found, 'pup');
        expect(ranked.map(({ mint }) => mint).sort()).toEqual(found.map(({ mint }) => mint).sort());
        const at = new Map(ranked.map(({ mint }, index) => [mint, index]));
        for (const [index, { imitates }] of ranked.entries())
          if (imitates !== null) expect(at.get(imitates)).toBeLessThan(index);
      }),
    );
  });
});

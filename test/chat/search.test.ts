import { expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { address } from '../../src/core/address/address.ts';
import type { TokenHit } from '../../src/modules/market/use/search-tokens.ts';
import { hitsView } from '../../src/modules/tokens/chat/search-view.ts';

const mintOf = (last: string) => address(`So1111111111111111111111111111111111111111${last}`);
const hit = (last: string, changes: Partial<TokenHit> = {}): TokenHit => ({
  mint: mintOf(last),
  symbol: 'PUP',
  name: 'Puppy',
  decimals: 6,
  verified: false,
  imitates: null,
  madeHere: false,
  price: null,
  priceSol: null,
  change24h: null,
  change24hQuote: null,
  volume24hUsd: null,
  primaryMarket: null,
  firstSeenAt: 0,
  held: false,
  ...changes,
});

it('marks a look-alike by the number of the one that it is taken for, on whatever page', () => {
  const words = wordsOf('en');
  const hits = [
    hit('2', { held: true }),
    hit('3', { symbol: 'РUР', imitates: mintOf('2') }),
    ...['4', '5', '6', '7'].map((last) => hit(last, { imitates: mintOf('2') })),
  ];
  const first = hitsView(words, { text: '$PUP', hits, page: 0, stateId: 'a'.repeat(22) });
  expect(first.text.markup).toContain('Search “<code>$PUP</code>”</b> · 6 found, page 1 of 2');
  expect(first.text.markup).toMatch(
    /1 <b>PUP<\/b> Puppy · So11…1112\n.*you hold it\n2 <b>РUР<\/b>.*\n.*\n.*looks like number 1/,
  );
  expect(first.keyboard?.[0]?.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5']);
  expect(first.keyboard?.flat().some(({ text }) => text === 'More')).toBe(true);
  const second = hitsView(words, { text: '$PUP', hits, page: 1, stateId: 'a'.repeat(22) });
  expect(second.text.markup).toMatch(/6 <b>PUP<\/b>[\s\S]*looks like number 1/);
  expect(second.keyboard?.[0]?.map(({ text }) => text)).toEqual(['6']);
});

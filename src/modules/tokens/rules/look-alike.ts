import type { Address } from '@tradepost/solana';
import { displayName } from './display-name.ts';
import type { WellKnownToken } from './safety.ts';

/** Letters of other scripts, and digits, that are drawn like a Latin letter. From Unicode's confusables, the common ones. */
const DRAWN_ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['a', 'аαɑ'],
      ['b', 'вβьƅ'],
      ['c', 'сϲᴄ'],
      ['d', 'ԁɗ'],
      ['e', 'еεҽ'],
      ['g', 'ɡց'],
      ['h', 'һнη'],
      ['i', '1іιıl|ӏ'],
      ['j', 'јϳ'],
      ['k', 'кκ'],
      ['m', 'м'],
      ['n', 'пո'],
      ['o', '0оοσօ'],
      ['p', 'рρ'],
      ['q', 'ԛզ'],
      ['r', 'гᴦ'],
      ['s', '5ѕꜱ$'],
      ['t', 'тτ'],
      ['u', 'υսᴜ'],
      ['v', 'νѵᴠ'],
      ['w', 'ԝѡωᴡ'],
      ['x', 'хχ'],
      ['y', 'уγү'],
      ['z', '2ᴢ'],
    ] as const
  ).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin])),
);

/**
 * A ticker as a reader sees it: invisible characters gone, compatibility forms and accents folded, case ignored, look-alike
 * letters made Latin. Two tickers with one skeleton can be mistaken for each other. Null when nothing shows.
 */
export function skeleton(symbol: string | null): string | null {
  const shown = displayName(symbol?.normalize('NFKC') ?? null);
  if (shown === null) return null;
  return Array.from(
    shown.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, ''),
    (letter) => DRAWN_ALIKE[letter] ?? letter,
  ).join('');
}

/** The well-known token that this one could be taken for, or null; the well-known token itself imitates no other. */
export function imitatedToken(
  token: { readonly mint: Address; readonly symbol: string | null },
  wellKnown: readonly WellKnownToken[],
): Address | null {
  if (wellKnown.some((known) => known.mint === token.mint)) return null;
  const seen = skeleton(token.symbol);
  if (seen === null) return null;
  return wellKnown.find((known) => skeleton(known.symbol) === seen)?.mint ?? null;
}

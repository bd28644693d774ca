import { shortAddress } from '@tradepost/solana';
import type { Token } from './token.ts';

/** Telegram lines and buttons stay readable, and a name cannot push the facts off the screen. */
const MAX_CHARACTERS = 32;

/**
 * Hostile text made fit to show: control and format characters (bidirectional overrides, zero-width, tags), private use and
 * lone surrogates go; runs of combining marks and spaces shrink; at most 32 characters remain. Null when nothing does.
 * Still to be escaped for where it is shown. The attack: a name that mirrors a line, hides a suffix or fakes a second line.
 */
export function displayName(text: string | null): string | null {
  if (text === null) return null;
  // Characters are removed before runs are joined: else a hidden one parts two spaces, or a letter from its mark.
  const clean = text
    .replace(/[\p{Zl}\p{Zp}\p{Zs}\t\n\r]/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFC')
    .replace(/ +/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  const shown = Array.from(clean).slice(0, MAX_CHARACTERS).join('').trim();
  return shown === '' ? null : shown;
}

/** A token's name in one word: its symbol, else its name, else its shortened mint. */
export function displaySymbol(token: Pick<Token, 'symbol' | 'name' | 'mint'>): string {
  return displayName(token.symbol) ?? displayName(token.name) ?? shortAddress(token.mint);
}

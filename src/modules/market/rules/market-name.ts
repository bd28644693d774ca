import type { Address } from '@tradepost/solana';
import { displayName } from '../../tokens/rules/display-name.ts';

/** Of the mint, behind a ticker that is not alone. */
const FIRST_PIECE = 4;

/** The text that a market's name may hold: `/` divides it, `~` marks a mint, and neither may be forged. Empty when nothing shows. */
export function tickerText(symbol: string | null): string {
  return (displayName(symbol) ?? '').replaceAll(/[/~\s]/gu, '');
}

/**
 * The ticker of a mint. It is bare where `mayBeBare` says that no other mint has it or looks like it. Else it carries as much of the mint
 * as makes it unique among the names that are taken.
 */
export function chooseTicker(
  claim: { readonly mint: Address; readonly symbol: string | null; readonly mayBeBare: boolean },
  isTaken: (ticker: string) => boolean,
): { readonly ticker: string; readonly bare: boolean } {
  const text = tickerText(claim.symbol);
  if (text !== '' && claim.mayBeBare && !isTaken(text)) return { ticker: text, bare: true };
  for (let length = FIRST_PIECE; length < claim.mint.length; length += 1) {
    const ticker = `${text}~${claim.mint.slice(0, length)}`;
    if (!isTaken(ticker)) return { ticker, bare: false };
  }
  return { ticker: `${text}~${claim.mint}`, bare: false };
}

/** The mint that a market counts in: the first of `preferred` that it holds, else the second of the pool's own order. */
export function baseAndQuote(
  [a, b]: readonly [Address, Address],
  preferred: readonly Address[],
): { readonly baseMint: Address; readonly quoteMint: Address } {
  const quote = preferred.find((mint) => mint === a || mint === b) ?? b;
  return quote === a ? { baseMint: b, quoteMint: a } : { baseMint: a, quoteMint: b };
}

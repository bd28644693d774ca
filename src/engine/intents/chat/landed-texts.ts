import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { displaySymbol } from '../../../modules/tokens/rules/display-name.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import { scaleMark, tokenText } from '../../../platform/telegram/ui/token-amounts.ts';
import type { LandedReceipt } from '../rules/intent.ts';

/** Amounts and names as results and receipts show them. */

export function tokenDelta(receipt: LandedReceipt | null, mint: string): bigint | null {
  return receipt?.tokenDeltas.find((delta) => delta.mint === mint)?.delta ?? null;
}

export const unitsText = (words: Words, units: bigint, token: Token | null): string =>
  token === null
    ? words.text('result.units_of', { units: units.toString() })
    : tokenText(words, units, token);

/** With the mark of a token that scales its amounts: the amount before it is shown so. */
export const symbolText = (words: Words, token: Token | null, mint: string): string =>
  token === null ? shortAddress(mint) : `${displaySymbol(token)}${scaleMark(words, token)}`;

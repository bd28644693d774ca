import type { Words } from '../../../compose/texts/words.ts';
import { bps } from '../../../core/amounts/bps.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { routeText } from '../../../platform/telegram/ui/route-text.ts';
import type { LandedReceipt } from '../rules/intent.ts';
import { intermediatesOfTerms, type TradeTerms } from '../rules/terms.ts';
import type { ReceiptFacts } from './kind-view.ts';
import { symbolText, unitsText } from './landed-texts.ts';

/** Lines that the receipts of purchases and sales share. */

/** Discount, route, and the rest in tokens that the route passed through. */
export function routeLines(
  words: Words,
  terms: TradeTerms,
  { receipt, intermediates }: Pick<ReceiptFacts, 'receipt' | 'intermediates'>,
): readonly Html[] {
  return [
    ...discountLine(words, terms),
    words.html('receipt.route', { route: routeText(words, terms.route, intermediates) }),
    ...leftOver(words, receipt, terms, intermediates),
  ];
}

export function slippageLine(words: Words, terms: TradeTerms, received: bigint): Html {
  return words.html('receipt.slippage', {
    used: percentText(words, slippageUsedBps(terms.quotedOut, received)),
    allowed: percentText(words, bps(terms.slippageBps)),
    impact: percentText(words, terms.priceImpactBps),
  });
}

function discountLine(words: Words, { feeDiscountBps }: TradeTerms): readonly Html[] {
  return feeDiscountBps === undefined
    ? []
    : [words.html('receipt.discount', { discount: percentText(words, feeDiscountBps) })];
}

/** The rest that by the chain's record stayed in tokens that the route passed through. */
function leftOver(
  words: Words,
  { tokenDeltas }: LandedReceipt,
  terms: TradeTerms,
  intermediates: readonly Token[],
): readonly Html[] {
  const passed = intermediatesOfTerms(terms);
  return tokenDeltas
    .filter(({ mint, delta }) => passed.includes(mint) && delta > 0n)
    .map(({ mint, delta }) => {
      const token = intermediates.find((one) => one.mint === mint) ?? null;
      return words.html('receipt.left_over', {
        amount: unitsText(words, delta, token),
        symbol: symbolText(words, token, mint),
      });
    });
}

/** How much less than quoted arrived, in bps rounded down; 0 when it was as much or more. */
function slippageUsedBps(quoted: bigint, received: bigint): number {
  return quoted <= 0n || received >= quoted ? 0 : Number(((quoted - received) * 10_000n) / quoted);
}

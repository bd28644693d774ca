import { figuresOf } from '../../../../core/text/figures.ts';
import { standingLines } from '../../../../modules/orders/chat/quick-label.ts';
import { amountText, solText } from '../../../../platform/telegram/ui/amounts.ts';
import { lines } from '../../../../platform/telegram/ui/html.ts';
import type { KindView } from '../../chat/kind-view.ts';
import { symbolText, unitsText } from '../../chat/landed-texts.ts';
import { costsLine, movedLine, resultLine, tradedUnits } from '../../chat/trade-lines.ts';
import { routeLines, slippageLine } from '../../chat/trade-receipt.ts';
import type { LandedReceipt } from '../../rules/intent.ts';
import type { SellParams } from './params.ts';

export const view: KindView<SellParams> = {
  expired: 'result.expired_trade',
  done: (words, params, facts) => {
    const { receipt, token, profit, microUsdPerSol, leftUnits } = facts;
    const figures = figuresOf(words.language);
    const proceeds = receipt === null ? params.terms.quotedOut : saleProceeds(receipt);
    const all = facts.soldAll || (receipt !== null && receipt.rentLamports < 0n);
    return lines(
      words.html(all ? 'result.sold_all' : 'result.sold', {
        amount: tradedUnits(words, params.amountIn, token),
        symbol: symbolText(words, token, params.mint),
        sol: figures.sol(proceeds),
      }),
      profit !== null && resultLine(words, figures, profit, microUsdPerSol),
      profit !== null &&
        movedLine(words, figures, {
          profit,
          proceeds,
          units: params.amountIn,
          token,
          microUsdPerSol,
          heldMs: all ? facts.heldMs : null,
        }),
      !all &&
        leftUnits !== null &&
        words.html('result.left', {
          amount: tradedUnits(words, leftUnits, token),
          symbol: symbolText(words, token, params.mint),
        }),
      costsLine(words, figures, facts),
      ...(all ? [] : standingLines(words, facts.exits, { token, microUsdPerSol })),
    );
  },
  receipt: (words, params, facts) => {
    const { receipt, token } = facts;
    const terms = facts.terms ?? params.terms;
    const received = saleProceeds(receipt);
    return [
      words.html('receipt.quoted', {
        quoted: amountText(words, terms.quotedOut, 9),
        minimum: amountText(words, terms.minOut, 9),
        received: amountText(words, received, 9),
        symbol: 'SOL',
      }),
      slippageLine(words, terms, received),
      words.html('receipt.sell_split', {
        amount: unitsText(words, params.amountIn, token),
        symbol: symbolText(words, token, params.mint),
        fee: solText(words, receipt.platformFeeLamports),
      }),
      ...routeLines(words, terms, facts),
    ];
  },
};

/** The sale's proceeds, net of the platform fee: the wallet's change with the network's part and the sender's put back. */
const saleProceeds = (receipt: LandedReceipt): bigint =>
  receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports + (receipt.tipLamports ?? 0n);

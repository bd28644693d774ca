import { figuresOf } from '../../../../core/text/figures.ts';
import { standingLines } from '../../../../modules/orders/chat/quick-label.ts';
import { solText } from '../../../../platform/telegram/ui/amounts.ts';
import { lines } from '../../../../platform/telegram/ui/html.ts';
import type { KindView } from '../../chat/kind-view.ts';
import { symbolText, tokenDelta, unitsText } from '../../chat/landed-texts.ts';
import { costsLine, entryLine, inUsd, tradedUnits } from '../../chat/trade-lines.ts';
import { routeLines, slippageLine } from '../../chat/trade-receipt.ts';
import type { BuyParams } from './params.ts';

export const view: KindView<BuyParams> = {
  expired: 'result.expired_trade',
  done: (words, params, facts) => {
    const { receipt, token, microUsdPerSol } = facts;
    const figures = figuresOf(words.language);
    const units = tokenDelta(receipt, params.mint) ?? params.terms.quotedOut;
    return lines(
      words.html('result.bought', {
        amount: tradedUnits(words, units, token),
        symbol: symbolText(words, token, params.mint),
        sol: figures.solExact(params.lamportsIn),
        usd: inUsd(figures, params.lamportsIn, microUsdPerSol),
      }),
      receipt !== null &&
        entryLine(words, figures, {
          lamports: params.lamportsIn + receipt.feeLamports,
          units,
          token,
          microUsdPerSol,
        }),
      costsLine(words, figures, facts),
      ...standingLines(words, facts.exits, { token, microUsdPerSol }),
    );
  },
  receipt: (words, params, facts) => {
    const { receipt, token } = facts;
    const terms = facts.terms ?? params.terms;
    const received = tokenDelta(receipt, params.mint) ?? 0n;
    return [
      words.html('receipt.quoted', {
        quoted: unitsText(words, terms.quotedOut, token),
        minimum: unitsText(words, terms.minOut, token),
        received: unitsText(words, received, token),
        symbol: symbolText(words, token, params.mint),
      }),
      slippageLine(words, terms, received),
      words.html('receipt.buy_split', {
        total: solText(words, params.lamportsIn),
        swapped: solText(words, params.lamportsIn - receipt.platformFeeLamports),
        fee: solText(words, receipt.platformFeeLamports),
      }),
      ...routeLines(words, terms, facts),
    ];
  },
};

import type { KindView } from '../../bot/intents/kind-view.ts';
import { shortUnits, symbolText, tokenDelta, unitsText } from '../../bot/intents/landed-texts.ts';
import { routeLines, slippageLine } from '../../bot/intents/trade-receipt.ts';
import { solText } from '../../bot/ui/amounts.ts';
import { lines } from '../../bot/ui/html.ts';
import type { BuyParams } from './params.ts';

export const view: KindView<BuyParams> = {
  expired: 'result.expired_trade',
  done: (words, params, { state, receipt, token }) =>
    lines(
      words.html('result.bought', {
        amount: shortUnits(tokenDelta(receipt, params.mint) ?? params.terms.quotedOut, token),
        symbol: symbolText(token, params.mint),
        sol: solText(params.lamportsIn),
        state,
      }),
      receipt !== null &&
        words.html('result.trade_costs', { sol: solText(receipt.feeLamports + receipt.rentLamports) }),
    ),
  receipt: (words, params, facts) => {
    const { receipt, token } = facts;
    const terms = facts.terms ?? params.terms;
    const received = tokenDelta(receipt, params.mint) ?? 0n;
    return [
      words.html('receipt.quoted', {
        quoted: unitsText(terms.quotedOut, token),
        minimum: unitsText(terms.minOut, token),
        received: unitsText(received, token),
        symbol: symbolText(token, params.mint),
      }),
      slippageLine(words, terms, received),
      words.html('receipt.buy_split', {
        total: solText(params.lamportsIn),
        swapped: solText(params.lamportsIn - receipt.platformFeeLamports),
        fee: solText(receipt.platformFeeLamports),
      }),
      ...routeLines(words, terms, facts),
    ];
  },
};

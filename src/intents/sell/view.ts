import type { KindView } from '../../bot/intents/kind-view.ts';
import { shortUnits, symbolText, unitsText } from '../../bot/intents/landed-texts.ts';
import { profitLine } from '../../bot/intents/profit-line.ts';
import { routeLines, slippageLine } from '../../bot/intents/trade-receipt.ts';
import { amountText, solShort, solText } from '../../bot/ui/amounts.ts';
import { lines } from '../../bot/ui/html.ts';
import type { LandedReceipt } from '../../core/intents/intent.ts';
import type { SellParams } from './params.ts';

export const view: KindView<SellParams> = {
  expired: 'result.expired_trade',
  done: (words, params, { state, receipt, token, profit }) =>
    lines(
      words.html('result.sold', {
        amount: shortUnits(params.amountIn, token),
        symbol: symbolText(token, params.mint),
        sol: solShort(receipt === null ? params.terms.quotedOut : saleProceeds(receipt)),
        state,
      }),
      profit !== null && profitLine(words, profit),
      receipt !== null && words.html('result.network_costs', { sol: solText(receipt.feeLamports) }),
      receipt !== null &&
        receipt.rentLamports < 0n &&
        words.html('receipt.rent_back', { rent: solText(-receipt.rentLamports) }),
    ),
  receipt: (words, params, facts) => {
    const { receipt, token } = facts;
    const terms = facts.terms ?? params.terms;
    const received = saleProceeds(receipt);
    return [
      words.html('receipt.quoted', {
        quoted: amountText(terms.quotedOut, 9),
        minimum: amountText(terms.minOut, 9),
        received: amountText(received, 9),
        symbol: 'SOL',
      }),
      slippageLine(words, terms, received),
      words.html('receipt.sell_split', {
        amount: unitsText(params.amountIn, token),
        symbol: symbolText(token, params.mint),
        fee: solText(receipt.platformFeeLamports),
      }),
      ...routeLines(words, terms, facts),
    ];
  },
};

/** What the sale brought, net of the platform fee: the wallet's change with the network's part put back. */
const saleProceeds = (receipt: LandedReceipt): bigint =>
  receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports;

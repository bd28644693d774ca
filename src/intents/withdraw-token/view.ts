import type { KindView } from '../../bot/intents/kind-view.ts';
import { symbolText } from '../../bot/intents/landed-texts.ts';
import { amountText, solText } from '../../bot/ui/amounts.ts';
import { code, lines } from '../../bot/ui/html.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { WithdrawTokenParams } from './params.ts';

export const view: KindView<WithdrawTokenParams> = {
  expired: 'result.expired_withdrawal',
  amountOf,
  done: (words, params, { state, receipt, token }) =>
    lines(
      words.html('result.withdrew', {
        amount: amountOf(params, token),
        address: code(params.destination),
        state,
      }),
      receipt !== null &&
        words.html('result.trade_costs', { sol: solText(receipt.feeLamports + receipt.rentLamports) }),
    ),
  receipt: (words, params, { token }) => [
    words.html('receipt.sent', { amount: amountOf(params, token), address: code(params.destination) }),
  ],
};

function amountOf({ amount, decimals, mint }: WithdrawTokenParams, token: Token | null): string {
  return `${amountText(amount, decimals)} ${symbolText(token, mint)}`;
}

import type { Words } from '../../../../compose/texts/words.ts';
import type { Token } from '../../../../modules/tokens/rules/token.ts';
import { solText } from '../../../../platform/telegram/ui/amounts.ts';
import { code, lines } from '../../../../platform/telegram/ui/html.ts';
import { tokenText } from '../../../../platform/telegram/ui/token-amounts.ts';
import type { KindView } from '../../chat/kind-view.ts';
import { symbolText } from '../../chat/landed-texts.ts';
import type { WithdrawTokenParams } from './params.ts';

export const view: KindView<WithdrawTokenParams> = {
  expired: 'result.expired_withdrawal',
  amountOf,
  done: (words, params, { state, receipt, token }) =>
    lines(
      words.html('result.withdrew', {
        amount: amountOf(words, params, token),
        address: code(params.destination),
        state,
      }),
      receipt !== null &&
        words.html('result.trade_costs', { sol: solText(words, receipt.feeLamports + receipt.rentLamports) }),
    ),
  receipt: (words, params, { token }) => [
    words.html('receipt.sent', { amount: amountOf(words, params, token), address: code(params.destination) }),
  ],
};

function amountOf(
  words: Words,
  { amount, decimals, mint }: WithdrawTokenParams,
  token: Token | null,
): string {
  return `${tokenText(words, amount, { decimals, uiScale: token?.uiScale ?? null })} ${symbolText(words, token, mint)}`;
}

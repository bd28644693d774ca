import { solText } from '../../../../platform/telegram/ui/amounts.ts';
import { code, lines } from '../../../../platform/telegram/ui/html.ts';
import type { KindView } from '../../chat/kind-view.ts';
import type { LandedReceipt } from '../../rules/intent.ts';
import type { WithdrawSolParams } from './params.ts';

export const view: KindView<WithdrawSolParams> = {
  expired: 'result.expired_withdrawal',
  amountOf: (words, { lamports }) => solText(words, lamports),
  done: (words, params, { state, receipt }) =>
    lines(
      words.html('result.withdrew', {
        amount: solText(words, sentLamports(params, receipt)),
        address: code(params.destination),
        state,
      }),
      receipt !== null && words.html('result.network_costs', { sol: solText(words, receipt.feeLamports) }),
    ),
  receipt: (words, params, { receipt }) => [
    words.html('receipt.sent', {
      amount: solText(words, sentLamports(params, receipt)),
      address: code(params.destination),
    }),
  ],
};

/** For a withdrawal of everything the amount is known only when it landed. */
function sentLamports({ lamports, everything }: WithdrawSolParams, receipt: LandedReceipt | null): bigint {
  return everything && receipt !== null ? -receipt.walletLamportsDelta - receipt.feeLamports : lamports;
}

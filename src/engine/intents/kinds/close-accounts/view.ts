import { solText } from '../../../../platform/telegram/ui/amounts.ts';
import type { KindView } from '../../chat/kind-view.ts';
import type { LandedReceipt } from '../../rules/intent.ts';
import type { CloseAccountsParams } from './params.ts';

export const view: KindView<CloseAccountsParams> = {
  expired: 'result.expired_token',
  done: (words, { accounts, rentLamports }, { state, receipt }) =>
    words.html(accounts.length === 0 ? 'result.took_excess' : 'result.cleaned_up', {
      count: accounts.length,
      sol: solText(words, receipt === null ? rentLamports : returned(receipt)),
      state,
    }),
  receipt: (words, { accounts }, { receipt }) => [
    words.html(accounts.length === 0 ? 'receipt.took_excess' : 'receipt.cleaned_up', {
      count: accounts.length,
      sol: solText(words, returned(receipt)),
    }),
  ],
};

/** The returned lamports, the network's fee put back. */
const returned = (receipt: LandedReceipt): bigint => receipt.walletLamportsDelta + receipt.feeLamports;

import { displayName } from '../../../../modules/tokens/rules/display-name.ts';
import { amountText, solText } from '../../../../platform/telegram/ui/amounts.ts';
import { lines } from '../../../../platform/telegram/ui/html.ts';
import { createdMintText, creationCosts, creationReceipt, tokenSymbol } from '../../chat/creation-texts.ts';
import type { KindView } from '../../chat/kind-view.ts';
import { tokenDelta } from '../../chat/landed-texts.ts';
import type { LaunchParams } from './params.ts';

export const view: KindView<LaunchParams> = {
  expired: 'result.expired_token',
  isTraded: true,
  symbolOf: ({ spec }) => tokenSymbol(spec),
  done: (words, { spec, firstBuy }, { state, receipt }) =>
    lines(
      words.html('result.launched', {
        symbol: tokenSymbol(spec),
        name: displayName(spec.name) ?? '…',
        state,
        mint: createdMintText(receipt),
      }),
      firstBuy !== null &&
        words.html('result.first_buy', {
          amount: amountText(
            words,
            tokenDelta(receipt, receipt?.createdMint ?? '') ?? firstBuy.quotedTokens,
            spec.decimals,
          ),
          symbol: tokenSymbol(spec),
          sol: solText(words, firstBuy.lamports),
        }),
      creationCosts(words, receipt),
    ),
  receipt: (words, { spec }, { receipt }) => creationReceipt(words, 'receipt.launched', spec, receipt),
};

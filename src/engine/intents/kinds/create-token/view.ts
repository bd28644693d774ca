import { displayName } from '../../../../modules/tokens/rules/display-name.ts';
import { lines } from '../../../../platform/telegram/ui/html.ts';
import { createdMintText, creationCosts, creationReceipt, tokenSymbol } from '../../chat/creation-texts.ts';
import type { KindView } from '../../chat/kind-view.ts';
import type { CreateTokenParams } from './params.ts';

export const view: KindView<CreateTokenParams> = {
  expired: 'result.expired_token',
  leadsToRevoking: true,
  symbolOf: ({ spec }) => tokenSymbol(spec),
  done: (words, { spec, prepared }, { state, receipt }) =>
    lines(
      words.html('result.created', {
        symbol: tokenSymbol(spec),
        name: displayName(spec.name) ?? '…',
        state,
        mint: createdMintText(receipt),
      }),
      // The cost of a first half belongs to the one creation that the person asked for.
      creationCosts(words, receipt, prepared),
    ),
  receipt: (words, { spec }, { receipt }) => creationReceipt(words, 'receipt.created', spec, receipt),
};

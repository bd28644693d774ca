import { createdMintText, tokenSymbol } from '../../chat/creation-texts.ts';
import type { KindView } from '../../chat/kind-view.ts';
import type { PrepareTokenParams } from './params.ts';

export const view: KindView<PrepareTokenParams> = {
  expired: 'result.expired_token',
  done: (words, { creation }) => words.html('result.prepared', { symbol: tokenSymbol(creation.spec) }),
  receipt: (words, { creation }, { receipt }) => [
    words.html('receipt.prepared', { symbol: tokenSymbol(creation.spec), mint: createdMintText(receipt) }),
  ],
};

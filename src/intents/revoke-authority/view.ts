import type { KindView } from '../../bot/intents/kind-view.ts';
import { code } from '../../bot/ui/html.ts';
import type { RevokeAuthorityParams } from './params.ts';

export const view: KindView<RevokeAuthorityParams> = {
  expired: 'result.expired_token',
  leadsToRevoking: true,
  done: (words, { authority, mint }, { state }) =>
    words.html('result.revoked', {
      authority: words.text(`mint.authority.${authority}`),
      mint: code(mint),
      state,
    }),
  receipt: (words, { authority, mint }) => [
    words.html('receipt.revoked', { authority: words.text(`mint.authority.${authority}`), mint: code(mint) }),
  ],
};

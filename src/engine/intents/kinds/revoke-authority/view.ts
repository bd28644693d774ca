import { code } from '../../../../platform/telegram/ui/html.ts';
import type { KindView } from '../../chat/kind-view.ts';
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

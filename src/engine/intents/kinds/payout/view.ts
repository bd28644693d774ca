import { html } from '../../../../platform/telegram/ui/html.ts';
import type { KindView } from '../../chat/kind-view.ts';
import type { PayoutParams } from './params.ts';

export const view: KindView<PayoutParams> = {
  expired: 'result.expired_withdrawal',
  done: (_words, _params, { state }) => html`${state}`,
  receipt: () => [],
};

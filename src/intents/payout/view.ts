import type { KindView } from '../../bot/intents/kind-view.ts';
import { html } from '../../bot/ui/html.ts';
import type { PayoutParams } from './params.ts';

export const view: KindView<PayoutParams> = {
  expired: 'result.expired_withdrawal',
  done: (_words, _params, { state }) => html`${state}`,
  receipt: () => [],
};

import { html } from 'htm/preact';
import type { PageState } from '../http/sim-state.ts';
import { Calls } from './panel-calls.ts';
import { Faucet } from './panel-faucet.ts';
import { Switches } from './panel-switches.ts';
import type { Store } from './store.ts';

/** The workbench: play money, trouble to order, and the bot's real messages. */
export function Panel(props: {
  readonly store: Store;
  readonly page: PageState;
  readonly close: () => void;
}) {
  const { store, page } = props;
  const active = page.phones.find((phone) => phone.user.id === store.view().active) ?? page.phones[0];
  return html`<aside class="panel" aria-label="workbench">
    ${page.hasFaucet && html`<${Faucet} store=${store} />`}
    ${active !== undefined && html`<${Switches} store=${store} phone=${active} />`}
    <${Calls} calls=${page.calls} phones=${page.phones} />
  </aside>`;
}

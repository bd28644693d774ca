import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { CallRecord } from '../core/events.ts';
import type { PhoneState } from '../http/sim-state.ts';

type Props = { readonly calls: readonly CallRecord[]; readonly phones: readonly PhoneState[] };

/** The Bot API as it was spoken, newest first. */
export function Calls({ calls, phones }: Props) {
  const [opened, setOpened] = useState<CallRecord>();
  const names = new Map(phones.map((phone) => [String(phone.user.id), phone.user.first_name]));
  return html`<section class="card calls" aria-label="bot api calls"><h2>Bot API calls <small>newest first</small></h2>
    ${calls.length === 0 && html`<p class="hint">Nothing yet. Press START on a phone.</p>`}
    <ol>${[...calls].reverse().map((call) => {
      const isOpen = opened === call;
      return html`<li class=${call.error === undefined ? '' : 'failed'}>
        <button type="button" aria-expanded=${isOpen} onClick=${() => setOpened(isOpen ? undefined : call)}>
          <span class="method">${call.method}</span><span class="to">${names.get(String(call.args['chat_id'] ?? '')) ?? ''}</span>
          <time>${new Date(call.at).toLocaleTimeString([], { hour12: false })}</time></button>
        ${call.error !== undefined && html`<p class="problem">${call.error}</p>`}
        ${isOpen && html`<pre>${JSON.stringify(call.args, null, 2)}</pre>`}
      </li>`;
    })}</ol>
  </section>`;
}

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { PhoneState } from '../http/sim-state.ts';
import type { Store } from './store.ts';

/** Trouble to order: each switch does an act of Telegram, the network or a bad person. */
export function Switches({ store, phone }: { readonly store: Store; readonly phone: PhoneState }) {
  const [twice, setTwice] = useState(false);
  const [sure, setSure] = useState(false);
  const [data, setData] = useState('');
  const { id, first_name } = phone.user;
  const run = (said: string, action: string, body: unknown) => {
    store.post(action, body).then(
      () => store.toast(id, said),
      (error: unknown) => store.toast(id, error instanceof Error ? error.message : String(error)),
    );
  };
  const last = phone.messages.findLast((item) => item.message.from?.id !== id);
  return html`<section class="card" aria-label="switches"><h2>Make trouble <small>as ${first_name}</small></h2>
    <div class="switches">
      <button type="button" disabled=${!phone.started} aria-pressed=${phone.blocked}
        onClick=${() => run(phone.blocked ? 'Unblocked' : 'Blocked', 'block', { u: id, blocked: !phone.blocked })}>
        ${phone.blocked ? 'Unblock bot' : 'Block bot'}</button>
      <button type="button" onClick=${() =>
        run('The next call gets a 429', 'fault', {
          method: '*',
          times: 1,
          code: 429,
          retryAfterSeconds: 3,
        })}>429 next call</button>
      <button type="button" aria-pressed=${twice} onClick=${() => {
        setTwice(!twice);
        run(twice ? 'Updates arrive once' : 'Updates arrive twice', 'copies', { copies: twice ? 1 : 2 });
      }}>Deliver twice</button>
      <button type="button" onClick=${() =>
        run('The next response is dropped', 'fault', {
          method: '*',
          times: 1,
          dropResponse: true,
        })}>Drop response</button>
      <button type="button" onClick=${() => run('Three minutes later', 'clock', { skipMs: 180_000 })}>Skip 3 min</button>
      <button type="button" class=${sure ? 'danger' : ''} onClick=${() => {
        if (sure) run('All chats are empty', 'reset', {});
        setSure(!sure);
      }} onBlur=${() => setSure(false)}>${sure ? 'Really reset?' : 'Reset chats'}</button>
    </div>
    <form class="forge" onSubmit=${(event: SubmitEvent) => {
      event.preventDefault();
      if (data !== '') store.tap(id, last?.message.message_id ?? 1, data);
    }}>
      <input aria-label="callback data" class="mono" placeholder="Forged callback data" maxlength="64" value=${data}
        onInput=${(event: InputEvent) => setData((event.currentTarget as HTMLInputElement).value)} />
      <button type="submit" disabled=${data === '' || !phone.started}>Tap</button>
    </form>
  </section>`;
}

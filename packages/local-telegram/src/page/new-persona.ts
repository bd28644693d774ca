import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { PhoneState } from '../http/sim-state.ts';
import type { Store } from './store.ts';

const FIRST_OWN_ID = 201;

/** "+ persona": one more person with a name and a language. */
export function NewPersona({
  store,
  phones,
}: {
  readonly store: Store;
  readonly phones: readonly PhoneState[];
}) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [language, setLanguage] = useState('en');
  const [problem, setProblem] = useState('');
  if (!open) {
    return html`<button type="button" class="tab add" onClick=${() => setOpen(true)}>+ persona</button>`;
  }
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const id = Math.max(FIRST_OWN_ID - 1, ...phones.map((phone) => phone.user.id)) + 1;
    try {
      await store.post('user', { user: { id, first_name: name.trim(), language_code: language.trim() } });
      store.activate(id);
      setOpen(false);
      setName('');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return html`<form class="new-persona" onSubmit=${add}>
    <input aria-label="name" placeholder="Name" required maxlength="64" value=${name} autofocus
      onInput=${(event: InputEvent) => setName((event.currentTarget as HTMLInputElement).value)} />
    <input aria-label="language" class="short" maxlength="5" value=${language}
      onInput=${(event: InputEvent) => setLanguage((event.currentTarget as HTMLInputElement).value)} />
    <button type="submit">Add</button><button type="button" class="quiet" onClick=${() => setOpen(false)}>Cancel</button>
    ${problem !== '' && html`<span class="problem">${problem}</span>`}
  </form>`;
}

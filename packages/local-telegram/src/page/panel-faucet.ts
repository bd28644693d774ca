import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

type Outcome = { readonly kind: 'done' | 'problem'; readonly text: string };

/** Play SOL for an address. The last address copied from a chat is filled in. */
export function Faucet({ store }: { readonly store: Store }) {
  const [address, setAddress] = useState('');
  const [sol, setSol] = useState('2');
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { copiedAddress } = store.view();
  useEffect(() => {
    if (copiedAddress !== '') setAddress(copiedAddress);
  }, [copiedAddress]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setOutcome(undefined);
    try {
      const { signature } = await store.post('faucet', { address, sol: Number(sol.replace(',', '.')) });
      setOutcome({ kind: 'done', text: String(signature) });
    } catch (error) {
      setOutcome({ kind: 'problem', text: error instanceof Error ? error.message : String(error) });
    }
    setBusy(false);
  };
  return html`<section class="card" aria-label="faucet"><h2>Faucet: play SOL</h2>
    <p class="hint">Tap an address in a chat to copy it; it appears here.</p>
    <form class="faucet" onSubmit=${submit}>
      <input aria-label="address" class="mono" placeholder="Solana address" spellcheck=${false} autocomplete="off" value=${address}
        onInput=${(event: InputEvent) => setAddress((event.currentTarget as HTMLInputElement).value)} />
      <div class="pair"><label class="amount"><input aria-label="amount of SOL" inputmode="decimal" value=${sol}
        onInput=${(event: InputEvent) => setSol((event.currentTarget as HTMLInputElement).value)} /><span>SOL</span></label>
      <button type="submit" class="primary" disabled=${busy || address.trim() === ''}>${busy ? 'Sending…' : 'Send play SOL'}</button></div>
    </form>
    ${outcome?.kind === 'problem' && html`<p class="problem" role="alert">${outcome.text}</p>`}
    ${
      outcome?.kind === 'done' &&
      html`<p class="done" role="status">Sent: <a href=${`/tx/${outcome.text}`} target="_blank" rel="noopener noreferrer"
        class="mono">${outcome.text.slice(0, 8)}…${outcome.text.slice(-8)}</a></p>`
    }
  </section>`;
}

import { type Html, html } from '../../../platform/http/look/html.ts';
import { type KeyLimits, limitsOf } from '../rules/key-limits.ts';
import {
  type FormFields,
  type KeyRequestField,
  PEAK_MAX,
  PER_DAY_MAX,
  PROJECT_MAX,
  USE_MAX,
  USE_MIN,
} from '../rules/parse-key-request.ts';

const grouped = (value: number): string => value.toLocaleString('en-US');

const FAULTS: { readonly [F in KeyRequestField]: string } = {
  email: 'Please give one e-mail address, like mara@example.org.',
  project: `Please give a name of 1 to ${PROJECT_MAX} characters.`,
  use: `Please describe it in ${USE_MIN} to ${grouped(USE_MAX)} characters.`,
  perDay: `Please give a whole number from 1 to ${grouped(PER_DAY_MAX)}, digits only.`,
  peakPerSecond: `Please give a whole number from 1 to ${grouped(PEAK_MAX)}, digits only.`,
  scopes: 'Please tick at least one.',
};

const SCOPES = [
  ['swap', 'Swaps', 'Quotes, and transactions that swap tokens.'],
  ['token', 'Tokens', 'Transactions that create tokens; pictures.'],
  ['market', 'Market data', 'Prices and pools.'],
  ['submit', 'Submitting', 'Signed transactions, sent and followed until their end is proven.'],
] as const;

const EXAMPLES = [
  { perDay: 5_000, peakPerSecond: 1 },
  { perDay: 100_000, peakPerSecond: 5 },
  { perDay: 1_000_000, peakPerSecond: 20 },
] as const;

export type FormState = {
  readonly fields: FormFields;
  readonly wrong: ReadonlySet<KeyRequestField>;
  /** The limits that the numbers in the fields would give; null before they are requested. */
  readonly limits: KeyLimits | null;
  readonly maxRate: number;
};

/** The form of `GET /keys`, with the typed answers and their faults. Works without a script. */
export function formPage(state: FormState): Html {
  return html`<h1>Get an API key</h1>
<p class="lead">Keys are free. Say what you build and how much you will ask for: the limit follows your numbers, and a person reads every request. The open host needs no key; a key raises the limit.</p>
<div class="columns"><form class="card" method="post" action="/keys" novalidate>
${state.wrong.size > 0 && html`<div class="note bad" role="alert"><p>Not sent yet. Please look at what is marked below.</p></div>`}
${textField(state, 'email', 'E-mail address', 'The key comes to this address. It is used for nothing else.', 'email')}
${textField(state, 'project', 'Name of the project', null, 'off')}
${useField(state)}
<div class="pair">${numberField(state, 'perDay', 'Requests per day', 'On a busy day.')}${numberField(state, 'peakPerSecond', 'Peak per second', 'In your busiest second.')}</div>
${state.limits !== null && html`<h2>These numbers give</h2>${limitsList(state.limits)}`}
${scopeFields(state)}
<div class="actions"><button>Ask for a key</button><button class="quiet" formaction="/keys/limits">Show my limits</button></div>
</form>
<aside><section class="card"><h2>What happens next</h2><ol class="steps">
<li><b>Confirm your address</b><span class="soft small">A mail with a link, within a minute.</span></li>
<li><b>A person reads it</b><span class="soft small">They may ask back by mail.</span></li>
<li><b>Your key, shown once</b><span class="soft small">Behind a one-time link. No key exists before you look.</span></li></ol></section>
<section class="card"><h2>What numbers give</h2><table><thead><tr><th>You say</th><th class="number">You get</th></tr></thead><tbody>${EXAMPLES.map(
    (stated) => exampleRow(stated, limitsOf(stated, state.maxRate)),
  )}</tbody></table><p class="soft small">At most ${state.maxRate} per second this way; above that the operator agrees by hand.</p></section></aside></div>`;
}

function exampleRow(stated: (typeof EXAMPLES)[number], limits: KeyLimits): Html {
  return html`<tr><td>${grouped(stated.perDay)} a day<br><span class="soft">peak ${stated.peakPerSecond}/s</span></td><td class="number">${limits.ratePerSecond}/s, ${limits.burst} at once<br><span class="soft">${grouped(limits.dayQuota ?? 0)} a day</span></td></tr>`;
}

export function limitsList({ ratePerSecond, burst, dayQuota }: KeyLimits): Html {
  return html`<dl class="limits"><div><dt>Per second</dt><dd>${grouped(ratePerSecond)}</dd></div><div><dt>At once</dt><dd>${grouped(burst)}</dd></div><div><dt>Per day</dt><dd>${dayQuota === null ? 'no limit' : grouped(dayQuota)}</dd></div></dl>`;
}

/** The parts of a field for a screen reader: its hint and its fault. */
function described(state: FormState, name: KeyRequestField, hint: string | null) {
  const isWrong = state.wrong.has(name);
  return {
    hint: hint !== null && html`<p class="hint" id="${name}-hint">${hint}</p>`,
    attributes: html`${hint !== null || isWrong ? html` aria-describedby="${hint === null ? '' : `${name}-hint `}${isWrong ? `${name}-fault` : ''}"` : null}${isWrong && html` aria-invalid="true"`}`,
    fault: isWrong && html`<p class="fault" id="${name}-fault">${FAULTS[name]}</p>`,
  };
}

function textField(
  state: FormState,
  name: 'email' | 'project',
  label: string,
  hintText: string | null,
  autocomplete: string,
): Html {
  const { hint, attributes, fault } = described(state, name, hintText);
  const type = name === 'email' ? 'email' : 'text';
  return html`<div class="field"><label for="${name}">${label}</label>${hint}<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required value="${state.fields[name] ?? ''}"${attributes}>${fault}</div>`;
}

function useField(state: FormState): Html {
  const text = `What will ask, and what for? ${USE_MIN} to ${grouped(USE_MAX)} characters.`;
  const { hint, attributes, fault } = described(state, 'use', text);
  return html`<div class="field"><label for="use">Intended use</label>${hint}<textarea id="use" name="use" rows="5" required${attributes}>
${state.fields['use'] ?? ''}</textarea>${fault}</div>`;
}

function numberField(
  state: FormState,
  name: 'perDay' | 'peakPerSecond',
  label: string,
  hintText: string,
): Html {
  const { hint, attributes, fault } = described(state, name, hintText);
  return html`<div class="field"><label for="${name}">${label}</label>${hint}<input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" required value="${state.fields[name] ?? ''}"${attributes}>${fault}</div>`;
}

function scopeFields(state: FormState): Html {
  const isWrong = state.wrong.has('scopes');
  return html`<fieldset${isWrong && html` aria-describedby="scopes-fault"`}><legend>What will it use?</legend>${SCOPES.map(
    ([name, label, what]) =>
      html`<label class="tick"><input type="checkbox" name="${name}"${state.fields[name] !== undefined && html` checked`}><span><b>${label}</b> <span class="soft small">${what}</span></span></label>`,
  )}${isWrong && html`<p class="fault" id="scopes-fault">${FAULTS.scopes}</p>`}</fieldset>`;
}

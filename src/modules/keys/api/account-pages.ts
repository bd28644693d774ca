import { said } from '../../../platform/http/look/frame.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import type { ApiKey } from '../store/api-key-store-port.ts';
import type { ApiUsage } from '../store/api-usage-store-port.ts';
import type { AccountOverview } from '../use/account.ts';
import { usageChart, usageTable } from './usage-view.ts';

export function signInPage(fault: boolean, email: string): Html {
  return said(
    'Your account',
    html`<p>See your keys and their use, rotate or revoke them. A mailed link lets you in; there is no password.</p>`,
    html`<form method="post" action="/account/login" novalidate><div class="field"><label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="email" required value="${email}"${fault && html` aria-invalid="true" aria-describedby="email-fault"`}>${fault && html`<p class="fault" id="email-fault">Please give one e-mail address, like mara@example.org.</p>`}</div><div class="actions"><button>Mail me a link</button></div></form>`,
  );
}

/** Always the same, whether the address has a key or not. */
export const LINK_SENT = said(
  'Look at your inbox',
  html`<p>If this address has a key here, a link is on its way to it. It works once, for 15 minutes.</p>`,
  html`<p class="soft small">Nothing came? Look at the spam folder. At most three links go out in an hour.</p>`,
);

export const LOGIN_DOOR = said(
  'Sign in',
  html`<p>Press the button to see your keys in this browser, for one hour.</p>`,
  html`<form method="post" class="actions"><button>Sign in</button></form>`,
);

export const LOGIN_GONE = said(
  'This link does nothing any more',
  html`<p>It was used, or is older than 15 minutes.</p>`,
  html`<p class="actions"><a class="button" href="/account">Get a new one</a></p>`,
);

/** A form that was not ours, or of a session that ended. */
export const FOREIGN_FORM = said(
  'Please try again',
  html`<p>This form belongs to another session, or yours has ended. Nothing was changed.</p>`,
  html`<p class="actions"><a class="button" href="/account">Your account</a></p>`,
);

export const NO_KEY = said(
  'No such key',
  html`<p>There is no key of yours with this name that could be changed.</p>`,
  html`<p class="actions"><a class="button" href="/account">Your account</a></p>`,
);

const DAY = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

type State = { readonly label: string; readonly tone: 'ok' | 'care' | 'bad'; readonly isLive: boolean };

function stateOf(key: ApiKey, now: number): State {
  if (key.revokedAt !== null) return { label: `✕ revoked ${DAY(key.revokedAt)}`, tone: 'bad', isLive: false };
  if (key.expiresAt !== null && key.expiresAt <= now)
    return { label: `✕ ended ${DAY(key.expiresAt)}`, tone: 'bad', isLive: false };
  if (key.expiresAt !== null) return { label: `! until ${DAY(key.expiresAt)}`, tone: 'care', isLive: true };
  return { label: '✓ works', tone: 'ok', isLive: true };
}

export function overviewPage(
  overview: AccountOverview,
  facts: { readonly formToken: string; readonly now: number; readonly said: Html | null },
): Html {
  const { email, keys, usage } = overview;
  return html`<div class="head"><div><h1>Your account</h1><p class="lead">${email}</p></div><form method="post" action="/account/logout">${hidden(facts.formToken)}<button class="quiet">Sign out</button></form></div>
${facts.said}
<section class="card"><h2>Keys</h2>${keys.length === 0 ? html`<p class="soft">No key yet. <a href="/keys">Ask for one</a>.</p>` : keyTable(keys, facts.now)}</section>
<section class="card"><h2>Requests, last 30 days</h2>${usage.length === 0 ? html`<p class="soft">None yet. They show here within some seconds of the first request with a key.</p>` : usageSection(usage, facts.now)}</section>`;
}

function usageSection(usage: readonly ApiUsage[], now: number): Html {
  return html`${usageChart(usage, now)}${usageTable(usage)}`;
}

function keyTable(keys: readonly ApiKey[], now: number): Html {
  return html`<table class="stack keys"><thead><tr><th>Key</th><th>State</th><th>May use</th><th>Limits</th><th>Made</th><th class="number">Change</th></tr></thead><tbody>${keys.map((key) => keyRow(key, stateOf(key, now)))}</tbody></table>`;
}

function keyRow(key: ApiKey, state: State): Html {
  const quota =
    key.dayQuota === null
      ? null
      : html`<br><span class="soft">${key.dayQuota.toLocaleString('en-US')} a day</span>`;
  return html`<tr><td data-label="Key"><code>${key.id}</code></td><td data-label="State"><span class="chip ${state.tone}">${state.label}</span></td><td data-label="May use">${key.scopes.join(', ')}</td><td data-label="Limits"><span>${key.ratePerSecond}/s, ${key.burst} at once${quota}</span></td><td data-label="Made">${DAY(key.createdAt)}</td><td data-label="Change" class="number">${
    state.isLive
      ? html`<span>${key.replacedBy === null && html`<a href="/account/rotate/${key.id}">Rotate</a> · `}<a href="/account/revoke/${key.id}">Revoke</a></span>`
      : html`<span class="soft">–</span>`
  }</td></tr>`;
}

export function askRevokePage(key: ApiKey, formToken: string): Html {
  return said(
    'Revoke this key?',
    html`<p><code>${key.id}</code> stops working within a second, everywhere. This cannot be undone.</p>`,
    html`<form method="post" class="actions">${hidden(formToken)}<button class="danger">Revoke it</button><a class="button quiet" href="/account">Keep it</a></form>`,
  );
}

export function askRotatePage(key: ApiKey, formToken: string): Html {
  return said(
    'Make a new key in its place?',
    html`<p>A link goes to your inbox. The button behind it makes the new key; from then on <code>${key.id}</code> works for 7 more days, with the same limits.</p>`,
    html`<form method="post" class="actions">${hidden(formToken)}<button>Mail me the link</button><a class="button quiet" href="/account">Back</a></form>`,
  );
}

export const revokedNote = (id: string): Html =>
  html`<div class="note ok" role="status"><p>✓ ${id} does not work any more.</p></div>`;

const hidden = (formToken: string): Html => html`<input type="hidden" name="form" value="${formToken}">`;

export const ROTATION = {
  mailed: said(
    'Look at your inbox',
    html`<p>A link to the new key is on its way. Until you press the button behind it nothing changes.</p>`,
    html`<p class="actions"><a class="button" href="/account">Your account</a></p>`,
  ),
  'too-often': said(
    'Enough links for now',
    html`<p>Three links went out within an hour. Use one of them, or come back later.</p>`,
    html`<p class="actions"><a class="button" href="/account">Your account</a></p>`,
  ),
} as const;

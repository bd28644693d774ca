import { said } from '../../../platform/http/look/frame.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import type { KeyRequest } from '../rules/key-request.ts';
import type { ApiKey } from '../store/api-key-store-port.ts';
import type { ClaimLook } from '../use/claim-key.ts';
import { limitsList } from './form-page.ts';

/** Always the same, for known and unknown addresses. */
export const SENT = said(
  'Look at your inbox',
  html`<p>If this address has no open request, a mail is on its way to it. Open its link and press the button there: your request then goes to the operator.</p>`,
  html`<p class="soft small">Nothing came after some minutes? Look at the spam folder, and check the address you typed. The link works for 24 hours.</p>`,
);

export const CONFIRM_DOOR = said(
  'Confirm your request',
  html`<p>You asked for an API key with this e-mail address. Press the button to send your request to the operator.</p>`,
  html`<form method="post" class="actions"><button>Confirm and send</button></form>`,
);

export const CONFIRMED = said(
  'Confirmed',
  html`<div class="note ok"><p>✓ Your request is with the operator.</p></div>`,
  html`<p>The answer comes by mail. When it is granted you get a one-time link that shows your key.</p>`,
);

/** A link that does nothing any more. It does not say why: a guesser learns nothing. */
export const GONE = said(
  'This link does nothing any more',
  html`<p>It was used, has expired, or was never right. Please check that the whole link was copied.</p>`,
  html`<p class="actions"><a class="button" href="/keys">Ask for a key</a><a class="button quiet" href="/account">Your account</a></p>`,
);

export function questionPage(request: KeyRequest, fault: string | null, answer: string): Html {
  return said(
    'The operator has a question',
    html`<p>About your request for <b>${request.project}</b>:</p><blockquote>${request.question ?? ''}</blockquote>`,
    html`<form method="post"><div class="field"><label for="answer">Your answer</label><textarea id="answer" name="answer" rows="6" required${fault !== null && html` aria-invalid="true" aria-describedby="answer-fault"`}>
${answer}</textarea>${fault !== null && html`<p class="fault" id="answer-fault">${fault}</p>`}</div><div class="actions"><button>Send answer</button></div></form>`,
  );
}

export const ANSWERED = said(
  'Sent',
  html`<div class="note ok"><p>✓ Your answer is with the operator.</p></div>`,
  html`<p>You will hear from them by mail.</p>`,
);

export function claimPage(look: ClaimLook, token: string): Html {
  switch (look.kind) {
    case 'gone':
      return GONE;
    case 'ready':
      return said(
        look.replaces === null ? 'Your key is ready to be made' : 'Make the new key',
        html`<p>Press the button: the key is made at that moment and shown <b>once</b>. Nobody but you should see the screen.</p>`,
        html`${look.replaces !== null && html`<p>The old key <code>${look.replaces}</code> works for 7 more days from then on.</p>`}`,
        html`<form method="post" class="actions"><button>Make the key and show it</button></form>`,
      );
    case 'used':
      return usedPage(look, token);
  }
}

function usedPage(look: Extract<ClaimLook, { kind: 'used' }>, token: string): Html {
  const at = `${new Date(look.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return said(
    'This link was used',
    html`<p>Its key, <code>${look.keyId}</code>, was made and shown on <b>${at}</b>. It cannot be shown again.</p>`,
    look.isRevoked
      ? html`<div class="note ok"><p>✓ That key does not work any more.</p></div>`
      : html`<div class="note care"><p>Was it not you? Then revoke the key: nobody can use it a second later.</p></div><form method="post" action="/keys/revoke/${token}" class="actions"><button class="danger">Revoke that key</button><a class="button quiet" href="/account">Your account</a></form>`,
  );
}

export function keyPage(text: string, key: ApiKey): Html {
  return said(
    'Your API key',
    html`<p>Copy it now. Only its hash is kept here, so nobody can show it to you again.</p><code class="key">${text}</code>`,
    limitsList(key),
    html`<p>Send it in the header <code>x-api-key</code> of each request to the keyed host; it may be used for ${key.scopes.join(', ')}.${key.expiresAt !== null && html` It works until ${new Date(key.expiresAt).toISOString().slice(0, 10)}.`}</p>`,
    html`<p class="actions"><a class="button" href="/docs">Read the docs</a><a class="button quiet" href="/account">Your account</a></p>`,
  );
}

export const REVOKED = said(
  'Revoked',
  html`<div class="note ok"><p>✓ The key does not work any more.</p></div>`,
  html`<p>It takes at most a second until every server knows.</p>`,
);

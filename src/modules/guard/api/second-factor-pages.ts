import { said } from '../../../platform/http/look/frame.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';

/** One style, a picture inside the page itself, a form back to here; nothing runs and nothing is fetched. */
export const SECOND_FACTOR_CSP = `default-src 'none'; img-src 'self' data:; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/** The page behind the link before a person asks for the secret. */
export function doorPage(): Html {
  return said(
    'Authenticator',
    html`<p>The next page shows secrets once: for your authenticator app, and codes for the day you lose it. Nobody but you should see the screen.</p>`,
    html`<form method="post"><div class="actions"><button>Show it</button></div></form>`,
    html`<p class="soft small wide">If you did not ask for this in the chat, close this page.</p>`,
  );
}

export function secretPage({
  uri,
  png,
  codes,
}: {
  readonly uri: string;
  readonly png: Uint8Array;
  readonly codes: readonly string[];
}): Html {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const picture = Buffer.from(png).toString('base64');
  return said(
    'Scan this with your authenticator',
    html`<img class="qr" alt="QR code" src="data:image/png;base64,${picture}">`,
    html`<p>On this phone: <a href="${uri}">open it in the authenticator</a>.</p>`,
    html`<p>Or type the secret into it:</p><code class="key">${groups(secret, ' ')}</code>`,
    codeList(codes),
    html`<p>Then go back to the chat and type the six digits that it shows. This page cannot be opened again.</p>`,
  );
}

/** New recovery codes for an authenticator that stays. */
export function codesPage(codes: readonly string[]): Html {
  return said(
    'New recovery codes',
    codeList(codes),
    html`<p>Then go back to the chat and type the six digits that your authenticator shows next. From then on these count and the former ones do not. This page cannot be opened again.</p>`,
  );
}

function codeList(codes: readonly string[]): Html {
  const items = codes.map((code) => html`<li>${groups(code, '-')}</li>`);
  return html`<p>Recovery codes, for the day you lose the authenticator. Write them down on paper: each works once, behind the PIN, in place of the six digits.</p><ol class="codes">${items}</ol>`;
}

/** Four letters at a time. */
function groups(letters: string, between: string): string {
  return letters.match(/.{1,4}/g)?.join(between) ?? '';
}

export function gonePage(why: 'gone' | 'slow'): Html {
  return why === 'slow'
    ? said('Too many requests', html`<p>Please wait a few seconds.</p>`)
    : said(
        'This link is used up',
        html`<p>It was opened already, or is older than ten minutes. Ask for a new one in the chat, under Security. If it was not you who opened it, do not type its code: ask for a new link.</p>`,
      );
}

import { createHash } from 'node:crypto';
import { escapeHtml } from '../escape-html.ts';

const STYLE = `body{margin:0;font:17px/1.5 system-ui,sans-serif;background:#10141a;color:#e8edf2;display:grid;min-height:100vh;place-items:center}
main{max-width:26rem;padding:2rem;text-align:center}img{width:16rem;max-width:100%;border-radius:12px}
code{display:block;margin:1rem 0;font-size:1.1rem;letter-spacing:.06em;overflow-wrap:anywhere}
ol{columns:2;padding:0 0 0 2rem;text-align:left}li{font:.85rem/1.9 ui-monospace,monospace}
a{color:#8ec5ff}
button{font:inherit;padding:.7rem 1.6rem;border:0;border-radius:10px;background:#3d8bfd;color:#fff;cursor:pointer}`;

/** One style, a picture that stands in the page itself, a form back to here; nothing runs and nothing is fetched. */
export const SECOND_FACTOR_CSP = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/** What stands behind the link before anybody asks for the secret. */
export function doorPage(): string {
  return page(
    'Authenticator',
    `<p>The next page shows secrets once: for your authenticator app, and codes for the day you lose it. Nobody but you should see the screen.</p>
<form method="post"><button>Show it</button></form>
<p>If you did not ask for this in the chat, close this page.</p>`,
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
}): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const picture = Buffer.from(png).toString('base64');
  return page(
    'Scan this with your authenticator',
    `<img alt="QR code" src="data:image/png;base64,${picture}">
<p>On this phone: <a href="${escapeHtml(uri)}">open it in the authenticator</a>.</p>
<p>Or type the secret into it:</p><code>${escapeHtml(groups(secret, ' '))}</code>
${codeList(codes)}
<p>Then go back to the chat and type the six digits that it shows. This page cannot be opened again.</p>`,
  );
}

/** New recovery codes for an authenticator that stays. */
export function codesPage(codes: readonly string[]): string {
  return page(
    'New recovery codes',
    `${codeList(codes)}
<p>Then go back to the chat and type the six digits that your authenticator shows next. From then on these count and the former ones do not. This page cannot be opened again.</p>`,
  );
}

function codeList(codes: readonly string[]): string {
  const items = codes.map((code) => `<li>${escapeHtml(groups(code, '-'))}</li>`).join('');
  return `<p>Recovery codes, for the day you lose the authenticator. Write them down on paper: each works once, behind the PIN, in place of the six digits.</p><ol>${items}</ol>`;
}

/** Four letters at a time. */
function groups(letters: string, between: string): string {
  return letters.match(/.{1,4}/g)?.join(between) ?? '';
}

export function gonePage(why: 'gone' | 'slow'): string {
  return why === 'slow'
    ? page('Too many requests', '<p>Please wait a few seconds.</p>')
    : page(
        'This link is used up',
        '<p>It was opened already, or is older than ten minutes. Ask for a new one in the chat, under Security. If it was not you who opened it, do not type its code: ask for a new link.</p>',
      );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

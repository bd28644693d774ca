import { createHash } from 'node:crypto';
import { type Html, html, pageStyle } from './html.ts';
import { STYLE } from './style.ts';

/** One style, forms back to here; nothing runs, nothing is fetched, nobody frames it. */
export const FRAME_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(STYLE)
  .digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

export type Place = 'keys' | 'account';

/** What stands around every page. */
export type FrameFacts = {
  /** The service runs on a local chain: what is traded is play money. */
  readonly isPlayMoney: boolean;
  readonly sourceUrl: string | null;
};

const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#1f5fd6"/><path d="M8 20l6-8 4 5 6-7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** A whole page for people. */
export function framed(
  facts: FrameFacts,
  page: { readonly title: string; readonly place: Place | null; readonly body: Html },
): string {
  // The style holds no user's text, and its hash stands in the policy: it goes in as it is.
  const style = pageStyle(STYLE);
  const link = (place: Place, href: string, label: string): Html =>
    page.place === place
      ? html`<a href="${href}" aria-current="page">${label}</a>`
      : html`<a href="${href}">${label}</a>`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page.title} · Tradepost</title><meta name="description" content="API keys of Tradepost: ask for one, rotate it, see its use.">${style}</head><body>
${facts.isPlayMoney && html`<p class="ribbon">Play money: this is a local installation</p>`}
<header class="top"><div><a class="mark" href="/docs">${MARK}Tradepost</a><nav aria-label="Site"><a href="/docs">Docs</a>${link('keys', '/keys', 'API keys')}${link('account', '/account', 'Account')}</nav></div></header>
<main>${page.body}</main>
<footer class="foot"><div><p>This site loads nothing from anywhere else and sets no cookie before you sign in.</p>${facts.sourceUrl !== null && html`<p><a href="${facts.sourceUrl}" rel="noopener">Source</a></p>`}</div></footer>
</body></html>`.markup;
}

/** A page that says one thing. */
export function said(title: string, ...parts: readonly Html[]): Html {
  return html`<div class="narrow"><section class="card"><h1>${title}</h1>${parts}</section></div>`;
}

import { assetPath } from './assets.ts';
import { type Html, html } from './html.ts';

const NOBODY_FRAMES = "frame-ancestors 'none'; base-uri 'none'";

/** A page with forms or secrets: one style, forms back to here; nothing runs, nothing is fetched, and no page frames it. */
export const FRAME_CSP = `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; ${NOBODY_FRAMES}`;

/** A page of public content: it runs this site's own files, which ask this site alone. */
export const LIVE_CSP = `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; ${NOBODY_FRAMES}`;

export type Place = 'markets' | 'docs' | 'keys' | 'account' | 'status';

/** The facts around every page. */
export type FrameFacts = {
  /** The service runs on a local chain: trades are in play money. */
  readonly isPlayMoney: boolean;
  readonly sourceUrl: string | null;
  /** The link that opens a chat with the bot, with its start payload; null where the bot's name is not known. */
  readonly botUrl: (payload: string) => string | null;
  /** Where an explorer shows a transaction. */
  readonly transactionUrl: (signature: string) => string | null;
};

/** The same, of one host: the places to link to. */
export type Frame = FrameFacts & { readonly isOpen: boolean; readonly hasKeys: boolean };

export type FramedPage = {
  readonly title: string;
  readonly place: Place | null;
  readonly body: Html;
  /** Of the body, for browsers and screen readers; English unless said. */
  readonly language?: string;
  /** One sentence for search engines and previews. */
  readonly description?: string;
  /** Whole address of a picture to share the page with. */
  readonly image?: string | null;
  /** `live` pages are served with `LIVE_CSP`; a `chart` is drawn by the browser. */
  readonly runs?: 'live' | 'chart';
};

const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#1f5fd6"/><path d="M8 20l6-8 4 5 6-7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
const DESCRIPTION = 'Tradepost: a self-hosted Solana trading desk in Telegram, with a REST API.';

/** A whole page for people. */
export function framed(frame: Frame, page: FramedPage): string {
  const { description = DESCRIPTION, image = null, runs, language = 'en' } = page;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page.title} · Tradepost</title><meta name="description" content="${description}"><meta property="og:title" content="${page.title}"><meta property="og:description" content="${description}">${image !== null && html`<meta property="og:image" content="${image}"><meta name="twitter:card" content="summary_large_image">`}<link rel="icon" href="${assetPath('mark.svg')}"><link rel="stylesheet" href="${assetPath('style.css')}">${runs !== undefined && html`<script src="${assetPath('site.js')}"></script>`}${runs === 'chart' && html`<script type="module" src="${assetPath('chart.js')}"></script>`}</head><body>
${header(frame, page.place)}
<main>${page.body}</main>
<footer class="foot"><div><p>This site loads nothing from anywhere else and sets no cookie before you sign in.</p><p>${frame.isOpen && html`<a href="/status">Status</a>`}${frame.sourceUrl !== null && html`<a href="${frame.sourceUrl}" rel="noopener">Source</a>`}</p></div></footer>
</body></html>`.markup;
}

function header(frame: Frame, current: Place | null): Html {
  const link = (place: Place, href: string, label: string): Html =>
    current === place
      ? html`<a href="${href}" aria-current="page">${label}</a>`
      : html`<a href="${href}">${label}</a>`;
  const bot = frame.botUrl('');
  const { isOpen, hasKeys } = frame;
  const links = html`${isOpen && link('markets', '/', 'Markets')}${link('docs', '/docs', 'Docs')}${hasKeys && link('keys', '/keys', 'API keys')}${hasKeys && link('account', '/account', 'Account')}${isOpen && link('status', '/status', 'Status')}${bot !== null && html`<a class="go" href="${bot}" rel="noopener">Open the bot</a>`}`;
  // A phone has room for one line: there the same links open from a menu, which needs no script.
  return html`<header class="top">${frame.isPlayMoney && html`<p class="ribbon">Play money: this is a local installation</p>`}<div><a class="mark" href="${isOpen ? '/' : '/docs'}">${MARK}Tradepost</a><nav class="site wide-only" aria-label="Site">${links}</nav><details class="menu"><summary>Menu</summary><nav class="site" aria-label="Site">${links}</nav></details></div></header>`;
}

/** A page that says one thing. */
export function said(title: string, ...parts: readonly Html[]): Html {
  return html`<div class="narrow"><section class="card"><h1>${title}</h1>${parts}</section></div>`;
}

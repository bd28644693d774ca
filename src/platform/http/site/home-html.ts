import { filterForm, type TableFacts, tokenTable } from '../../../modules/tokens/pages/table.ts';
import type { Frame } from '../look/frame.ts';
import { type Html, html } from '../look/html.ts';

export type HomeFacts = TableFacts & { readonly frame: Frame; readonly publicUrl: string | null };

export function homeBody(facts: HomeFacts): Html {
  const bot = facts.frame.botUrl('');
  return html`<div class="hero"><h1>Trade Solana tokens in a chat, on a desk that you run yourself</h1><p class="lead">Open source. Every price below is read from the chain by this server, trade by trade, and can be checked against it.</p>
<div class="actions">${bot !== null && html`<a class="button" href="${bot}" rel="noopener">Open the bot</a>`}<a class="button quiet" href="/docs">Use the API</a></div>
${searchForm('')}</div>
${filterForm(facts)}
<section class="card flush" id="markets" data-live>${tokenTable(facts)}</section>
<div class="boxes">${boxes(facts, bot)}</div>`;
}

export function searchForm(text: string): Html {
  return html`<form class="search" action="/search" method="get" role="search"><input type="search" name="q" value="${text}" maxlength="128" required placeholder="$PUP, puppy, an address or a link" aria-label="Search tokens"><button>Search</button></form>`;
}

function boxes({ publicUrl }: HomeFacts, bot: string | null): readonly Html[] {
  const curl = `curl -s '${publicUrl ?? 'http://127.0.0.1:4401'}/markets?limit=3'`;
  return [
    html`<section class="card"><h2>Trade in Telegram</h2><p class="soft">Paste a token’s address, choose an amount, confirm. The desk signs for a wallet of yours, shows the route and its fee before, and the receipt after.</p>${bot === null ? html`<p class="soft small">The operator has not said the bot’s name here.</p>` : html`<p><a href="${bot}" rel="noopener">Open the bot</a></p>`}</section>`,
    html`<section class="card"><h2>Make a token</h2><p class="soft">Name, picture, supply and which powers you keep: the bot’s wizard or one API call. Its page here shows to everybody who can still change what.</p><p><a href="/docs#post-token">How a token is made</a></p></section>`,
    html`<section class="card"><h2>Build with the API</h2><p class="soft">Quotes, swap transactions, prices, trades and charts. No key needed to start.</p><div class="code"><pre>${curl}</pre><button class="copy" type="button" hidden data-copy="${curl}" aria-label="Copy the command">Copy</button></div><p><a href="/docs">Read the docs</a></p></section>`,
  ];
}

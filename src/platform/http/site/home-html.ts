import { marketViewOf } from '../../../modules/market/api/market-view.ts';
import type { MarketEntry } from '../../../modules/market/use/market-snapshot.ts';
import type { Frame } from '../look/frame.ts';
import { type Html, html } from '../look/html.ts';
import { age, amountText, change, dollarText, priceText, spark } from '../look/numbers.ts';

export type MarketRow = { readonly entry: MarketEntry; readonly spark: readonly number[] | undefined };

export type HomeFacts = {
  readonly frame: Frame;
  /** Null: they could not be read. */
  readonly rows: readonly MarketRow[] | null;
  /** Markets in all. */
  readonly known: number;
  readonly publicUrl: string | null;
  readonly now: number;
};

export function homeBody(facts: HomeFacts): Html {
  const bot = facts.frame.botUrl('');
  return html`<div class="hero"><h1>Trade Solana tokens in a chat, on a desk that you run yourself</h1><p class="lead">Open source. Every price below is read from the chain by this server, trade by trade, and can be checked against it.</p>
<div class="actions">${bot !== null && html`<a class="button" href="${bot}" rel="noopener">Open the bot</a>`}<a class="button quiet" href="/docs">Use the API</a></div>
${searchForm('')}</div>
<section class="card flush" id="markets" data-live>${marketTable(facts)}</section>
<div class="boxes">${boxes(facts, bot)}</div>`;
}

export function searchForm(text: string): Html {
  return html`<form class="search" action="/search" method="get" role="search"><input type="search" name="q" value="${text}" maxlength="128" required placeholder="$PUP, puppy, an address or a link" aria-label="Search tokens"><button>Search</button></form>`;
}

function marketTable({ rows, known, now }: HomeFacts): Html {
  if (rows === null)
    return html`<h2>Markets</h2><p class="soft">They cannot be read just now. Please try again in a moment.</p>`;
  if (rows.length === 0)
    return html`<h2>Markets</h2><p class="soft">None yet. They show here as soon as the indexer has read the first pool from the chain.</p>`;
  return html`<h2>Markets</h2><div class="scroll" tabindex="0" role="region" aria-label="Markets"><table class="rows"><thead><tr><th>Market</th><th class="number">Price</th><th class="number">24 h</th><th class="number hide">Volume 24 h</th><th class="number hide">Liquidity</th><th class="number hide">Last trade</th><th class="number hide">24 hours</th></tr></thead><tbody>${rows.map((row) => marketRow(row, now))}</tbody></table></div>${known > rows.length && html`<p class="soft small wide">${rows.length} of ${known.toLocaleString('en-US')}, by volume. <a href="/v1/pairs">All as JSON</a></p>`}`;
}

function marketRow({ entry, spark: line }: MarketRow, now: number): Html {
  const { market } = entry;
  const view = marketViewOf(entry);
  const volume =
    view.volumeUsd === null
      ? `${amountText(view.totalVolume)} ${market.quoteTicker}`
      : dollarText(view.volumeUsd);
  return html`<tr><td><a href="/market/${market.address}">${market.name}</a>${market.verified && html` <span class="up" title="verified">✓</span>`}<br><span class="soft">${market.venue}</span></td><td class="number">${priceText(view.priceExact)}</td><td class="number">${change(view.changePercent)}</td><td class="number hide">${entry.stats === null ? 'n/a' : volume}</td><td class="number hide">${dollarText(view.liquidityUsd)}</td><td class="number hide soft">${view.time === null ? 'n/a' : age(Date.parse(view.time), now)}</td><td class="number hide">${spark(line, view.changePercent)}</td></tr>`;
}

function boxes({ publicUrl }: HomeFacts, bot: string | null): readonly Html[] {
  const curl = `curl -s '${publicUrl ?? 'http://127.0.0.1:4401'}/markets?limit=3'`;
  return [
    html`<section class="card"><h2>Trade in Telegram</h2><p class="soft">Paste a token’s address, choose an amount, confirm. The desk signs for a wallet of yours, shows the route and its fee before, and the receipt after.</p>${bot === null ? html`<p class="soft small">The operator has not said the bot’s name here.</p>` : html`<p><a href="${bot}" rel="noopener">Open the bot</a></p>`}</section>`,
    html`<section class="card"><h2>Make a token</h2><p class="soft">Name, picture, supply and which powers you keep: the bot’s wizard or one API call. Its page here shows to everybody who can still change what.</p><p><a href="/docs#post-token">How a token is made</a></p></section>`,
    html`<section class="card"><h2>Build with the API</h2><p class="soft">Quotes, swap transactions, prices, trades and charts. No key needed to start.</p><div class="code"><pre>${curl}</pre><button class="copy" type="button" hidden data-copy="${curl}" aria-label="Copy the command">Copy</button></div><p><a href="/docs">Read the docs</a></p></section>`,
  ];
}

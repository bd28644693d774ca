import { hasCode } from '../../../core/errors/app-error.ts';
import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import { change, dollarPrice, dollarText, short } from '../../../platform/http/look/numbers.ts';
import { searchForm } from '../../../platform/http/site/home-html.ts';
import { type Page, pageOf, sorry } from '../../../platform/http/site/page.ts';
import type { TokenHit } from '../../market/use/search-tokens.ts';
import { displayName } from '../rules/display-name.ts';

const LIMIT = 20;
const MAX_LETTERS = 128;

/** `/search?q=`: tokens that a text means, the best first. */
export const searchPage: Page = {
  path: '/search',
  handle: async (deps, { query }) => {
    const text = (query.get('q') ?? '').trim().slice(0, MAX_LETTERS);
    try {
      const hits = text === '' ? [] : await deps.tokens.search({ text, limit: LIMIT });
      return pageOf(deps.frame, {
        title: text === '' ? 'Search' : `Search: ${displayName(text) ?? ''}`,
        place: 'markets',
        body: body(text, hits),
        runs: 'live',
      });
    } catch (error) {
      if (!isAway(error)) throw error;
      return sorry(
        deps,
        503,
        'Not now',
        'Tokens could not be searched just now. Please try again in a moment.',
      );
    }
  },
};

const isAway = (error: unknown): boolean => isDatabaseDown(error) || hasCode(error, 'CHAIN_UNREACHABLE');

function body(text: string, hits: readonly TokenHit[]): Html {
  return html`<div class="hero"><h1>Search tokens</h1><p class="lead">By ticker, name, address of a token or a pool, or a link that holds one. A name proves nothing: only the address does.</p>${searchForm(text)}</div>${text !== '' && (hits.length === 0 ? nothing(text) : results(hits))}`;
}

function nothing(text: string): Html {
  return html`<section class="card"><h2>Nothing found</h2><p class="soft">No token that this desk has seen is called “${displayName(text) ?? ''}”. The address of its mint always works.</p></section>`;
}

function results(hits: readonly TokenHit[]): Html {
  return html`<section class="card flush"><h2>${hits.length === 1 ? 'One token' : `${hits.length} tokens`}</h2><div class="scroll" tabindex="0" role="region" aria-label="Found tokens"><table class="rows"><thead><tr><th>Token</th><th>Address</th><th class="number">Price</th><th class="number hide">24 h</th><th class="number hide">Volume 24 h</th></tr></thead><tbody>${hits.map(row)}</tbody></table></div></section>`;
}

function row(hit: TokenHit): Html {
  const symbol = displayName(hit.symbol) ?? displayName(hit.name) ?? 'unnamed';
  const mark = hit.imitates
    ? html` <span class="chip care">! looks like another</span>`
    : hit.verified && html` <span class="chip ok">✓ verified</span>`;
  const name = displayName(hit.name);
  return html`<tr><td><a href="/token/${hit.mint}">${symbol}</a>${mark}${name !== null && html`<br><span class="soft">${name}</span>`}</td><td>${short(hit.mint)}</td><td class="number">${dollarPrice(hit.price?.usd ?? null)}</td><td class="number hide">${change(hit.change24h)}</td><td class="number hide">${dollarText(hit.volume24hUsd)}</td></tr>`;
}

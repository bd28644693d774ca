import type { Host } from '../../../compose/api-deps.ts';
import type { Frame, FramedPage } from '../look/frame.ts';
import { type Html, html } from '../look/html.ts';
import type { Route } from '../route.ts';

/** A page to read, made from the same routes as the OpenAPI document. */
export function docsPage(routes: readonly Route[], host: Host['kind'], frame: Frame): FramedPage {
  const access =
    host === 'open'
      ? html`This host needs no key and limits requests per IP address.`
      : html`This host needs your key in the header <code>x-api-key</code>; limits belong to your account.`;
  const groups = new Map<string, readonly Route[]>();
  for (const route of routes) {
    const name = route.path.split('/')[1] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  const market = ['markets', 'tokens', 'prices', 'v1'].find((name) => groups.has(name));
  return {
    title: 'REST API',
    place: 'docs',
    description: 'Every endpoint of the Tradepost REST API with a request and an answer.',
    ...(frame.isOpen ? { runs: 'live' as const } : {}),
    body: html`<div class="docs"><nav class="toc" aria-label="Endpoints">${[...groups].map(([name, own]) => toc(name, own, name === market))}</nav><div><h1>REST API</h1>
<p class="lead">${access} Amounts are strings of smallest units. A success is <code>{"data": …}</code>, everything else <code>{"error": {code, message, field?, details, retryable, requestId}}</code> with a real status. The machine-readable form of this page is <a href="/openapi.json">/openapi.json</a>.</p>
${routes.map((route) => section(route, host))}</div></div>`,
  };
}

function toc(name: string, routes: readonly Route[], isMarketData: boolean): Html {
  return html`<p${isMarketData && html` id="market-data"`}><b>/${name}</b></p><ul>${routes.map((route) => html`<li><a href="#${anchor(route)}">${route.summary}</a></li>`)}</ul>`;
}

const anchor = ({ method, path }: Route): string =>
  `${method}${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function section(route: Route, host: Host['kind']): Html {
  const { input, inputExample, output, scope, variant } = route;
  const query = new URLSearchParams(
    Object.entries(inputExample).map(([key, value]) => [key, String(value)]),
  ).toString();
  const call = input.in === 'body' ? pretty(inputExample) : `${route.path}?${query}`;
  const needs =
    host === 'open' || scope === 'any' ? null : html` Your key needs the scope <code>${scope}</code>.`;
  return html`<section class="card" id="${anchor(route)}"><h2><span class="chip">${route.method}</span> <code>${route.path}</code>${route.deprecated !== undefined && html` <span class="chip care">! deprecated</span>`}</h2><p>${route.summary}. ${prose(route.description)}${needs}</p>
${variant !== undefined && html`<p><code>?${variant.parameter}=true</code>: ${prose(variant.description)}</p>`}
<h3>Request</h3><pre tabindex="0">${call}</pre><h3>Answer</h3><pre tabindex="0">${pretty({ data: output.example })}</pre></section>`;
}

/** What stands between backticks is code. */
function prose(text: string): readonly Html[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

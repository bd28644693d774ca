import type { Host } from '../api-deps.ts';
import { escapeHtml } from '../escape-html.ts';
import type { Route } from '../route.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}pre{background:#f4f4f4;padding:1rem;overflow:auto}@media(prefers-color-scheme:dark){body{background:#161616;color:#e8e8e8}pre{background:#242424}a{color:#8ab4ff}}';

/** The page's only style, for its content security policy. */
export const DOCS_CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A page to read, made from the same routes as the OpenAPI document. No script. */
export function docsPage(routes: readonly Route[], host: Host['kind']): string {
  const access =
    host === 'open'
      ? 'This host needs no key and limits requests per IP address.'
      : 'This host needs your key in the header <code>x-api-key</code>; limits belong to your account.';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tradepost REST API</title><style>${STYLE}</style>
<h1>Tradepost REST API</h1>
<p>${access} Amounts are strings of smallest units. A success is <code>{"data": …}</code>, everything else
<code>{"error": {code, message, field?, details, retryable, requestId}}</code> with a real status. The machine-readable form
of this page is <a href="/openapi.json">/openapi.json</a>.</p>
${routes.map((route) => section(route, host)).join('\n')}</html>`;
}

function section(route: Route, host: Host['kind']): string {
  const { input, inputExample, output, scope, variant } = route;
  const needs = host === 'open' || scope === 'any' ? '' : ` Your key needs the scope <code>${scope}</code>.`;
  const query = new URLSearchParams(
    Object.entries(inputExample).map(([key, value]) => [key, String(value)]),
  ).toString();
  const call = input.in === 'body' ? pretty(inputExample) : `${route.path}?${query}`;
  return `<h2>${route.method} ${escapeHtml(route.path)}</h2><p>${escapeHtml(route.summary)}. ${escapeHtml(route.description)}${needs}</p>
${variant === undefined ? '' : `<p><code>?${escapeHtml(variant.parameter)}=true</code>: ${escapeHtml(variant.description)}</p>`}
<h3>Request</h3><pre>${escapeHtml(call)}</pre><h3>Answer</h3><pre>${escapeHtml(pretty({ data: output.example }))}</pre>`;
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

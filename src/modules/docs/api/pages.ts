import type { Host } from '../../../compose/api-deps.ts';
import { CATALOGUE } from '../../../platform/http/errors/catalogue.ts';
import type { FramedPage } from '../../../platform/http/look/frame.ts';
import { type Html, html } from '../../../platform/http/look/html.ts';
import { codesOf } from '../../../platform/http/openapi/codes-of.ts';
import type { Route } from '../../../platform/http/route.ts';
import { curlOf, variablesOf } from '../rules/curl.ts';
import { type Field, fieldOf, fieldsOf, type Schema, type Schemas } from '../rules/fields.ts';
import { type Block, readMarkdown, readSpans, type Span } from '../rules/markdown.ts';
import { GUIDES } from './guides.ts';

/** The OpenAPI document, as far as a page reads it. */
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
};
type Operation = {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
};

type OfHost = { readonly routes: readonly Route[]; readonly host: Host['kind'] };

/** All guides and all operations. */
export function indexPage({ routes, host }: OfHost): FramedPage {
  const access =
    host === 'pro'
      ? html`This host needs your key in the header <code>x-api-key</code>; limits belong to your account.`
      : html`This host needs no key and limits requests per IP address.`;
  return docsFrame(
    { routes, host },
    'REST API',
    'Guides and every operation of the Tradepost REST API.',
    html`<h1>REST API</h1>
<p class="lead">${access} Amounts are strings of smallest units. A success is <code>{"data": …}</code>, everything else <code>{"error": {code, message, field?, details, retryable, requestId}}</code> with a real status. For programs there are <a href="/openapi.json">/openapi.json</a> and <a href="/llms.txt">/llms.txt</a>.</p>
${host !== 'charts' && html`<section class="card"><h2>Guides</h2><ul>${GUIDES.map(({ name, title, sentence }) => html`<li><a href="/docs/${name}">${title}</a>: ${sentence}</li>`)}</ul></section>`}
${[...groupsOf(routes)].map(([name, own]) => html`<section class="card"${isMarketData(name) && html` id="market-data"`}><h2>/${name}</h2><ul>${own.map((route) => html`<li id="${anchorOf(route)}"><a href="/docs/reference/${route.operationId}"><code>${route.method} ${route.path}</code></a>: ${route.summary}${route.deprecated !== undefined && html` <span class="chip care">! deprecated</span>`}</li>`)}</ul></section>`)}`,
  );
}

const isMarketData = (name: string): boolean => name === 'markets';

/** One guide. */
export function guidePage(of: OfHost, name: string, text: string): FramedPage {
  const blocks = readMarkdown(text);
  const { title = name, sentence = '' } = GUIDES.find((one) => one.name === name) ?? {};
  return docsFrame(
    of,
    title,
    sentence,
    html`${blocks.map((block, index) => blockHtml(block, index))}<p class="soft"><a href="/docs/${name}.md">This page as Markdown</a></p>`,
  );
}

/** One operation: its request, its answer and its refusals. */
export function referencePage(of: OfHost, route: Route, document: Document): FramedPage {
  const { host } = of;
  const { method, path, summary, description, scope, signed, variant, output } = route;
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const { schemas } = document.components;
  const block = blockOf(route, host);
  const needs =
    signed !== undefined
      ? html` No key of the API is asked for. The personal key that signs needs the right <code>${signed}</code>.`
      : host !== 'pro' || scope === 'any'
        ? null
        : scope === 'none'
          ? html` It asks for no key.`
          : html` Your key needs the scope <code>${scope}</code>.`;
  const success = Object.values(operation?.responses['200']?.content ?? {})[0]?.schema;
  return docsFrame(
    of,
    `${method} ${path}`,
    summary,
    html`<h1><span class="chip">${method}</span> <code>${path}</code></h1>
<p class="lead">${summary}.${route.deprecated !== undefined && html` <span class="chip care">! deprecated</span>`}</p><p>${spansHtml(description)}${needs}</p>
${variant !== undefined && html`<p><code>?${variant.parameter}=true</code>: ${spansHtml(variant.description)}</p>`}
<section class="card"><h2>Request</h2>${fieldTable(operation === undefined ? [] : askedFields(operation, schemas), 'Fields of the request')}<pre tabindex="0">${block}</pre><p class="soft">It runs as it is printed, once these are set: ${variablesOf(block).map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}. The first one is the address of this host.</p></section>
<section class="card"><h2>Answer</h2>${fieldTable(success === undefined ? [] : fieldsOf(success, schemas), 'Fields of the answer')}<pre tabindex="0">${pretty(route.envelope === 'bare' ? output.example : { data: output.example })}</pre></section>
<section class="card"><h2>Refusals</h2>${codeTable(route, host)}</section>`,
  );
}

/** The example of an operation, for a shell. */
function blockOf(
  { method, path, scope, pathFields = [], headerFields = {}, input, inputExample, streams, signed }: Route,
  host: Host['kind'],
): string {
  const example = Object.fromEntries(
    Object.entries(inputExample).filter(([name]) => !Object.hasOwn(headerFields, name)),
  );
  return curlOf({
    method,
    path,
    pathFields,
    in: input.in,
    example,
    isKeyed: host === 'pro' && scope !== 'none',
    isSigned: signed !== undefined,
    streams: streams === true,
  });
}

function askedFields({ parameters = [], requestBody }: Operation, schemas: Schemas): readonly Field[] {
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  return [
    ...parameters.map(({ name, in: place, required, schema, description }) => {
      const field = fieldOf(name, schema, required, schemas);
      return { ...field, description: `In the ${place}. ${field.description} ${description ?? ''}`.trim() };
    }),
    ...(body === undefined ? [] : fieldsOf(body, schemas)),
  ];
}

function fieldTable(fields: readonly Field[], label: string): Html {
  if (fields.length === 0) return html`<p>Nothing is asked for.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="rows"><thead><tr><th>Field</th><th>Type</th><th>Always</th><th>Meaning</th></tr></thead><tbody>${fields.map(({ name, type, isRequired, description }) => html`<tr><td><code>${name}</code></td><td>${type}</td><td>${isRequired ? 'yes' : 'no'}</td><td>${spansHtml(description)}</td></tr>`)}</tbody></table></div>`;
}

function codeTable(route: Route, host: Host['kind']): Html {
  const rows = Object.entries(codesOf(route, host)).flatMap(([status, codes]) =>
    codes.map((code) => ({ status, code, isRetryable: CATALOGUE[code].retryable })),
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Codes of refusals"><table class="rows"><thead><tr><th>Status</th><th>Code</th><th>Ask again later</th></tr></thead><tbody>${rows.map(({ status, code, isRetryable }) => html`<tr><td>${status}</td><td><code>${code}</code></td><td>${isRetryable ? 'yes' : 'no'}</td></tr>`)}</tbody></table></div>`;
}

function docsFrame({ routes, host }: OfHost, title: string, description: string, body: Html): FramedPage {
  const guides = html`<p><b>Guides</b></p><ul>${GUIDES.map(({ name, title: own }) => html`<li><a href="/docs/${name}">${own}</a></li>`)}</ul>`;
  return {
    title,
    place: 'docs',
    description,
    ...(host === 'open' ? { runs: 'live' as const } : {}),
    body: html`<div class="docs"><nav class="toc" aria-label="Documentation"><ul><li><a href="/docs">Overview</a></li></ul>${host !== 'charts' && guides}${[...groupsOf(routes)].map(([name, own]) => html`<p><b>/${name}</b></p><ul>${own.map((route) => html`<li><a href="/docs/reference/${route.operationId}">${route.summary}</a></li>`)}</ul>`)}</nav><div>${body}</div></div>`,
  };
}

function groupsOf(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const groups = new Map<string, readonly Route[]>();
  for (const route of routes) {
    const name = route.path.split('/')[1] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  return groups;
}

const anchorOf = ({ method, path }: Route): string =>
  `${method}${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** `index` keeps the names of two tables apart. */
function blockHtml(block: Block, index: number): Html {
  switch (block.kind) {
    case 'heading':
      if (block.level === 1) return html`<h1>${spansHtml(block.text)}</h1>`;
      return block.level === 2
        ? html`<h2>${spansHtml(block.text)}</h2>`
        : html`<h3>${spansHtml(block.text)}</h3>`;
    case 'paragraph':
      return html`<p>${spansHtml(block.text)}</p>`;
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${spansHtml(item)}</li>`)}</ul>`;
    case 'table':
      return html`<div class="scroll" tabindex="0" role="region" aria-label="${block.head.join(', ')}, table ${String(index)}"><table class="rows"><thead><tr>${block.head.map((cell) => html`<th>${spansHtml(cell)}</th>`)}</tr></thead><tbody>${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${spansHtml(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
    case 'code':
      return html`<pre tabindex="0">${block.text}</pre>`;
  }
}

function spansHtml(text: string): readonly Html[] {
  return readSpans(text).map(spanHtml);
}

function spanHtml(span: Span): Html {
  switch (span.kind) {
    case 'text':
      return html`${span.text}`;
    case 'code':
      return html`<code>${span.text}</code>`;
    case 'strong':
      return html`<b>${span.text}</b>`;
    case 'link':
      return html`<a href="${span.href}">${span.text}</a>`;
  }
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

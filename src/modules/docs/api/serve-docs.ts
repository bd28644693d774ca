import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Host } from '../../../compose/api-deps.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import {
  FRAME_CSP,
  type Frame,
  type FramedPage,
  framed,
  LIVE_CSP,
} from '../../../platform/http/look/frame.ts';
import type { Route } from '../../../platform/http/route.ts';
import { GUIDES, guideText } from './guides.ts';
import { type Document, guidePage, indexPage, referencePage } from './pages.ts';

/** Pages of any origin may read these too. */
export const DOCS_PATHS = ['/docs', '/docs/:page', '/docs/reference/:operation', '/llms.txt'] as const;

/** It is made in this process, from the same routes. */
const documentShape = z.custom<Document>((value) => typeof value === 'object' && value !== null);

/** Serves the documentation of one host, from its routes and its OpenAPI document. Each page is made once. */
export function serveDocs(
  app: FastifyInstance,
  {
    routes,
    host,
    frame,
    openApi,
  }: {
    readonly routes: readonly Route[];
    readonly host: Host['kind'];
    readonly frame: Frame;
    readonly openApi: object;
  },
): void {
  const of = { routes, host };
  const document = documentShape.parse(openApi);
  const made = new Map<string, string>();
  const send = (reply: FastifyReply, name: string, make: () => FramedPage): FastifyReply => {
    const text = made.get(name) ?? framed(frame, make());
    made.set(name, text);
    return reply
      .header('content-security-policy', host === 'open' ? LIVE_CSP : FRAME_CSP)
      .type('text/html; charset=utf-8')
      .send(text);
  };
  const [index, page, reference, llms] = DOCS_PATHS;
  app.get(index, async (_request, reply) => send(reply, index, () => indexPage(of)));
  app.get<{ Params: { operation: string } }>(reference, async ({ params: { operation } }, reply) => {
    const route = routes.find(({ operationId }) => operationId === operation);
    if (route === undefined) throw missing('no operation of this name');
    return send(reply, `${reference} ${operation}`, () => referencePage(of, route, document));
  });
  if (host === 'charts') return;
  app.get<{ Params: { page: string } }>(page, async ({ params }, reply) => {
    const [, name = '', ending] = /^(.*?)(\.md)?$/s.exec(params.page) ?? [];
    const text = guideText(name);
    if (text === null)
      throw missing(`no guide of this name; there are ${GUIDES.map((one) => one.name).join(', ')}`);
    if (ending !== undefined) return reply.type('text/markdown; charset=utf-8').send(text);
    return send(reply, `${page} ${name}`, () => guidePage(of, name, text));
  });
  app.get(llms, async (_request, reply) => reply.type('text/plain; charset=utf-8').send(llmsText(of)));
}

function missing(message: string): ApiError {
  return new ApiError({ status: 404, code: 'NOT_FOUND', message });
}

/** The documentation in one page of links, for programs that read (llmstxt.org). */
function llmsText({
  routes,
  host,
}: {
  readonly routes: readonly Route[];
  readonly host: Host['kind'];
}): string {
  const access = host === 'pro' ? 'a key in the header x-api-key' : 'no key, limited per IP address';
  return [
    '# Tradepost REST API',
    '',
    `> Quote, build, submit and follow Solana swaps and token creations, and read market data. This host: ${access}. No operation signs.`,
    '',
    '## Guides',
    '',
    ...GUIDES.map(({ name, title, sentence }) => `- [${title}](/docs/${name}.md): ${sentence}`),
    '',
    '## Operations',
    '',
    '- [OpenAPI 3.1](/openapi.json): every operation with its fields, statuses and codes',
    ...routes.map(
      ({ method, path, summary, operationId }) =>
        `- [${method} ${path}](/docs/reference/${operationId}): ${summary}`,
    ),
    '',
  ].join('\n');
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { PAGES } from '../../../compose/pages.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import { type Encoding, encodingFor } from '../answer.ts';
import { clientKey } from '../limits/client-key.ts';
import { createTokenBuckets } from '../limits/token-bucket.ts';
import { INERT, type PageDeps } from './page.ts';

/** Of one IP address. A page with its pictures is a few requests; an explorer asks for many documents at once. */
const ALLOWANCE = { ratePerSecond: 20, burst: 100 };
/** A smaller body is one packet anyway. */
const COMPRESSED_FROM = 1_400;

const compressors: Readonly<Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gzip)(body, { level: 5 }),
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** The public pages: read-only, for anybody, from any site. They have an allowance of their own beside the API's. */
export function servePages(app: FastifyInstance, deps: PageDeps): void {
  const buckets = createTokenBuckets({ steadyMs: steadyOf(deps.clock) });
  for (const page of PAGES) {
    app.route<{ Params: { name?: string } }>({
      method: ['GET', 'HEAD'],
      url: page.path,
      onRequest: async (request, reply) => {
        const { allowed, retrySeconds } = buckets.take(clientKey(request.ip), ALLOWANCE);
        if (allowed) return;
        await reply
          .code(429)
          .header('retry-after', retrySeconds)
          .header('content-security-policy', INERT)
          .type('text/plain; charset=utf-8')
          .send(`Too many requests. Ask again in ${retrySeconds} s.\n`);
      },
      handler: async (request, reply) => {
        const query = new URLSearchParams(request.url.split('?')[1] ?? '');
        const answer = await page.handle(deps, { name: request.params.name ?? '', query });
        const body = Buffer.from(answer.body);
        const isText = /^(text\/|application\/json)/.test(answer.type) && body.length >= COMPRESSED_FROM;
        const encoding = isText ? encodingFor(request.headers['accept-encoding']) : 'identity';
        // A strong tag names the bytes: each encoding has its own.
        const ending = encoding === 'identity' ? '' : `-${encoding}`;
        const etag = `"${createHash('sha256').update(body).digest('base64url')}${ending}"`;
        reply
          .code(answer.status)
          .header('content-security-policy', answer.contentSecurityPolicy)
          .header('referrer-policy', 'no-referrer')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('etag', etag)
          .header(
            'cache-control',
            answer.cacheSeconds === 'immutable'
              ? 'public, max-age=31536000, immutable'
              : `public, max-age=${answer.cacheSeconds}`,
          );
        if (answer.location !== undefined) reply.header('location', answer.location);
        if (isText) reply.header('vary', 'accept-encoding');
        if (answer.status === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
        if (encoding === 'identity') return reply.type(answer.type).send(body);
        return reply
          .header('content-encoding', encoding)
          .type(answer.type)
          .send(await compressors[encoding](body));
      },
    });
  }
}

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { clientKey } from '../limits/client-key.ts';
import { createTokenBuckets } from '../limits/token-bucket.ts';
import { PAGES } from './index.ts';
import { INERT, type SiteDeps } from './page.ts';

/** Of one IP address. A page with its pictures is a few requests; an explorer asks for many documents at once. */
const ALLOWANCE = { ratePerSecond: 20, burst: 100 };

/** The public pages: read-only, for anybody, from any site. They have an allowance of their own beside the API's. */
export function servePages(app: FastifyInstance, deps: SiteDeps, now: () => number): void {
  const buckets = createTokenBuckets({ now });
  for (const page of PAGES) {
    app.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url: `/${page.folder}/:name`,
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
        const answer = await page.handle(deps, request.params.name);
        const body = Buffer.from(answer.body);
        const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
        reply
          .code(answer.status)
          .header('content-security-policy', answer.contentSecurityPolicy)
          .header('referrer-policy', 'no-referrer')
          // Wallets and explorers read documents and pictures from pages of their own.
          .header('access-control-allow-origin', '*')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('etag', etag)
          .header(
            'cache-control',
            answer.cacheSeconds === 'immutable'
              ? 'public, max-age=31536000, immutable'
              : `public, max-age=${answer.cacheSeconds}`,
          );
        if (answer.status === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
        return reply.type(answer.type).send(body);
      },
    });
  }
}

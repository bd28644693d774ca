import type { FastifyInstance } from 'fastify';
import { encodingFor } from '../answer.ts';
import { assetAt } from './assets.ts';

/** Nothing of them may run as a page of its own. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** Style and scripts of the pages. Clients keep them for ever: a changed file has another address. */
export function serveAssets(app: FastifyInstance): void {
  app.route<{ Params: { version: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:version/:name',
    handler: async (request, reply) => {
      const { version, name } = request.params;
      const asset = assetAt(version, name);
      if (asset === null) return reply.callNotFound();
      const encoding = encodingFor(request.headers['accept-encoding']);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply
        .header('content-security-policy', POLICY)
        .header('cross-origin-resource-policy', 'same-origin')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
        .type(asset.type)
        .send(asset.bytes[encoding]);
    },
  });
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import { matchesPath, pathOf } from './path-pattern.ts';

/** A path that pages of other origins may ask, and how. */
export type SharedPath = {
  readonly path: string;
  readonly methods: readonly string[];
  /** Headers that may be sent there beside those of every path. */
  readonly allowsHeaders?: string;
};

/** The headers that a page of another origin may send. */
const ALLOWED_HEADERS = 'content-type, idempotency-key, x-api-key, if-none-match, last-event-id';
/** Every header of an answer that means something to its caller; a browser hides the headers that are not named. */
const EXPOSED_HEADERS = [
  'allow',
  'deprecation',
  'etag',
  'idempotent-replayed',
  'link',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'sunset',
  'www-authenticate',
  'x-action-version',
  'x-blockchain-ids',
  'x-data-as-of',
  'x-quota-remaining',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
].join(', ');
/** Seconds; browsers keep a preflight no longer. */
const PREFLIGHT_SECONDS = '7200';

/**
 * Opens paths to pages of every origin, refusals included, and answers their preflights before anything is counted. No cookie
 * means anything on these paths, so `*` gives no right that `curl` lacks. Every other path says nothing of origins.
 */
export function shareWithOrigins(app: FastifyInstance, paths: readonly SharedPath[]): void {
  const patterns = new Set(paths.map(({ path }) => path));
  const at = (path: string): readonly SharedPath[] => paths.filter((one) => matchesPath(one.path, path));
  app.addHook('onRequest', async (request, reply) => {
    const { url: pattern } = request.routeOptions;
    const isShared = pattern === undefined ? at(pathOf(request.url)).length > 0 : patterns.has(pattern);
    if (!isShared) return undefined;
    share(reply);
    return request.method === 'OPTIONS' ? preflight(reply, at(pathOf(request.url))) : undefined;
  });
}

function share(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
}

function preflight(reply: FastifyReply, paths: readonly SharedPath[]): FastifyReply {
  const methods = new Set(paths.flatMap((path) => path.methods));
  const more = new Set(paths.flatMap(({ allowsHeaders = [] }) => allowsHeaders));
  return reply
    .code(204)
    .header('access-control-allow-methods', [...methods].join(', '))
    .header('access-control-allow-headers', [ALLOWED_HEADERS, ...more].join(', '))
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send();
}

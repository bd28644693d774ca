import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isAppError } from '../core/errors/app-error.ts';
import type { ApiKey } from '../core/ports/api-key-store.ts';
import { serveAccount } from './account/serve-account.ts';
import type { ApiDeps, Host } from './api-deps.ts';
import { checkInput } from './check-input.ts';
import { withinDeadline } from './deadline.ts';
import { ApiError, errorBody, invalidRequest } from './errors/api-error.ts';
import { fromAppError } from './errors/from-app-error.ts';
import { pausedError } from './errors/paused.ts';
import { createGate } from './gate.ts';
import { answerIdempotently } from './idempotency.ts';
import { serveKeys } from './keys/serve-keys.ts';
import type { Verdict } from './limits/token-bucket.ts';
import { buildOpenApi } from './openapi/build-openapi.ts';
import { DOCS_CSP, docsPage } from './openapi/docs-page.ts';
import type { Caller, Route, RouteScope, RouteVariant } from './route.ts';
import { routesOf } from './routes/index.ts';
import { serveSecondFactor } from './second-factor/serve-second-factor.ts';
import { serveHealth } from './serve-health.ts';
import { servePages } from './site/serve-pages.ts';
import { PICTURE_PATH, PICTURE_SCOPE, servePictureUpload } from './uploads/serve-picture-upload.ts';

const BODY_LIMIT = 16 * 1_024;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;

type HostOptions = {
  readonly trustedProxies: readonly string[];
  /** A request must have arrived in full by then; 15 s when left out. */
  readonly requestTimeoutMs?: number;
};

/** One host of the API, not yet listening. The two hosts differ in who is let in and in the referrer fee's limit only. */
export function createHost(
  deps: ApiDeps,
  host: Host,
  options: HostOptions = { trustedProxies: [] },
): FastifyInstance {
  const { clock, ids, log } = deps;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    // Node looks for late requests every 30 s unless told otherwise, and gives headers 60 s.
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1_000 },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A forwarded address is anybody's word unless a proxy of the operator's own says it.
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    genReqId: () => ids.ulid(),
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
  });
  const gate = createGate(host, () => clock.now());
  const callers = new WeakMap<FastifyRequest, Caller>();
  const keys = new WeakMap<FastifyRequest, Pick<ApiKey, 'id' | 'account'>>();
  // Fastify reads plain text by default; this API does not.
  app.removeContentTypeParser('text/plain');

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  });
  // One line for each answer. The query is left out: it may hold what is nobody's business. A key is counted also when refused.
  app.addHook('onResponse', async (request, reply) => {
    const key = keys.get(request);
    const { url } = request.routeOptions;
    const { statusCode: status } = reply;
    const ms = Math.round(reply.elapsedTime);
    const { method, id: requestId } = request;
    log.info({ method, route: url ?? 'none', status, ms, requestId, keyId: key?.id }, 'request');
    if (key === undefined || url === undefined) return;
    deps.usage.count({ account: key.account, keyId: key.id, route: `${method} ${url}`, status });
  });
  app.setErrorHandler((error, request, reply) => {
    const known = knownError(error);
    if (known.status >= 500 && known.code !== 'PAUSED')
      log.error({ err: error, requestId: request.id }, 'request failed');
    return send(reply, known, request.id);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsOf(routes, path.length > 1 ? path.replace(/\/$/, '') : path);
    return send(reply, methods.length === 0 ? notFound(routes) : methodNotAllowed(methods), request.id);
  });

  const routes = routesOf(host.kind);
  const openApi = buildOpenApi(routes, host.kind);
  const docs = docsPage(routes, host.kind);
  app.get('/openapi.json', async () => openApi);
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', DOCS_CSP).type('text/html; charset=utf-8').send(docs),
  );

  const admit = async (
    request: FastifyRequest,
    reply: Pick<FastifyReply, 'header'>,
    scope: RouteScope,
  ): Promise<Caller> => {
    const caller = await gate.admit({
      ip: request.ip,
      scope,
      apiKey: headerText(request.headers['x-api-key']),
      tell: (verdict, quotaRemaining) => tellLimits(reply, verdict, quotaRemaining),
      recognise: (key) => void keys.set(request, key),
    });
    // Behind the limits, so that a pause opens no way to ask as often as one likes.
    const pause = await deps.pause();
    if (pause !== null) throw pausedError(pause, clock.now());
    return caller;
  };
  app.addHook('onClose', () => deps.usage.flush());
  if (host.kind === 'open') {
    servePages(app, deps.site, () => clock.now());
    serveSecondFactor(app, deps.secondFactor, () => clock.now());
    if (deps.keyDesk !== null) {
      const isSecure = (): boolean => deps.site.publicUrl()?.startsWith('https:') === true;
      const pages = { desk: deps.keyDesk, frame: deps.frame, isSecure, log };
      serveKeys(app, pages, () => clock.now());
      serveAccount(app, pages, () => clock.now());
    }
  }
  serveHealth(app, deps.health, () => clock.now());
  servePictureUpload(app, deps, async (request, reply) => {
    // Before the body is read: a picture is decoded and stored, or refused for its bytes.
    (await admit(request, reply, PICTURE_SCOPE)).takeStorage();
  });

  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      // Before the body is read: whoever asks too often, or has no key, costs nothing more.
      onRequest: async (request, reply) => {
        callers.set(request, await withinDeadline(admit(request, reply, route.scope)));
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error('a request passed the gate unseen');
        const input = checkInput(route, route.input.in === 'body' ? request.body : request.query, caller);
        const variant = variantOf(route, request.query);
        const key =
          route.idempotent === true && variant === null
            ? headerText(request.headers['idempotency-key'])
            : undefined;
        try {
          if (key === undefined) {
            return { data: await withinDeadline((variant ?? route).handle(deps, input, caller)) };
          }
          const operation = `${route.method} ${route.path}`;
          const { data, replayed } = await withinDeadline(
            answerIdempotently(deps, { operation, caller, key, input }, () =>
              route.handle(deps, input, caller),
            ),
          );
          if (replayed) reply.header('idempotent-replayed', 'true');
          return { data };
        } catch (error) {
          throw (isAppError(error) ? fromAppError(error, route.fieldsOf(input)) : null) ?? error;
        }
      },
    });
  }
  return app;
}

/** The variant that the query asks for; null for the ordinary answer. Throws 400 for anything but `true` or `false`. */
function variantOf({ variant }: Route, query: unknown): RouteVariant | null {
  if (variant === undefined) return null;
  const { parameter: field } = variant;
  const given = (query as Readonly<Record<string, unknown>>)[field];
  if (given === undefined || given === 'false') return null;
  if (given === 'true') return variant;
  throw invalidRequest([{ field, code: 'VALIDATION_FAILED', message: 'expected true or false' }]);
}

function send(reply: FastifyReply, error: ApiError, requestId: string): FastifyReply {
  return reply.code(error.status).headers(error.headers).send(errorBody(error, requestId));
}

function tellLimits(
  reply: Pick<FastifyReply, 'header'>,
  { limit, remaining, resetSeconds }: Verdict,
  quotaRemaining: number | null,
): void {
  if (quotaRemaining !== null) reply.header('x-quota-remaining', quotaRemaining);
  for (const prefix of ['', 'x-']) {
    reply
      .header(`${prefix}ratelimit-limit`, limit)
      .header(`${prefix}ratelimit-remaining`, remaining)
      .header(`${prefix}ratelimit-reset`, resetSeconds);
  }
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

/** Faults that the HTTP layer finds, in this API's words; the rest is ours to answer for and says nothing of itself. */
function knownError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const refusal = isAppError(error) ? fromAppError(error) : null;
  if (refusal !== null) return refusal;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const message = `the body is too large; expected at most ${BODY_LIMIT} bytes`;
    return new ApiError({ status: 413, code: 'BODY_TOO_LARGE', message });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError({
      status: 415,
      code: 'CONTENT_TYPE',
      message: 'expected content-type: application/json',
    });
  }
  if (status >= 400 && status < 500) {
    const message = 'the request could not be read; expected a JSON object in UTF-8';
    return new ApiError({ status: 400, code: 'VALIDATION_FAILED', message });
  }
  const message = 'something went wrong on our side; the request id helps the operator to find it';
  return new ApiError({ status: 500, code: 'INTERNAL', message });
}

function methodsOf(routes: readonly Route[], path: string): readonly string[] {
  if (path === '/docs' || path === '/openapi.json') return ['GET'];
  if (path === PICTURE_PATH) return ['POST'];
  return routes.filter((route) => route.path === path).map(({ method }) => method);
}

function notFound(routes: readonly Route[]): ApiError {
  const paths = routes.map(({ method, path }) => `${method} ${path}`).join(', ');
  return new ApiError({
    status: 404,
    code: 'NOT_FOUND',
    message: `no such path; there are ${paths}, GET /docs`,
  });
}

function methodNotAllowed(methods: readonly string[]): ApiError {
  const allow = methods.join(', ');
  return new ApiError({
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: `this path takes ${allow}`,
    headers: { allow },
  });
}

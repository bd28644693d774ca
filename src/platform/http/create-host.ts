import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { ApiDeps, Host, HostDeps } from '../../compose/api-deps.ts';
import { PAGES } from '../../compose/pages.ts';
import { routesOf } from '../../compose/routes.ts';
import { isAppError } from '../../core/errors/app-error.ts';
import { steadyOf } from '../../core/time/elapsed.ts';
import { ACTION_PATHS, ACTIONS_OF_A_CLIENT, serveActions } from '../../modules/actions/api/serve-actions.ts';
import { DOCS_PATHS, serveDocs } from '../../modules/docs/api/serve-docs.ts';
import { serveSecondFactor } from '../../modules/guard/api/serve-second-factor.ts';
import { serveStop } from '../../modules/guard/api/serve-stop.ts';
import { serveAccount } from '../../modules/keys/api/serve-account.ts';
import { serveKeys } from '../../modules/keys/api/serve-keys.ts';
import type { ApiKey } from '../../modules/keys/store/api-key-store-port.ts';
import {
  PICTURE_PATH,
  PICTURE_SCOPE,
  servePictureUpload,
} from '../../modules/mint/api/serve-picture-upload.ts';
import { createPartsCheck } from '../../modules/operations/use/ask-parts.ts';
import { SANDBOX_PATHS, serveSandbox } from '../../modules/sandbox/api/serve-sandbox.ts';
import { answerBrokenPath, answerBrokenRequests } from './answer-broken-requests.ts';
import { type SharedPath, shareWithOrigins } from './cors.ts';
import { envelopeOf, wrappedError } from './envelope.ts';
import { ApiError } from './errors/api-error.ts';
import { fromAppError } from './errors/from-app-error.ts';
import { pausedError } from './errors/paused.ts';
import { createGate, type Gate } from './gate.ts';
import { createOrderBookGuard } from './limits/order-book-guard.ts';
import type { Allowance, Verdict } from './limits/token-bucket.ts';
import { sendErrorPage, wantsPage } from './look/error-page.ts';
import type { Frame } from './look/frame.ts';
import { serveAssets } from './look/serve-assets.ts';
import { buildOpenApi } from './openapi/build-openapi.ts';
import { matchesPath, pathOf } from './path-pattern.ts';
import { BODY_LIMIT, bodyTooLarge } from './read-body.ts';
import type { Caller, Route } from './route.ts';
import { HEALTH_PATH, serveHealth } from './serve-health.ts';
import { serveRoute } from './serve-route.ts';
import { servePages } from './site/serve-pages.ts';
import { SIGNED_RATE, verifySigned } from './verify-signed.ts';

const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_PATH_FIELD = 16 * 1_024;

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
  const { clock, log } = deps;
  const app = newServer(deps, options);
  const gate = createGate(host, clock);
  const parts = createPartsCheck(deps.health, steadyOf(clock));
  const isOpen = host.kind === 'open';
  const frame: Frame = { ...deps.frame, isOpen, hasKeys: isOpen && deps.keyDesk !== null };
  // Where personal keys are off, their paths are not there: no route, no document, 404.
  const routes = routesOf(host.kind).filter(
    ({ signed }) => signed === undefined || deps.programDesk !== null,
  );
  const keys: Recognised = new WeakMap();
  observe(app, deps, keys);
  shareWithOrigins(app, [
    ...sharedPaths(host.kind, routes),
    ...(isOpen && deps.airdrop !== undefined ? SANDBOX_PATHS : []),
  ]);
  answerFaults(app, { host, routes, frame, log });
  // The public address is the open host's.
  serveDocuments(app, { host, routes, frame }, isOpen ? deps.site.publicUrl : () => null);

  const admit = createAdmission(deps, gate, keys);
  const known = refusals(log);
  if (host.kind === 'open') {
    servePeople(app, { ...deps, parts }, frame);
    const admitted =
      (path: string, allowance?: Allowance) => (request: FastifyRequest, reply: FastifyReply) =>
        admit(request, reply, { scope: 'swap', path, ...(allowance === undefined ? {} : { allowance }) });
    serveActions(app, deps, { known, admit: admitted('/actions', ACTIONS_OF_A_CLIENT) });
    const { airdrop } = deps;
    if (airdrop !== undefined) serveSandbox(app, { airdrop, clock }, { known, admit: admitted('/sandbox') });
  }
  serveHealth(app, deps.health, steadyOf(clock), { network: deps.networkFacts });
  if (host.kind !== 'charts') {
    servePictureUpload(app, deps, async (request, reply) => {
      // Before the body is read: a picture is decoded and stored, or refused for its bytes.
      (await admit(request, reply, { scope: PICTURE_SCOPE, path: PICTURE_PATH })).takeStorage();
    });
  }

  serveRoutes(
    app,
    { ...deps, parts },
    { host, routes, keys, admit, known, trustedProxies: options.trustedProxies },
  );
  return app;
}

/** The API: each route behind the gate that it asks for. */
function serveRoutes(
  app: FastifyInstance,
  deps: HostDeps,
  of: {
    readonly host: Host;
    readonly routes: readonly Route[];
    readonly keys: Recognised;
    readonly admit: Admission;
    readonly known: (error: unknown, requestId: string) => ApiError;
    readonly trustedProxies: readonly string[];
  },
): void {
  const { host, routes, keys, admit, known, trustedProxies } = of;
  const admitSigned = createAdmission(deps, createGate({ kind: 'open', ...SIGNED_RATE }, deps.clock), keys);
  const guard = createOrderBookGuard(deps, deps.orderBookLimits, trustedProxies);
  const blocksHost = deps.orderBookLimits.blocks === 'host';
  for (const route of routes) {
    serveRoute(app, route, {
      deps,
      known,
      verify: (request, body, caller, right) => {
        if (deps.programDesk === null)
          throw new Error('a signed route is served while personal keys are off');
        return verifySigned(deps.programDesk, { request, body, caller, right });
      },
      admit: async (request, reply) => {
        // No key of the API is asked for: the signature says whose request it is.
        if (route.signed !== undefined) return await admitSigned(request, reply, route);
        // A key is its own limit; on the other hosts a block is of the address.
        if (host.kind !== 'pro' && route.scope !== 'none') {
          if (route.deprecated !== undefined || blocksHost) await guard.check(request);
          // Before the host's own limit says 429, or this one could never be passed.
          if (route.guarded === true) await guard.count(request);
        }
        return await admit(request, reply, route);
      },
    });
  }
}

/** A refusal for the caller. A fault of ours is logged on the way. */
function refusals(log: ApiDeps['log']): (error: unknown, requestId: string) => ApiError {
  return (error, requestId) => {
    const known = knownError(error);
    if (known.status >= 500 && known.code !== 'PAUSED' && known.code !== 'INDEX_BEHIND')
      log.error({ err: error, requestId }, 'request failed');
    return known;
  };
}

type Admission = (
  request: FastifyRequest,
  reply: Pick<FastifyReply, 'header'>,
  route: Pick<Route, 'scope' | 'allowance' | 'host' | 'path'>,
) => Promise<Caller>;

function createAdmission(deps: ApiDeps, gate: Gate, keys: Recognised): Admission {
  return async (request, reply, { scope, allowance, host: family, path }) => {
    const caller = await gate.admit({
      ip: request.ip,
      scope,
      allowance: allowance === undefined ? undefined : { ...allowance, name: family ?? path },
      apiKey: headerText(request.headers['x-api-key']),
      tell: (verdict, quotaRemaining) => tellLimits(reply, verdict, quotaRemaining),
      recognise: (key) => void keys.set(request, key),
    });
    // Behind the limits, so that a pause opens no way to ask as often as one likes.
    const pause = scope === 'none' ? null : await deps.pause();
    if (pause !== null) throw pausedError(pause, deps.clock.now());
    return caller;
  };
}

type Recognised = WeakMap<FastifyRequest, Pick<ApiKey, 'id' | 'account'>>;

function newServer({ ids, log }: Pick<ApiDeps, 'ids' | 'log'>, options: HostOptions): FastifyInstance {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    // By default Node looks for late requests every 30 s, and gives headers 60 s.
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1_000 },
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A forwarded address is anybody's word, unless a proxy says it on this machine, in its own network, or one that the operator named.
    trustProxy: ['loopback', 'uniquelocal', ...options.trustedProxies],
    genReqId: () => ids.ulid(),
    exposeHeadRoutes: true,
    frameworkErrors: answerBrokenPath,
    clientErrorHandler: answerBrokenRequests(() => ids.ulid(), log),
    // A long name in a path is for its own check to refuse, with the field's name.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_FIELD },
  });
  // Fastify reads plain text by default; this API does not.
  app.removeContentTypeParser('text/plain');
  return app;
}

/** Names each request, logs and counts its answer, and ends the streams that would outlive the host. */
function observe(app: FastifyInstance, deps: ApiDeps, keys: Recognised): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  });
  // One line for each answer. The query is left out: it may be private. A key is counted also when refused.
  app.addHook('onResponse', async (request, reply) => {
    const key = keys.get(request);
    const { url } = request.routeOptions;
    const { statusCode: status } = reply;
    const ms = Math.round(reply.elapsedTime);
    const { method, id: requestId } = request;
    deps.log.info({ method, route: url ?? 'none', status, ms, requestId, keyId: key?.id }, 'request');
    if (key === undefined || url === undefined) return;
    deps.usage.count({ account: key.account, keyId: key.id, route: `${method} ${url}`, status });
  });
  // Streams have no end of their own: a host that closes would wait for them for ever.
  app.addHook('preClose', async () => deps.tradeStream.close());
  app.addHook('onClose', () => deps.usage.flush());
}

type Faults = {
  readonly host: Host;
  readonly routes: readonly Route[];
  readonly frame: Frame;
  readonly log: ApiDeps['log'];
};

function answerFaults(app: FastifyInstance, { host, routes, frame, log }: Faults): void {
  app.setErrorHandler((error, request, reply) => {
    const known = knownError(error);
    if (known.status >= 500 && known.code !== 'PAUSED')
      log.error({ err: error, requestId: request.id }, 'request failed');
    if (known.status === 500 && wantsPage(request)) return sendErrorPage(reply, frame, 500, request.id);
    return send(request, reply, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(host.kind, routes, pathOf(request.url));
    if (methods.length === 0 && wantsPage(request)) return sendErrorPage(reply, frame, 404, request.id);
    return send(request, reply, methods.length === 0 ? notFound(routes) : methodNotAllowed(methods));
  });
}

function serveDocuments(
  app: FastifyInstance,
  { host, routes, frame }: Omit<Faults, 'log'>,
  publicUrl: () => string | null,
): void {
  const openApi = buildOpenApi(routes, host.kind);
  serveAssets(app);
  app.get('/openapi.json', async () => ({ ...openApi, servers: [{ url: publicUrl() ?? '/' }] }));
  serveDocs(app, { routes, host: host.kind, frame, openApi });
}

/** Pages for people, on the open host alone. */
function servePeople(app: FastifyInstance, deps: HostDeps, frame: Frame): void {
  const { market, tokens, clock, parts, log } = deps;
  servePages(app, {
    ...deps.site,
    market,
    tokens,
    clock,
    parts,
    frame,
    contact: deps.orderBookLimits.contact,
  });
  serveSecondFactor(app, deps.secondFactor, frame, steadyOf(clock));
  serveStop(app, { ...deps.stopPage, frame, log }, clock);
  if (deps.keyDesk !== null) {
    const isSecure = (): boolean => deps.site.publicUrl()?.startsWith('https:') === true;
    const pages = { desk: deps.keyDesk, frame, isSecure, log };
    serveKeys(app, pages, clock);
    serveAccount(app, pages, clock);
  }
}

function send(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const { status, body } = wrappedError(envelopeOf(request.url), error, request.id);
  return reply.code(status).headers(error.headers).send(body);
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
    return bodyTooLarge();
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

/** The methods that a path takes of an API's client; pages are not among them. */
function methodsOf(host: Host['kind'], routes: readonly Route[], path: string): readonly string[] {
  const found = apiPaths(host, routes).filter((one) => matchesPath(one.path, path));
  return [...new Set(found.flatMap(({ methods }) => methods))];
}

const READS = ['GET', 'HEAD'];

function apiPaths(host: Host['kind'], routes: readonly Route[]): readonly SharedPath[] {
  return [
    ...routes.map(({ path, method, streams }) => ({
      path,
      methods: method === 'GET' && streams !== true ? READS : [method],
    })),
    ...DOCS_PATHS.map((path) => ({ path, methods: READS })),
    { path: '/openapi.json', methods: READS },
    { path: HEALTH_PATH, methods: READS },
    ...(host === 'charts' ? [] : [{ path: PICTURE_PATH, methods: ['POST'] }]),
    ...(host === 'open' ? ACTION_PATHS : []),
  ];
}

/**
 * The paths that pages of other origins may ask for: the API, its documents, and the public pages. No account, no key, no second factor.
 */
function sharedPaths(host: Host['kind'], routes: readonly Route[]): readonly SharedPath[] {
  return [
    // A signed request comes from a program of its own, never from a page.
    ...apiPaths(
      host,
      routes.filter(({ signed }) => signed === undefined),
    ),
    ...(host === 'open' ? PAGES.map(({ path }) => ({ path, methods: READS })) : []),
  ];
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

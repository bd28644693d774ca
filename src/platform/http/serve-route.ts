import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import type { HostDeps } from '../../compose/api-deps.ts';
import { isAppError } from '../../core/errors/app-error.ts';
import { isRecord } from '../../core/records.ts';
import type { Right } from '../../modules/personal-keys/rules/personal-key.ts';
import { Answer, sendAnswer } from './answer.ts';
import { checkInput } from './check-input.ts';
import { withinDeadline } from './deadline.ts';
import { deprecationHeaders } from './deprecation.ts';
import { wrapped, wrappedError } from './envelope.ts';
import { type ApiError, invalidRequest } from './errors/api-error.ts';
import { fromAppError } from './errors/from-app-error.ts';
import { EventStream } from './event-stream.ts';
import { answerIdempotently } from './idempotency.ts';
import { readBody } from './read-body.ts';
import type { Caller, Route, RouteVariant } from './route.ts';

type Serving = {
  readonly deps: HostDeps;
  /** The caller, if they may ask now. Throws 401, 403 and 429. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply, route: Route) => Promise<Caller>;
  /** The caller with the personal key that signed the request. Throws 401 and 403. */
  readonly verify: (
    request: FastifyRequest,
    body: Uint8Array,
    caller: Caller,
    right: Right,
  ) => Promise<Caller>;
  /** An error as a caller sees it. */
  readonly known: (error: unknown, requestId: string) => ApiError;
};

/** Serves one endpoint: gate, check of the input, answer. */
export function serveRoute(
  app: FastifyInstance,
  route: Route,
  { deps, admit, verify, known }: Serving,
): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const envelope = route.envelope ?? 'data';
  /** The signature covers the bytes of the body as they came: they are read here, and handed on. */
  const verifying =
    (right: Right): preParsingAsyncHookHandler =>
    async (request, _reply, payload) => {
      const body = await readBody(request, payload);
      const caller = callers.get(request);
      if (caller === undefined) throw new Error('a request passed the gate unseen');
      callers.set(request, await withinDeadline(verify(request, body, caller, right)));
      return Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
        receivedEncodedLength: body.length,
      });
    };
  app.route({
    method: route.method,
    url: route.path,
    // A stream has no end, and so no length that HEAD could say.
    exposeHeadRoute: route.streams !== true,
    // Before the body is read: a caller that asks too often, or has no key, costs nothing more.
    onRequest: async (request, reply) => {
      callers.set(request, await withinDeadline(admit(request, reply, route)));
      if (route.signed !== undefined) reply.header('cache-control', 'no-store');
    },
    ...(route.signed === undefined ? {} : { preParsing: verifying(route.signed) }),
    errorHandler: (error, request, reply) => {
      const refusal = known(error, request.id);
      const { status, body } = wrappedError(envelope, refusal, request.id);
      if (route.deprecated !== undefined)
        reply.headers(deprecationHeaders(deps.deprecation, successorOf(route, request)));
      void reply.code(status).headers(refusal.headers).send(body);
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      if (caller === undefined) throw new Error('a request passed the gate unseen');
      const input = checkInput(route, rawInput(route, request), caller);
      try {
        const answer = await answerOf(deps, route, { request, reply, input, caller });
        if (answer instanceof EventStream) return await answer.send(reply, caller.mayStay);
        if (!(answer instanceof Answer)) return wrapped(envelope, answer);
        return sendAnswer(request, reply, envelope, withDeprecation(deps, route, input, answer));
      } catch (error) {
        throw (isAppError(error) ? fromAppError(error, route.fieldsOf(input)) : null) ?? error;
      }
    },
  });
}

/** The replacement of a deprecated path where its input was refused, as far as the path itself gives it. */
function successorOf({ deprecated }: Route, { params }: FastifyRequest): string {
  const successor = deprecated?.(isRecord(params) ? params : {}) ?? '';
  return /^[/\w-]+$/.test(successor) ? successor : '/markets';
}

/** Body, or query, path and headers together. A field of the path in the query would be one of two answers to one question. */
function rawInput(
  { input, pathFields = [], headerFields = {} }: Route,
  { body, query, params, headers }: FastifyRequest,
): unknown {
  if (input.in === 'body') return body;
  const given = isRecord(query) ? query : {};
  const named = Object.entries(headerFields).flatMap(([field, header]) =>
    headers[header] === undefined ? [] : [[field, headers[header]] as const],
  );
  const twice = [...pathFields, ...Object.keys(headerFields)].filter((field) => Object.hasOwn(given, field));
  if (twice.length > 0) {
    throw invalidRequest(
      twice.map((field) => ({
        field,
        code: 'FIELD_UNKNOWN',
        message: `stands in the ${field in headerFields ? `header ${headerFields[field]}` : 'path'}, not in the query`,
      })),
    );
  }
  return { ...given, ...(isRecord(params) ? params : {}), ...Object.fromEntries(named) };
}

async function answerOf(
  deps: HostDeps,
  route: Route,
  asked: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly input: unknown;
    readonly caller: Caller;
  },
): Promise<unknown> {
  const { request, reply, input, caller } = asked;
  const variant = variantOf(route, request.query);
  const header = request.headers['idempotency-key'];
  const key =
    route.idempotent === true && variant === null ? (Array.isArray(header) ? header[0] : header) : undefined;
  if (key === undefined) return await withinDeadline((variant ?? route).handle(deps, input, caller));
  const operation = `${route.method} ${route.path}`;
  const { data, replayed } = await withinDeadline(
    answerIdempotently(deps, { operation, caller, key, input }, () => route.handle(deps, input, caller)),
  );
  if (replayed) reply.header('idempotent-replayed', 'true');
  return data;
}

function withDeprecation(deps: HostDeps, route: Route, input: unknown, answer: Answer): Answer {
  if (route.deprecated === undefined) return answer;
  const { link, ...headers } = answer.headers;
  const told = deprecationHeaders(
    deps.deprecation,
    route.deprecated(input),
    link === undefined ? [] : [link],
  );
  const { data, maxAge, prepared } = answer;
  return new Answer({
    data,
    maxAge,
    headers: { ...headers, ...told },
    ...(prepared === null ? {} : { prepared }),
  });
}

/** The variant that the query asks for; null for the ordinary answer. Throws 400 for anything but `true` or `false`. */
function variantOf({ variant }: Route, query: unknown): RouteVariant | null {
  if (variant === undefined) return null;
  const { parameter: field } = variant;
  const given = isRecord(query) ? query[field] : undefined;
  if (given === undefined || given === 'false') return null;
  if (given === 'true') return variant;
  throw invalidRequest([{ field, code: 'VALIDATION_FAILED', message: 'expected true or false' }]);
}

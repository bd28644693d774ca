import { z } from 'zod';
import type { Host } from '../api-deps.ts';
import { wrapped } from '../envelope.ts';
import type { Route, RouteScope } from '../route.ts';
import { PICTURE_OPERATION, PICTURE_PATH, PICTURE_SCOPE } from '../uploads/serve-picture-upload.ts';

/** The codes that each status may carry beside those of the fields; a published code is never renamed. */
const STATUS_TEXT: Readonly<Record<string, string>> = {
  '400': 'The request cannot be served as it stands: one of its fields, its wallet, or the market.',
  '401': 'KEY_MISSING or KEY_INVALID.',
  '403': 'KEY_REVOKED, KEY_EXPIRED or KEY_SCOPE; IP_BLOCKED at the market data of a keyless host.',
  '404':
    'MARKET_NOT_FOUND, TOKEN_NOT_FOUND for what is no mint, or NO_TRADES where there is no price to tell.',
  '409': 'IDEMPOTENCY_CONFLICT, or IDEMPOTENCY_IN_PROGRESS (retryable).',
  '413': 'BODY_TOO_LARGE or PICTURE_TOO_LARGE.',
  '415': 'CONTENT_TYPE: expected what the request body names.',
  '429':
    'RATE_LIMITED, or QUOTA_USED_UP for a key with a quota per day (`x-quota-remaining`); `retry-after` says when to ask again.',
  '500': 'UPSTREAM_FAILED (retryable) or INTERNAL.',
  '503': 'PAUSED, or INDEX_BEHIND before any market was read (`retry-after`).',
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Of your choice, one per request that you mean. The same request with the same key within 24 hours gets the first answer again, with the header `idempotent-replayed: true`; `expiresAt` tells whether that answer is still of use. A refused request keeps nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]{1,64}$' },
} as const;

const errorSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    field: z.string().optional(),
    details: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
    retryable: z.boolean(),
    requestId: z.string(),
  }),
});

const json = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** OpenAPI 3.1 of one host, from the schemas that check its requests. */
export function buildOpenApi(
  routes: readonly Route[],
  host: Host['kind'],
): Readonly<Record<string, unknown>> {
  const schemas: Record<string, unknown> = { ErrorBody: schemaOf(errorSchema, 'output') };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const { input, output, variant } = route;
    schemas[input.name] = schemaOf(input.schema, 'input');
    schemas[output.name] = schemaOf(output.schema, 'output');
    if (variant !== undefined) schemas[variant.output.name] = schemaOf(variant.output.schema, 'output');
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, host, schemas[input.name]),
    };
  }
  if (host === 'charts') return documentOf(host, paths, schemas);
  paths[PICTURE_PATH] = { post: pictureOperation(host) };
  return documentOf(host, paths, schemas);
}

function operationOf(route: Route, host: Host['kind'], inputSchema: unknown): object {
  const { input } = route;
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    ...(host === 'pro' ? { security: [keyWith(route.scope)] } : {}),
    ...(input.in === 'body'
      ? {
          requestBody: { required: true, content: json(ref(input.name), route.inputExample) },
          ...bodyParameters(route),
        }
      : { parameters: parametersOf(route, inputSchema) }),
    responses: {
      '200': {
        description: 'Success.',
        content: route.streams === true ? eventsOf(route) : json(...successOf(route)),
      },
      ...refusals(statusesOf(route, host), errorOf(route)),
    },
  };
}

function pictureOperation(host: Host['kind']): object {
  const statuses = ['400', '413', '415', '429', '500', ...(host === 'pro' ? ['401', '403'] : [])].toSorted();
  return {
    ...PICTURE_OPERATION,
    ...(host === 'pro' ? { security: [keyWith(PICTURE_SCOPE)] } : {}),
    responses: { ...PICTURE_OPERATION.responses, ...refusals(statuses, ref('ErrorBody')) },
  };
}

/** What the route can refuse with on this host. */
function statusesOf({ scope, input, deprecated, idempotent }: Route, host: Host['kind']): readonly string[] {
  return Object.keys(STATUS_TEXT).filter(
    (status) =>
      (host === 'pro' || (status !== '401' && (status !== '403' || deprecated !== undefined))) &&
      (scope === 'market' || (status !== '404' && status !== '503')) &&
      (input.in === 'body' || (status !== '413' && status !== '415')) &&
      (idempotent === true || status !== '409'),
  );
}

function refusals(statuses: readonly string[], error: object): Readonly<Record<string, object>> {
  return Object.fromEntries(
    statuses.map((status) => [status, { description: STATUS_TEXT[status], content: json(error) }]),
  );
}

function documentOf(host: Host['kind'], paths: object, schemas: object): Readonly<Record<string, unknown>> {
  return {
    openapi: '3.1.0',
    info: { title: 'Tradepost REST API', version: '1.0' },
    paths,
    components: {
      schemas,
      ...(host === 'pro'
        ? { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } } }
        : {}),
    },
  };
}

/** Old clients find `success` beside the error. */
function errorOf({ envelope }: Route): object {
  if (envelope !== 'v1') return ref('ErrorBody');
  const success = {
    type: 'object',
    properties: { success: { type: 'boolean', const: false } },
    required: ['success'],
  };
  return { allOf: [success, ref('ErrorBody')] };
}

/** OpenAPI 3.1 lets any scheme list what the key must be allowed to do. */
function keyWith(scope: RouteScope): { readonly apiKey: readonly string[] } {
  return { apiKey: scope === 'any' ? [] : [scope] };
}

function answerOf({ output, variant }: Route): object {
  return variant === undefined
    ? ref(output.name)
    : { oneOf: [ref(output.name), ref(variant.output.name)], description: variant.description };
}

/** The whole body of a success, and an example of it. */
function successOf(route: Route): readonly [schema: object, example: unknown] {
  const { envelope = 'data', output } = route;
  const data = answerOf(route);
  if (envelope === 'bare') return [data, output.example];
  const properties = envelope === 'v1' ? { success: { type: 'boolean', const: true }, data } : { data };
  return [
    { type: 'object', properties, required: Object.keys(properties) },
    wrapped(envelope, output.example),
  ];
}

/** One event of an answer that goes on. */
function eventsOf({ output }: Route): object {
  return { 'text/event-stream': { schema: ref(output.name), example: output.example } };
}

/** What a request with a body takes beside it. */
function bodyParameters({ idempotent, variant }: Route): { readonly parameters?: readonly object[] } {
  const parameters: object[] = idempotent === true ? [IDEMPOTENCY_KEY] : [];
  if (variant !== undefined) {
    const { parameter: name, description } = variant;
    const schema = { type: 'string', enum: ['true', 'false'], default: 'false' };
    parameters.push({ name, in: 'query', required: false, description, schema });
  }
  return parameters.length === 0 ? {} : { parameters };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}

/** Of a JSON schema: what its object has. */
const FIELDS = z.object({
  properties: z.record(z.string(), z.looseObject({})).default({}),
  required: z.array(z.string()).default([]),
});

function parametersOf(
  { inputExample, pathFields = [], headerFields = {} }: Route,
  schema: unknown,
): readonly object[] {
  const { properties, required } = FIELDS.parse(schema);
  return Object.entries(properties).map(([name, property]) => ({
    name: headerFields[name] ?? name,
    in: headerFields[name] !== undefined ? 'header' : pathFields.includes(name) ? 'path' : 'query',
    required: required.includes(name),
    schema: property,
    example: inputExample[name],
  }));
}

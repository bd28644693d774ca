import { z } from 'zod';
import type { Host } from '../../../compose/api-deps.ts';
import {
  PICTURE_OPERATION,
  PICTURE_PATH,
  PICTURE_SCOPE,
} from '../../../modules/mint/api/serve-picture-upload.ts';
import { withNulls } from '../absent-nulls.ts';
import { wrapped } from '../envelope.ts';
import type { ApiCode } from '../errors/catalogue.ts';
import type { Route, RouteScope } from '../route.ts';
import { HEALTH_OPERATION, HEALTH_PATH } from '../serve-health.ts';
import { byStatus, codesOf, keyCodes, PICTURE_CODES } from './codes-of.ts';
import { ALWAYS, limitHeaders, notModified, refusalHeaders, successHeaders } from './headers-of.ts';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Of your choice, one per request that you mean. The same request with the same key within 24 hours gets the first answer again, with the header `idempotent-replayed: true`; `expiresAt` tells whether that answer is still of use. A refused request keeps nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]{1,64}$' },
} as const;

const detailSchema = z.object({ field: z.string(), code: z.string(), message: z.string() });

const json = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
/** The answer that a charting library reads instead of 400 and 404. */
const CHART_REFUSAL = {
  type: 'object',
  title: 'ChartRefusal',
  properties: { s: { type: 'string', const: 'error' }, errmsg: { type: 'string' } },
  required: ['s', 'errmsg'],
  additionalProperties: false,
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** OpenAPI 3.1 of one host, from the schemas that check its requests. */
export function buildOpenApi(
  routes: readonly Route[],
  host: Host['kind'],
): Readonly<Record<string, unknown>> {
  const schemas: Record<string, unknown> = { ErrorDetail: schemaOf(detailSchema, 'output') };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const { output, variant } = route;
    schemas[output.name] = schemaOf(output.schema, 'output');
    if (variant !== undefined) schemas[variant.output.name] = schemaOf(variant.output.schema, 'output');
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, host),
    };
  }
  paths[HEALTH_PATH] = { get: healthOperation(host) };
  if (host === 'charts') return documentOf(host, paths, schemas);
  paths[PICTURE_PATH] = { post: pictureOperation(host) };
  return documentOf(host, paths, schemas);
}

function operationOf(route: Route, host: Host['kind']): object {
  const { input } = route;
  const asked = schemaOf(input.schema, 'input');
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [tagOf(route.path)],
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    ...(host === 'pro' ? { security: securityOf(route) } : {}),
    ...(input.in === 'body'
      ? {
          requestBody: {
            required: true,
            content: json({ title: input.name, ...withNulls(asked) }, route.inputExample),
          },
          ...bodyParameters(route),
        }
      : { parameters: parametersOf(route, asked) }),
    responses: {
      '200': {
        description: 'Success.',
        headers: successHeaders(route, host),
        content: route.streams === true ? eventsOf(route) : json(...successOf(route)),
      },
      ...notModified(route, host),
      ...refusals(codesOf(route, host), route, host),
    },
  };
}

function healthOperation(host: Host['kind']): object {
  const { responses, ...operation } = HEALTH_OPERATION;
  return {
    ...operation,
    tags: ['status'],
    ...(host === 'pro' ? { security: [] } : {}),
    responses: {
      '200': { ...responses['200'], headers: ALWAYS },
      // Answered before a route is found, as to every request whose headers are too large.
      '431': {
        description: 'HEADERS_TOO_LARGE',
        headers: ALWAYS,
        content: json(errorOf({}, ['HEADERS_TOO_LARGE'])),
      },
      '503': { ...responses['503'], headers: ALWAYS },
    },
  };
}

function pictureOperation(host: Host['kind']): object {
  const codes = byStatus([...PICTURE_CODES, ...keyCodes(host, PICTURE_SCOPE)]);
  const { '200': success } = PICTURE_OPERATION.responses;
  return {
    ...PICTURE_OPERATION,
    tags: ['tokens'],
    ...(host === 'pro' ? { security: [keyWith(PICTURE_SCOPE)] } : {}),
    responses: { '200': { ...success, headers: limitHeaders(host) }, ...refusals(codes, {}, host) },
  };
}

/** One answer per status, with the codes that it may carry. A charting library gets 200 instead of 400 and 404. */
function refusals(
  codes: Readonly<Record<string, readonly ApiCode[]>>,
  route: Pick<Route, 'envelope' | 'deprecated'>,
  host: Host['kind'],
): Readonly<Record<string, object>> {
  const told = Object.entries(codes).filter(
    ([status]) => route.envelope !== 'bare' || (status !== '400' && status !== '404'),
  );
  return Object.fromEntries(
    told.map(([status, listed]) => [
      status,
      {
        description: listed.join(', '),
        headers: refusalHeaders(status, route, host),
        content: json(errorOf(route, listed)),
      },
    ]),
  );
}

/** Endpoints that belong together. */
function tagOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'v1') return second === 'trade-history' ? 'charts' : 'v1';
  return (
    {
      dex: 'swaps',
      token: 'tokens',
      prices: 'tokens',
      stream: 'markets',
      usage: 'keys',
      'status.json': 'status',
    }[first] ?? first
  );
}

function documentOf(host: Host['kind'], paths: object, schemas: object): Readonly<Record<string, unknown>> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tradepost REST API',
      version: '1.0',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // On the keyed host, each operation names the scope that the key must have.
    ...(host === 'pro' ? {} : { security: [] }),
    paths,
    components: {
      schemas,
      ...(host === 'pro'
        ? {
            securitySchemes: {
              apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
              personalKey: {
                type: 'apiKey',
                in: 'header',
                name: 'signature',
                description:
                  'A signature of RFC 9421 by the Ed25519 key of a person’s own program, with `signature-input` and `content-digest`: /docs/signatures.',
              },
            },
          }
        : {}),
    },
  };
}

/** A refusal with one of these codes; old clients find `success` beside it. */
function errorOf({ envelope }: Pick<Route, 'envelope'>, codes: readonly ApiCode[]): object {
  const error = {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      message: { type: 'string' },
      field: { type: 'string', description: 'Of the input, where one is to blame.' },
      details: { type: 'array', items: ref('ErrorDetail') },
      retryable: { type: 'boolean' },
      requestId: { type: 'string' },
    },
    required: ['code', 'message', 'details', 'retryable', 'requestId'],
    additionalProperties: false,
  };
  const properties = envelope === 'v1' ? { success: { type: 'boolean', const: false }, error } : { error };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** The key of the API with its scope, or the personal key that signs, with its right. */
function securityOf({ scope, signed }: Pick<Route, 'scope' | 'signed'>): readonly object[] {
  if (signed !== undefined) return [{ personalKey: [signed] }];
  return scope === 'none' ? [] : [keyWith(scope)];
}

/** OpenAPI 3.1 lets any scheme list the scopes that the key must have. */
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
  if (envelope === 'bare') return [{ oneOf: [data, CHART_REFUSAL] }, output.example];
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

/** The parameters beside the body of a request. */
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

/** Of a JSON schema: the fields of its object. */
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

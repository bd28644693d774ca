import { z } from 'zod';
import { routesOf } from '../../src/compose/routes.ts';
import { buildOpenApi } from '../../src/platform/http/openapi/build-openapi.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { schemaShape } from '../api/schema-shape.ts';

const property = z.looseObject({ description: z.string().optional() });
const objectSchema = z.object({
  properties: z.record(z.string(), property).default({}),
  required: z.array(z.string()).default([]),
});
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean(),
  schema: property,
});
const refusal = z.object({
  properties: z.object({
    error: z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) }),
  }),
});
const operation = z.object({
  summary: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: objectSchema }) }) })
    .optional(),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).default({}) }),
  ),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** Charts are for charting libraries, streams for an event source; deprecated paths have successors here. */
const isForClients = ({ envelope, streams, deprecated }: Route): boolean =>
  envelope !== 'bare' && streams !== true && deprecated === undefined;

/**
 * The text of `packages/sdk/src/generated/operations.ts`: the types of every operation of both hosts, from the documents that the hosts serve, and
 * how each is asked. Throws for a schema that it cannot write as a type.
 */
export function operationsText(): string {
  const routes = routesOf('pro').filter(isForClients);
  const documents = { pro: documentOf('pro'), open: documentOf('open') };
  const { components } = documents.pro;
  const names = namesUsed(
    routes.map(({ output }) => output.name),
    components.schemas,
  );
  const types = names.map((name) => `export type ${name} = ${typeOf(components.schemas[name], '')};\n`);
  const operations = routes.map((route) => {
    const told = operationIn(documents.pro.paths, route);
    const codes = [told, ...(route.host === 'pro' ? [] : [operationIn(documents.open.paths, route)])].flatMap(
      codesOf,
    );
    return { route, told, codes: [...new Set(codes)].toSorted() };
  });
  return [
    '// Written by `npm run sdk:types` from the documents of the hosts. A test compares it with them.\n',
    ...types,
    'export type Operations = {',
    ...operations.map(({ route, told, codes }) => entryOf(route, told, codes)),
    '};\n',
    'export const OPERATIONS = {',
    ...operations.map(({ route }) => `  ${route.operationId}: ${howToAsk(route)},`),
    '} as const;\n',
  ].join('\n');
}

/** The named schemas, with those that they name. */
function namesUsed(first: readonly string[], schemas: Readonly<Record<string, unknown>>): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, other = ''] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      visit(other);
  };
  for (const name of first) visit(name);
  return [...found].toSorted();
}

const documentOf = (host: 'open' | 'pro') => documentShape.parse(buildOpenApi(routesOf(host), host));

function operationIn(
  paths: z.infer<typeof documentShape>['paths'],
  { path, method }: Route,
): z.infer<typeof operation> {
  return operation.parse(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]);
}

function codesOf({ responses }: z.infer<typeof operation>): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([, { content }]) => {
      const { properties } = refusal.parse(content['application/json']?.schema);
      return properties.error.properties.code.enum;
    });
}

function entryOf(
  { operationId, output }: Route,
  told: z.infer<typeof operation>,
  codes: readonly string[],
): string {
  return [
    `  ${comment(told.summary)}`,
    `  ${operationId}: {`,
    `    input: ${inputOf(told)};`,
    `    output: ${output.name};`,
    `    code: ${codes.map(literal).join(' | ')};`,
    '  };',
  ].join('\n');
}

function inputOf({ requestBody, parameters }: z.infer<typeof operation>): string {
  const fields = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const schema = requestBody?.content['application/json'].schema ?? {
    properties: Object.fromEntries(fields.map((one) => [one.name, one.schema])),
    required: fields.filter((one) => one.required).map(({ name }) => name),
  };
  return typeOf({ type: 'object', ...schema }, '    ');
}

/** Operations beside reads that change nothing when they are asked again. */
const SAFE_AGAIN: ReadonlySet<string> = new Set([
  'submitTransaction',
  'listTokenPrices',
  'endDeskOrder',
  // Its body has the idempotency key.
  'makeDeskTrade',
]);

/** `key`: a key makes it the same request again. `safe`: to ask again changes nothing. `once`: a lost answer may have been a success. `signed`: by a personal key. */
function howToAsk(route: Route): string {
  const { method, path, input, pathFields = [], idempotent, operationId, signed } = route;
  const isSafe = method === 'GET' || SAFE_AGAIN.has(operationId);
  const again = idempotent === true ? 'key' : isSafe ? 'safe' : 'once';
  const inPath = `[${pathFields.map(literal).join(', ')}]`;
  return `{ method: '${method}', path: '${path}', in: '${input.in}', pathFields: ${inPath}, again: '${again}'${signed === undefined ? '' : ', signed: true'} }`;
}

function typeOf(raw: unknown, indent: string): string {
  const schema = schemaShape.parse(raw);
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return either.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.type === undefined) return 'unknown';
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type];
  return kinds.map((kind) => ofKind(kind, schema, indent)).join(' | ');
}

function ofKind(kind: string, schema: z.infer<typeof schemaShape>, indent: string): string {
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'null':
      return kind;
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`a schema has the type ${kind}, which cannot be written here`);
  }
}

function objectType(
  { properties, required, additionalProperties }: z.infer<typeof schemaShape>,
  indent: string,
): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const isMap = typeof additionalProperties === 'object' && additionalProperties !== null;
    const values = isMap ? typeOf(additionalProperties, indent) : 'never';
    return `{ readonly [name: string]: ${values} }`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, one]) => {
    const { description } = schemaShape.parse(one);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
    const optional = required.includes(name) ? '' : '?';
    const absent = optional === '' ? '' : ' | undefined';
    const field = `${inner}readonly ${key}${optional}: ${typeOf(one, inner)}${absent};`;
    return description === undefined ? [field] : [`${inner}${comment(description)}`, field];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /')} */`;

import { z } from 'zod';
import { routesOf } from '../../src/compose/routes.ts';
import { documentOf } from '../api/document-of.ts';

/** Operations for agents: none signs, submits, or changes keys or webhooks. */
const FOR_AGENTS = [
  'quoteSwap',
  'createSwapTransaction',
  'createTokenTransaction',
  'showTransaction',
  'showToken',
  'searchTokens',
  'listTrendingTokens',
  'listTokenPrices',
  'listMarkets',
  'listMarketCandles',
];

const object = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).optional(),
});
const operationShape = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.looseObject({}) }))
    .default([]),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: object }) }) })
    .optional(),
});
const documentShape = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/**
 * The text of `packages/mcp/src/generated/operations.ts`: how each operation is asked, and the JSON Schema of its input, from the document of
 * the keyed host. Throws for a schema that names another one, because a tool's schema must stand alone.
 */
export function operationsText(): string {
  const { paths } = documentShape.parse(documentOf('pro'));
  const entries = FOR_AGENTS.map((name) => {
    const route = routesOf('pro').find(({ operationId }) => operationId === name);
    if (route === undefined) throw new Error(`no operation ${name}`);
    const { method, path, pathFields = [] } = route;
    const told = operationShape.parse(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]);
    const input = inputOf(told);
    if (JSON.stringify(input).includes('"$ref"')) throw new Error(`${name} names another schema`);
    return [name, { method, path, in: route.input.in, pathFields, input }];
  });
  return [
    '// Written by `npm run mcp:tools` from the document of the keyed host. A test compares it with it.',
    "import type { Operation } from '../operation.ts';",
    '',
    `export const OPERATIONS = ${literal(Object.fromEntries(entries))} as const satisfies Readonly<Record<string, Operation>>;`,
    '',
  ].join('\n');
}

/** Names stand bare: a name in quotes behind `from` reads like an import. */
const literal = (value: object): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z]\w*)":/gm, '$1$2:');

function inputOf({ parameters, requestBody }: z.infer<typeof operationShape>): object {
  const body = requestBody?.content['application/json'].schema;
  const asked = parameters.filter((parameter) => parameter.in !== 'header');
  const required = [
    ...asked.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(body?.required ?? []),
  ];
  const properties = {
    ...Object.fromEntries(asked.map(({ name, schema }) => [name, schema])),
    ...body?.properties,
  };
  return { type: 'object', properties, required, additionalProperties: false };
}

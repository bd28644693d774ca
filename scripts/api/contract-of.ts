import { z } from 'zod';
import type { Host } from '../../src/compose/api-deps.ts';
import { documentOf } from './document-of.ts';
import { schemaShape } from './schema-shape.ts';

/**
 * The facts that a client may rely on, one line per fact, by operation. `answer data.tx: string` and `answer data.tx always`; `request
 * amount: string` and `request amount required`; `refusal 400 NO_ROUTE`. A value of an enum is a line of its own. All refusals have one
 * shape.
 */
export type Contract = Readonly<Record<string, readonly string[]>>;

const content = z.record(z.string(), z.object({ schema: z.unknown() })).default({});
const operationShape = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() }))
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ content, headers: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** The contract of a host, as it is now. */
export function contractOf(host: Host['kind']): Contract {
  const { paths, components } = documentShape.parse(documentOf(host));
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, linesOf(operation, components.schemas)] as const,
    ),
  );
  return Object.fromEntries(entries);
}

type Schemas = Readonly<Record<string, unknown>>;

function linesOf(
  { parameters, requestBody, responses }: z.infer<typeof operationShape>,
  schemas: Schemas,
): readonly string[] {
  const asked = [
    ...parameters.flatMap(({ name, in: place, required, schema }) => [
      ...fieldLines(`request ${place} ${name}`, schema, schemas),
      ...(required ? [`request ${place} ${name} required`] : []),
    ]),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      objectLines('request ', schema, schemas, 'required'),
    ),
  ];
  const told = Object.entries(responses).flatMap(([status, { content: bodies, headers }]) => {
    const lines = Object.values(bodies).flatMap(({ schema }) =>
      objectLines('answer ', schema, schemas, 'always'),
    );
    if (status === '200') return [...lines, ...Object.keys(headers).map((name) => `answer header ${name}`)];
    return lines.flatMap((line) => {
      const [, code] = / error\.code = "(\w+)"$/.exec(line) ?? [];
      return code === undefined ? [] : [`refusal ${status} ${code}`];
    });
  });
  return [...new Set([...asked, ...told])].toSorted();
}

/** Of each field of an object, and of those below. */
function objectLines(prefix: string, schema: unknown, schemas: Schemas, word: string): readonly string[] {
  const { properties, required, anyOf, oneOf, items } = resolved(schema, schemas);
  const below = [...(anyOf ?? []), ...(oneOf ?? [])].flatMap((one) =>
    objectLines(prefix, one, schemas, word),
  );
  const inList = items === undefined ? [] : objectLines(`${prefix}[].`, items, schemas, word);
  const own = Object.entries(properties ?? {}).flatMap(([name, property]) => [
    ...fieldLines(`${prefix}${name}`, property, schemas),
    ...(required.includes(name) ? [`${prefix}${name} ${word}`] : []),
    ...objectLines(`${prefix}${name}.`, property, schemas, word),
  ]);
  return [...below, ...inList, ...own];
}

function fieldLines(name: string, schema: unknown, schemas: Schemas): readonly string[] {
  const { values, types } = valuesOf(schema, schemas);
  return [
    ...(types.length === 0 ? [name] : [`${name}: ${types.join('|')}`]),
    ...values.map((value) => `${name} = ${JSON.stringify(value)}`),
  ];
}

function valuesOf(
  schema: unknown,
  schemas: Schemas,
): { readonly values: readonly unknown[]; readonly types: readonly string[] } {
  const { type, enum: listed = [], const: only, anyOf = [], oneOf = [] } = resolved(schema, schemas);
  const below = [...anyOf, ...oneOf].map((one) => valuesOf(one, schemas));
  const types = [...(typeof type === 'string' ? [type] : (type ?? [])), ...below.flatMap((one) => one.types)];
  return {
    values: [...listed, ...(only === undefined ? [] : [only]), ...below.flatMap((one) => one.values)],
    types: [...new Set(types)].toSorted(),
  };
}

function resolved(schema: unknown, schemas: Schemas): z.infer<typeof schemaShape> {
  const read = schemaShape.parse(schema);
  const name = read.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? read : resolved(schemas[name], schemas);
}

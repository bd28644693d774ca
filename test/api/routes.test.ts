import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routesOf } from '../../src/compose/routes.ts';

const ROUTES = [
  ...new Map(
    (['open', 'pro', 'charts'] as const).flatMap((host) =>
      routesOf(host).map((route) => [`${route.method} ${route.path}`, route] as const),
    ),
  ),
];

/** Names that the path itself has as `:name`. */
const inPath = (path: string): readonly string[] =>
  [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);

describe.each(ROUTES)('%s', (_, { path, pathFields = [], input, inputExample, output }) => {
  it('names each parameter of its path once: there, in `pathFields` and in its input', () => {
    expect(pathFields).toEqual(inPath(path));
    const { properties = {} } = z.toJSONSchema(input.schema, { io: 'input' });
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...pathFields]));
    expect(Object.keys(inputExample)).toEqual(expect.arrayContaining([...pathFields]));
    if (pathFields.length > 0) expect(input.in).toBe('query');
  });

  it('has an example that it takes itself', () => {
    expect(input.schema.safeParse(inputExample)).toMatchObject({ success: true });
  });

  it('has an example of its answer that is one', () => {
    expect(output.schema.safeParse(output.example)).toMatchObject({ success: true });
  });
});

/** In the document one of two would stand for both. */
it('no two routes share an id, nor a schema’s name unless the schema is the same', () => {
  const ids = ROUTES.map(([, { operationId }]) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const schemas = ROUTES.flatMap(([, { input, output, variant }]) => [
    [input.name, z.toJSONSchema(input.schema, { io: 'input' })] as const,
    ...[output, variant?.output ?? []]
      .flat()
      .map(({ name, schema }) => [name, z.toJSONSchema(schema)] as const),
  ]);
  const known = new Map(schemas);
  for (const [name, schema] of schemas) expect(schema, name).toEqual(known.get(name));
});

it('a path and its fields that differ are seen', () => {
  expect(inPath('/markets/:address/trades')).toEqual(['address']);
  expect(ROUTES.some(([, { path }]) => inPath(path).length > 0)).toBe(true);
});

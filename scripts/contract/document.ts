import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';

const schemaShape = z.record(z.string(), z.unknown());
const parameterShape = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: schemaShape,
  example: z.unknown().optional(),
});
const mediaShape = z.object({ schema: schemaShape.optional(), example: z.unknown().optional() });
const responseShape = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), mediaShape).default({}),
});
const operationShape = z.object({
  operationId: z.string(),
  parameters: z.array(parameterShape).default([]),
  requestBody: z.object({ content: z.record(z.string(), mediaShape) }).optional(),
  responses: z.record(z.string(), responseShape),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  components: z.object({ schemas: z.record(z.string(), schemaShape) }),
});

export type Schema = z.infer<typeof schemaShape>;
export type Parameter = z.infer<typeof parameterShape>;

/** An answer as the document names it. */
export type Documented = {
  readonly headers: ReadonlySet<string>;
  /** Media types; none for an answer without a body. */
  readonly types: readonly string[];
  /** Holds a JSON body against its schema; null where it has none. */
  readonly isBody: ValidateFunction | null;
};

export type Operation = {
  readonly id: string;
  readonly method: string;
  /** `/markets/{address}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Of a JSON body; null where the operation takes none. */
  readonly body: { readonly schema: Schema; readonly example: unknown } | null;
  readonly answers: ReadonlyMap<number, Documented>;
};

export type Contract = {
  readonly operations: readonly Operation[];
  /** A schema with the one that it refers to in its place. */
  readonly resolved: (schema: Schema) => Schema;
};

/** Reads an OpenAPI document as a host serves it. Throws where it is none. */
export function readContract(document: unknown): Contract {
  const { paths, components } = documentShape.parse(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components });
  const absolute = (schema: Schema): Schema =>
    schemaShape.parse(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')),
    );
  const documented = ({ headers, content }: z.infer<typeof responseShape>): Documented => {
    const schema = content['application/json']?.schema;
    return {
      headers: new Set(Object.keys(headers).map((name) => name.toLowerCase())),
      types: Object.keys(content),
      isBody: schema === undefined ? null : ajv.compile(absolute(schema)),
    };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const media = operation.requestBody?.content['application/json'];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters,
        body: media?.schema === undefined ? null : { schema: media.schema, example: media.example },
        answers: new Map(
          Object.entries(operation.responses).map(([status, response]) => [
            Number(status),
            documented(response),
          ]),
        ),
      };
    }),
  );
  const resolved = (schema: Schema): Schema => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema['$ref']))?.[1];
    const found = name === undefined ? undefined : components.schemas[name];
    return found === undefined ? schema : resolved(found);
  };
  return { operations, resolved };
}

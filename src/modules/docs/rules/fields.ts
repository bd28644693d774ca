/** A field of a request or an answer, as a reader needs it. */
export type Field = {
  /** Below other objects with dots; `[]` means each element of a list. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
};

/** A JSON schema, as far as a reader needs it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
};

export type Schemas = Readonly<Record<string, Schema>>;

/** Every field of a JSON schema, those below others too, each once. */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const all = below('', schema, schemas);
  return [...new Map(all.map((field) => [field.name, field])).values()];
}

function below(prefix: string, schema: Schema, schemas: Schemas): readonly Field[] {
  const { properties = {}, required = [], anyOf = [], oneOf = [], items } = resolved(schema, schemas);
  return [
    ...[...anyOf, ...oneOf].flatMap((one) => below(prefix, one, schemas)),
    ...(items === undefined ? [] : below(`${prefix.replace(/\.$/, '')}[].`, items, schemas)),
    ...Object.entries(properties).flatMap(([name, property]) => [
      fieldOf(`${prefix}${name}`, property, required.includes(name), schemas),
      ...below(`${prefix}${name}.`, property, schemas),
    ]),
  ];
}

/** One field by its own schema. */
export function fieldOf(name: string, schema: Schema, isRequired: boolean, schemas: Schemas): Field {
  const own = resolved(schema, schemas);
  const notes = [
    own.description ?? '',
    own.default === undefined ? '' : `Default: ${JSON.stringify(own.default)}.`,
    own.minimum !== undefined && own.maximum !== undefined ? `From ${own.minimum} to ${own.maximum}.` : '',
    own.maxLength === undefined ? '' : `At most ${own.maxLength} characters.`,
  ];
  return {
    name,
    type: typeOf(own, schemas),
    isRequired,
    description: notes.filter((note) => note !== '').join(' '),
  };
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, enum: values, const: only, anyOf = [], oneOf = [], items } = schema;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (items !== undefined) return `list of ${typeOf(resolved(items, schemas), schemas)}`;
  const options = [...anyOf, ...oneOf].map((one) => typeOf(resolved(one, schemas), schemas));
  if (options.length > 0) return [...new Set(options)].join(' | ');
  return typeof type === 'string' ? type : (type?.join(' | ') ?? 'any');
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : resolved(schemas[name] ?? {}, schemas);
}

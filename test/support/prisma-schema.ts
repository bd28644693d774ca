import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../prisma/schema/', import.meta.url);

/** The text of every file of the schema, one after the other. */
export function prismaSchema(): string {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
    .join('\n');
}

/** The tables of the models, by the model's name as a client calls it: `ipBlock`. */
export function modelTables(): ReadonlyMap<string, string> {
  const models = [...prismaSchema().matchAll(/^model (\w)(\w*) \{\n([\s\S]*?)^\}/gm)];
  return new Map(
    models.map(([, first = '', rest = '', body = '']) => [
      `${first.toLowerCase()}${rest}`,
      /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '',
    ]),
  );
}

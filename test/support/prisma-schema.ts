import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../prisma/schema/', import.meta.url);

/** The text of every file of the schema, one after the other. */
export function prismaSchema(): string {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
    .join('\n');
}

import { z } from 'zod';
import { isRecord } from '../../core/records.ts';

/**
 * The same input without the fields that are null and may be left out, at every depth: many clients write null for a field that
 * they do not set. A required field stays null, and its own check refuses it.
 */
export function withoutAbsent(
  schema: unknown,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(bare instanceof z.ZodObject)) return raw;
  const kept = Object.entries(raw).flatMap(([name, value]) => {
    const field: unknown = Object.hasOwn(bare.shape, name) ? bare.shape[name] : undefined;
    if (value === null && mayBeAbsent(field)) return [];
    return [[name, isRecord(value) ? withoutAbsent(field, value) : value] as const];
  });
  return Object.fromEntries(kept);
}

function mayBeAbsent(field: unknown): boolean {
  return field instanceof z.ZodType && field.safeParse(undefined).success;
}

const OBJECT = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).default([]),
});

/** A JSON schema of such an input, in which null is allowed for every field that may be left out. */
export function withNulls(schema: object): object {
  const object = OBJECT.safeParse(schema);
  if (!object.success) return schema;
  const { properties, required } = object.data;
  const told = Object.entries(properties).map(([name, property]) => {
    const inner = withNulls(property);
    return [name, required.includes(name) ? inner : orNull(inner)] as const;
  });
  return { ...schema, properties: Object.fromEntries(told) };
}

function orNull(schema: object): object {
  if (!('type' in schema) || typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const choices = 'enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...choices };
}

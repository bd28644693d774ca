import type { Prisma } from './generated/client.ts';

/** JSON columns hold bigints as `{"$bigint":"123"}`: JSON numbers lose digits past 2^53, and plain strings lose the type. */
const TAG = '$bigint';
/** As `tagBigints` writes them: any other value behind the tag is left as it is, not changed and not thrown at. */
const DIGITS = /^(?:0|-?[1-9]\d*)$/;

/** `value` as JSON holds it, bigints tagged. */
export function tagBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return { [TAG]: value.toString() };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(tagBigints);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tagBigints(part)]));
}

/** The inverse, on the driver's parsed value. */
export function decodeTagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decodeTagged);
  const entries = Object.entries(value);
  const [first] = entries;
  const [tag, digits] = first ?? [];
  if (entries.length === 1 && tag === TAG && typeof digits === 'string' && DIGITS.test(digits))
    return BigInt(digits);
  return Object.fromEntries(entries.map(([key, part]) => [key, decodeTagged(part)]));
}

/** JSON text of plain data; throws a TypeError on a bigint, which the ports ask for as a decimal string. */
export function encodePlain(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** A JSON column's text, as a model takes it. */
export function jsonInput(text: string): Prisma.InputJsonObject {
  return JSON.parse(text) as Prisma.InputJsonObject;
}

/** Postgres reads it in any session time zone. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function toTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toTime(ms);
}

export function toDateOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

export function fromTime(time: Date): number {
  return time.getTime();
}

export function fromTimeOrNull(time: Date | null): number | null {
  return time === null ? null : time.getTime();
}

/** A bigint column: text from the driver, bigint from Prisma. */
export type BigintColumn = string | bigint | number;

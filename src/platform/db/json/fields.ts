import { type Address, isAddress, MAX_U64 } from '@tradepost/solana';
import { z } from 'zod';
import { type Bps, isBps } from '../../../core/amounts/bps.ts';
import { isPartSwitch, type PartSwitch } from '../../../engine/switches/rules.ts';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import { decodeTagged, tagBigints } from '../codec.ts';

/** Fields that many columns share. Each is a codec: it can write every value that it reads. */

/**
 * One schema per field of `T`, none missing and none too many: a field that is added to a type without a line here does not
 * compile, so that it cannot be dropped or refused at run time.
 */
export type Shape<T> = { readonly [K in keyof T]-?: z.ZodType<T[K], unknown> };

/** A schema of an object: one of several may be recognized by a field of it. */
export type Row<T> = z.ZodType<T, unknown> & z.core.$ZodTypeDiscriminable;

/** An object of exactly these fields: unknown ones are refused. */
export function exactly<T>(shape: Shape<T>): Row<T> {
  return z.strictObject(shape) as unknown as Row<T>;
}

/** Base58 is dear to check, and the same mints, pools and programs come back with every row. */
const CHECKED = 5_000;
const checked = new Set<string>();

function isKnownAddress(text: string): text is Address {
  if (checked.has(text)) return true;
  if (!isAddress(text)) return false;
  if (checked.size >= CHECKED) checked.clear();
  checked.add(text);
  return true;
}

export const address: z.ZodType<Address, unknown> = z
  .string()
  .refine(isKnownAddress, { error: 'an address' });

/** The switch of a venue or an aggregator. */
export const partSwitch: z.ZodType<PartSwitch, unknown> = z
  .string()
  .refine(isPartSwitch, { error: 'a switch' });

/** A field of that kind that may be null, in rows and in memory. */
export const orNull = <T>(schema: z.ZodType<T, unknown>): z.ZodType<T | null, unknown> => z.nullable(schema);

/** A field that rows may lack: it stays away. */
export const orAbsent = <T>(schema: z.ZodType<T, unknown>) => z.optional(schema);

/** A field that older rows lack, for which null was meant. */
export const orMissing = <T>(schema: z.ZodType<T, unknown>): z.ZodType<T | null, unknown> =>
  z.codec(z.optional(z.unknown()), z.nullable(schema), {
    decode: (stored) => stored ?? null,
    encode: (value) => value,
  });

const whole = (pattern: RegExp, expected: string) =>
  z.codec(z.strictObject({ $bigint: z.string().regex(pattern, { error: expected }) }), z.bigint(), {
    decode: ({ $bigint }) => BigInt($bigint),
    encode: (value) => ({ $bigint: value.toString() }),
  });

/** Lamports, smallest units, slots: the chain keeps these in 64 bits. Stored as `{"$bigint":"123"}`. */
export const amount: z.ZodType<bigint, unknown> = whole(
  /^(?:0|[1-9]\d{0,19})$/,
  'a whole number from 0 to 2^64-1 in digits',
).refine((value) => value >= 0n && value <= MAX_U64, { error: 'a whole number from 0 to 2^64-1' });

/** A change of a balance: an amount of either sign. */
export const change: z.ZodType<bigint, unknown> = whole(
  /^(?:0|-?[1-9]\d{0,20})$/,
  'a whole number in digits',
).refine((value) => value >= -2n * MAX_U64 && value <= 2n * MAX_U64, { error: 'a change within 65 bits' });

/** Amounts as plain decimal text: notices are written so. */
export const digits = z.string().regex(/^(?:0|-?[1-9]\d{0,39})$/, { error: 'a whole number in digits' });

export const text = z.string();
export const flag = z.boolean();
export const count = z.int().min(0);
export const integer = z.int();
export const rate: z.ZodType<Bps, unknown> = z.int().min(0).max(10_000).refine(isBps);
/** Unix milliseconds. */
export const time = z.int();

/** Anything that JSON can say, with bigints tagged: for details that only people read. Missing counts as null. */
export const anything: z.ZodType<unknown, unknown> = z.codec(z.optional(z.unknown()), z.unknown(), {
  decode: (stored) => decodeTagged(stored ?? null),
  encode: (value) => tagBigints(value ?? null),
});

export const tier = z.enum<readonly PriorityTier[]>(['economy', 'normal', 'fast', 'turbo']);

import { isAddress } from '@tradepost/solana';
import { z } from 'zod';
import { emailAddress } from '../core/text/email-address.ts';
import { readDatedNumber } from '../engine/fees/rules/fee-table.ts';
import { databaseUrlProblem } from './database-url.ts';

/** The forms of values that variables have; each names its expected form. */

export const url = (protocols: readonly string[], example: string) =>
  z.string().refine(
    (text) => {
      try {
        return protocols.includes(new URL(text).protocol);
      } catch {
        return false;
      }
    },
    { error: `expected a URL like ${example}` },
  );

/** 32 bytes. */
export const hexKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, { error: 'expected 64 hexadecimal digits (32 bytes)' });

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `expected a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `expected a whole number from ${min} to ${max}`,
    });

/** A number that may change on given days. */
export const dated = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}, or several with the days they begin on, like ${min}, 2030-01-01=${max}`;
  return z.string().transform((text, problems) => {
    const read = readDatedNumber(text, { min, max });
    if (read === null) problems.addIssue({ code: 'custom', message: error });
    return read ?? z.NEVER;
  });
};

/** A comma list; each part is checked by `item` on its own. */
export const list = <T extends string>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1));

export const addressText = z.string().refine(isAddress, { error: 'expected a base58 address' });
/** `keys@example.org`, or `Tradepost <keys@example.org>`. */
export const sender = z
  .string()
  .refine((text) => emailAddress(/^[^<>"\\,;:@\p{C}]{1,64} <([^<>]+)>$/u.exec(text)?.[1] ?? text) !== null, {
    error: 'expected an e-mail address, or a name with the address in angle brackets',
  });
export const telegramId = z
  .string()
  .regex(/^[1-9]\d{0,18}$/, { error: 'expected Telegram ids, like 123456789' });
export const port = integer(0, 65_535);
/** Epoch milliseconds at which a day begins in UTC. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'expected a day like 2027-12-31' })
  .transform((text, problems) => {
    const at = Date.parse(`${text}T00:00:00Z`);
    if (Number.isNaN(at)) problems.addIssue({ code: 'custom', message: 'expected a day like 2027-12-31' });
    return at;
  });
/** Links made from it must stay within the 200 bytes that a token's metadata can hold. */
export const publicUrl = url(['https:', 'http:'], 'https://desk.example.org')
  .refine((text) => !/[?#@]/.test(text), { error: 'expected no user, query or fragment' })
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => text.length <= 110, { error: 'expected at most 110 characters' });
/** Paths are appended to it. */
export const botApiRoot = url(['https:', 'http:'], 'https://api.telegram.org')
  .refine((text) => !/[?#]/.test(text), { error: 'expected no query or fragment' })
  .transform((text) => text.replace(/\/+$/, ''));
export const databaseUrl = z.string().superRefine((text, problems) => {
  const message = databaseUrlProblem(text);
  if (message !== null) problems.addIssue({ code: 'custom', message });
});
export const clickHouseUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname.length > 1,
    {
      error: 'expected http://user:password@host:8123/database',
    },
  );
export const transitName = z
  .string()
  .regex(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/, { error: 'expected letters, digits, _ and -' });

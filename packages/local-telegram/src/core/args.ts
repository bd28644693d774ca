import type { ApiMethods } from '@grammyjs/types';
import { badRequest } from './tg-error.ts';

/** A file as it came in a multipart body. */
export type Upload = { readonly bytes: Uint8Array; readonly filename: string };

export type MethodName = keyof ApiMethods<Upload>;
type Declared<M extends MethodName> = NonNullable<Parameters<ApiMethods<Upload>[M]>[0]>;
/** The parameter names Telegram declares for a method: a misspelt one does not compile. */
type ArgName<M extends MethodName> =
  Declared<M> extends infer A ? (A extends A ? keyof A & string : never) : never;

/** Parameters as they came: JSON values, or strings when the body was a form. */
export type RawArgs = Readonly<Record<string, unknown>>;

/** Reads parameters the way Telegram does: numbers and booleans may be strings, objects may be JSON text. */
export interface ArgReader<Name extends string> {
  readonly text: (name: Name) => string | undefined;
  readonly integer: (name: Name) => number | undefined;
  readonly flag: (name: Name) => boolean;
  /** The value, parsed when it is text; undefined when absent or empty. */
  readonly json: (name: Name) => unknown;
}

export type Args<M extends MethodName> = ArgReader<ArgName<M>>;

export function createArgs(raw: RawArgs): ArgReader<string> {
  const value = (name: string): unknown => (Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined);
  return {
    text: (name) => {
      const found = value(name);
      if (found === undefined || typeof found === 'string') return found;
      if (typeof found === 'number' || typeof found === 'boolean') return String(found);
      throw badRequest(`parameter "${name}" must be of type String`);
    },
    integer: (name) => {
      const found = value(name);
      if (found === undefined || found === '') return undefined;
      const number =
        typeof found === 'number' ? found : typeof found === 'string' ? Number(found) : Number.NaN;
      if (!Number.isSafeInteger(number)) throw badRequest(`parameter "${name}" must be of type Integer`);
      return number;
    },
    flag: (name) => {
      const found = value(name);
      return found === true || found === 1 || found === '1' || String(found).toLowerCase() === 'true';
    },
    json: (name) => {
      const found = value(name);
      if (typeof found !== 'string') return found;
      if (found === '') return undefined;
      try {
        return JSON.parse(found) as unknown;
      } catch {
        throw badRequest(`can't parse ${name.replaceAll('_', ' ')} JSON object`);
      }
    },
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

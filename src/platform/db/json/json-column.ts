import { z } from 'zod';
import { AppError } from '../../../core/errors/app-error.ts';
import { isRecord } from '../../../core/records.ts';

type Fault = { readonly field: string; readonly expected: string };

/** The value of one jsonb column, checked whenever it is written and whenever it is read. */
export type JsonColumn<T> = {
  /** `intents.params`. */
  readonly name: string;
  /** JSON text for the column of row `id`. Throws ROW_INVALID for a value that no reader would take back. */
  encode(id: string, value: T): string;
  /** The value of a row's column as the driver parsed it. Throws ROW_INVALID, which names the field and never its value. */
  decode(id: string, stored: unknown): T;
};

/**
 * A column whose newest form is the last schema; its version is in the row's `v`. Rows from before there were versions have none and are
 * read by `versions[0]`. A version of a later release is refused: to guess at it could sign a wrong thing.
 */
export function jsonColumn<T>(
  name: `${string}.${string}`,
  versions: readonly [unversioned: z.ZodType<T, unknown>, ...z.ZodType<T, unknown>[]],
): JsonColumn<T> {
  const newest = versions.length - 1;
  const writer = versions[newest] ?? versions[0];
  return {
    name,
    encode: (id, value) => {
      const written = z.safeEncode(writer, value);
      return written.success
        ? JSON.stringify({ v: newest, ...(isRecord(written.data) ? written.data : {}) })
        : refuseIssues(name, id, written.error);
    },
    decode: (id, stored) => {
      if (!isRecord(stored)) {
        return refuse(name, id, { field: '', expected: 'an object' });
      }
      const { v = 0, ...fields } = stored;
      const reader = typeof v === 'number' ? versions[v] : undefined;
      if (reader === undefined) {
        return refuse(name, id, {
          field: 'v',
          expected: `a version from 0 to ${newest}, which this release knows`,
        });
      }
      const read = reader.safeParse(fields);
      return read.success ? read.data : refuseIssues(name, id, read.error);
    },
  };
}

/** A column whose values carry a version of their own, or that holds a part of a versioned one. */
export function plainColumn<T>(name: `${string}.${string}`, schema: z.ZodType<T, unknown>): JsonColumn<T> {
  return {
    name,
    encode: (id, value) => {
      const written = z.safeEncode(schema, value);
      return written.success ? JSON.stringify(written.data) : refuseIssues(name, id, written.error);
    },
    decode: (id, stored) => {
      const read = schema.safeParse(stored);
      return read.success ? read.data : refuseIssues(name, id, read.error);
    },
  };
}

/** Throws ROW_INVALID for a part of column `name` in row `id`. */
function refuse(name: string, id: string, { field, expected }: Fault): never {
  const [table = '', column = ''] = name.split('.');
  throw new AppError('ROW_INVALID', { table, row: id, field: at([column, field]), expected });
}

function refuseIssues(name: string, id: string, error: z.core.$ZodError): never {
  return refuse(name, id, firstFault(error.issues));
}

/** The first issue, in a union that of the alternative which came furthest. Zod's own words hold no input. */
function firstFault(issues: readonly z.core.$ZodIssue[]): Fault {
  const [issue] = issues;
  if (issue === undefined) return { field: '', expected: 'another value' };
  const field = at(issue.path);
  if (issue.code === 'invalid_union') {
    const [inner] = issue.errors
      .flatMap((errors) => errors.slice(0, 1))
      .toSorted((a, b) => b.path.length - a.path.length);
    if (inner === undefined) return { field, expected: 'a known kind' };
    const fault = firstFault([inner]);
    return { field: at([field, fault.field]), expected: fault.expected };
  }
  if (issue.code === 'unrecognized_keys') {
    return { field: at([...issue.path, issue.keys[0]?.slice(0, 40) ?? '']), expected: 'no such field' };
  }
  return { field, expected: issue.message.replace(/^[A-Z][a-z ]+: expected (.*?)(?:, received .*)?$/, '$1') };
}

function at(path: readonly PropertyKey[]): string {
  return path
    .map(String)
    .filter((part) => part !== '' && part !== '$bigint')
    .join('.');
}

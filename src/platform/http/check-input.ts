import { z } from 'zod';
import { isRecord } from '../../core/records.ts';
import { withoutAbsent } from './absent-nulls.ts';
import { type Detail, invalidRequest } from './errors/api-error.ts';
import type { Caller, Route } from './route.ts';

/** Faults are listed field by field up to this number. */
const MOST_DETAILS = 20;

/** The checked input, or an ApiError that names everything that is wrong with it. */
export function checkInput<Input>(route: Route<Input>, given: unknown, caller: Caller): Input {
  if (!isRecord(given)) {
    throw invalidRequest([{ field: 'body', code: 'VALIDATION_FAILED', message: 'expected a JSON object' }]);
  }
  const raw = withoutAbsent(route.input.schema, given);
  const parsed = route.input.schema.safeParse(raw);
  const details = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => detailsOf(route, issue, raw))),
    ...route.across(raw, caller),
  ];
  if (details.length > 0 || !parsed.success) throw invalidRequest(capped(firstPerField(details)));
  return parsed.data;
}

function detailsOf<Input>(
  route: Pick<Route<Input>, 'codes' | 'input'>,
  issue: z.core.$ZodIssue,
  raw: object,
): readonly Detail[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 ? Object.keys(route.codes) : fieldsAt(route.input.schema, path);
    const expected = known.join(', ') || 'none';
    return issue.keys.map((key) => ({
      field: [...path, key.slice(0, 64)].join('.'),
      code: 'FIELD_UNKNOWN',
      message: `is not a field of ${path.length === 0 ? 'this request' : path.join('.')}; expected ${expected}`,
    }));
  }
  const [first = 'body'] = path;
  if (!Object.hasOwn(raw, first)) return [{ field: first, code: 'FIELD_REQUIRED', message: 'is required' }];
  return [{ field: path.join('.'), code: route.codes[first] ?? 'VALIDATION_FAILED', message: issue.message }];
}

/** The names that the object at a path of the input may hold. */
function fieldsAt(schema: unknown, path: readonly string[]): readonly string[] {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(bare instanceof z.ZodObject)) return [];
  const [next, ...rest] = path;
  return next === undefined ? Object.keys(bare.shape) : fieldsAt(bare.shape[next], rest);
}

/** Those that a reader needs, and how many more there are: a body of a thousand unknown fields is one mistake. */
function capped(details: readonly Detail[]): readonly Detail[] {
  const left = details.length - MOST_DETAILS;
  if (left <= 0) return details;
  const message = `${left} more fields are not as expected`;
  return [...details.slice(0, MOST_DETAILS), { field: '', code: 'MORE', message }];
}

function firstPerField(details: readonly Detail[]): readonly Detail[] {
  const seen = new Set<string>();
  return details.filter(({ field }) => !seen.has(field) && seen.add(field));
}

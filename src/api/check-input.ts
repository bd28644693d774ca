import type { z } from 'zod';
import { type Detail, invalidRequest } from './errors/api-error.ts';
import type { Caller, Route } from './route.ts';

/** The checked input, or an ApiError that names everything that is wrong with it. */
export function checkInput<Input>(route: Route<Input>, raw: unknown, caller: Caller): Input {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw invalidRequest([{ field: 'body', code: 'VALIDATION_FAILED', message: 'expected a JSON object' }]);
  }
  const parsed = route.input.schema.safeParse(raw);
  const details = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => detailsOf(route, issue, raw))),
    ...route.across(raw as Readonly<Record<string, unknown>>, caller),
  ];
  if (details.length > 0 || !parsed.success) throw invalidRequest(firstPerField(details));
  return parsed.data;
}

function detailsOf(route: Pick<Route, 'codes'>, issue: z.core.$ZodIssue, raw: object): readonly Detail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: key.slice(0, 64),
      code: 'FIELD_UNKNOWN',
      message: `is not a field of this request; expected ${Object.keys(route.codes).join(', ') || 'none'}`,
    }));
  }
  const field = String(issue.path[0] ?? 'body');
  if (!Object.hasOwn(raw, field)) return [{ field, code: 'FIELD_REQUIRED', message: 'is required' }];
  return [{ field, code: route.codes[field] ?? 'VALIDATION_FAILED', message: issue.message }];
}

function firstPerField(details: readonly Detail[]): readonly Detail[] {
  const seen = new Set<string>();
  return details.filter(({ field }) => !seen.has(field) && seen.add(field));
}

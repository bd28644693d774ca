import { isAppError } from './app-error.ts';
import type { ErrorCode } from './codes.ts';

/** The refusals of a database that cannot work now. Nothing was changed. */
export const DATABASE_DOWN = [
  'DATABASE_UNREACHABLE',
  'DATABASE_FULL',
  'DATABASE_BUSY',
  'DATABASE_READ_ONLY',
] as const satisfies readonly ErrorCode[];

const CODES: ReadonlySet<ErrorCode> = new Set(DATABASE_DOWN);

/** Whether the database did not answer, or answered that it takes nothing now. */
export function isDatabaseDown(error: unknown): boolean {
  return isAppError(error) && CODES.has(error.code);
}

import { type AppError, hasCode } from './app-error.ts';

/** The PRICE_MOVED behind an error, in either form; null for every other. */
export function overtaken(error: unknown): AppError<'PRICE_MOVED'> | null {
  if (hasCode(error, 'PRICE_MOVED')) return error;
  return hasCode(error, 'CHAIN_UNREACHABLE') && hasCode(error.cause, 'PRICE_MOVED') ? error.cause : null;
}

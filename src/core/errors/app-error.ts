import type { ErrorCode, ErrorDetails } from './codes.ts';

/** An expected refusal. Anything thrown that is not an AppError is a bug. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails[C];

  constructor(code: C, details: ErrorDetails[C], options?: { readonly cause?: unknown }) {
    super(code, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}

/** True when `error` carries exactly this code; narrows its details. */
export function hasCode<C extends ErrorCode>(error: unknown, code: C): error is AppError<C> {
  return error instanceof AppError && error.code === code;
}

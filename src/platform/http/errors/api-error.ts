import { type ApiCode, isApiCode } from './catalogue.ts';

/** A refusal as a caller of the API reads it. `code` never changes once published. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiCode;
  readonly field: string | null;
  readonly details: readonly Detail[];
  readonly retryable: boolean;
  readonly headers: Readonly<Record<string, string>>;

  constructor(input: {
    readonly status: number;
    readonly code: ApiCode;
    readonly message: string;
    readonly field?: string | null;
    readonly details?: readonly Detail[];
    readonly retryable?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
    readonly cause?: unknown;
  }) {
    super(input.message, { cause: input.cause });
    this.name = 'ApiError';
    this.status = input.status;
    this.code = input.code;
    this.field = input.field ?? null;
    this.details = input.details ?? [];
    this.retryable = input.retryable ?? false;
    this.headers = input.headers ?? {};
  }
}

/** One fault, with its field. */
export type Detail = { readonly field: string; readonly code: string; readonly message: string };

/** The body of every answer that is not a success. */
export function errorBody(error: ApiError, requestId: string) {
  const { code, message, field, details, retryable } = error;
  return { error: { code, message, ...(field === null ? {} : { field }), details, retryable, requestId } };
}

/** One refusal for everything that is wrong with a request, all at once. */
export function invalidRequest(details: readonly Detail[]): ApiError {
  const [first, ...others] = details;
  const alone = first !== undefined && others.length === 0;
  return new ApiError({
    status: 400,
    code: alone && isApiCode(first.code) ? first.code : 'VALIDATION_FAILED',
    message: alone
      ? `${first.field}: ${first.message}`
      : `${details.length} fields are not as expected; see details.`,
    field: alone ? first.field : null,
    details,
  });
}

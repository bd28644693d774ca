import type { Submission } from './generated/operations.ts';
import type { Code, OperationId } from './types.ts';

export type Detail = { readonly field: string; readonly code: string; readonly message: string };

/** The service answered, and refused. `code` is of the operation; see `isRefusal`. */
export class RefusalError<Op extends OperationId = OperationId> extends Error {
  readonly operation: Op;
  readonly status: number;
  readonly code: Code<Op>;
  readonly field: string | null;
  readonly details: readonly Detail[];
  /** The same request may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds that the service asks to wait; null where it says nothing. */
  readonly retryAfterMs: number | null;
  readonly requestId: string;
  /** An earlier try of this call had no answer, so the service may have carried it out before it refused this one. */
  readonly afterLostAnswer: boolean;

  constructor(told: {
    readonly operation: Op;
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly field: string | null;
    readonly details: readonly Detail[];
    readonly retryable: boolean;
    readonly retryAfterMs: number | null;
    readonly requestId: string;
    readonly afterLostAnswer: boolean;
  }) {
    super(`${told.operation}: ${told.code}: ${told.message}`);
    this.name = 'RefusalError';
    this.operation = told.operation;
    this.status = told.status;
    this.code = told.code;
    this.field = told.field;
    this.details = told.details;
    this.retryable = told.retryable;
    this.retryAfterMs = told.retryAfterMs;
    this.requestId = told.requestId;
    this.afterLostAnswer = told.afterLostAnswer;
  }
}

/** No answer that could be read: the service may have carried the request out, or not. `cause` is the last failure. */
export class UnansweredError extends Error {
  readonly operation: OperationId;
  readonly tries: number;

  constructor(operation: OperationId, tries: number, cause: unknown) {
    super(`${operation}: no answer after ${tries} ${tries === 1 ? 'try' : 'tries'}`, { cause });
    this.name = 'UnansweredError';
    this.operation = operation;
    this.tries = tries;
  }
}

/**
 * The end of a transaction is not known yet. It may land, so do not build another: keep `transaction` and give it to `submitAndFollow`
 * again, or ask `follow` for the signature.
 */
export class EndUnknownError extends Error {
  readonly signature: string;
  /** The signed bytes; null where only the signature was followed. */
  readonly transaction: Uint8Array | null;
  /** The newest record; null where none came. */
  readonly last: Submission | null;

  constructor(
    signature: string,
    known: { readonly transaction: Uint8Array | null; readonly last: Submission | null },
    cause: unknown = null,
  ) {
    super(`the end of ${signature} is not known yet; do not build another transaction in its place`, {
      cause,
    });
    this.name = 'EndUnknownError';
    this.signature = signature;
    this.transaction = known.transaction;
    this.last = known.last;
  }
}

/** Whether an operation was refused, with the codes of that operation. */
export function isRefusal<Op extends OperationId>(error: unknown, operation: Op): error is RefusalError<Op> {
  return error instanceof RefusalError && error.operation === operation;
}

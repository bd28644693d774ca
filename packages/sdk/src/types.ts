import type { Operations } from './generated/operations.ts';

export type OperationId = keyof Operations;
export type Input<Op extends OperationId> = Operations[Op]['input'];
export type Output<Op extends OperationId> = Operations[Op]['output'];
/** Codes may be added in a later version of a service: a program falls back on `status` and `retryable`. */
export type Code<Op extends OperationId> = Operations[Op]['code'] | (string & {});

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Of a build: the same key within 24 hours gives the first answer again. Made anew for each call when left out. */
  readonly idempotencyKey?: string | undefined;
};

/** Asks one operation. Resolves to the `data` of its answer; rejects with RefusalError or UnansweredError. */
export type Call = <Op extends OperationId>(
  operation: Op,
  input: Input<Op>,
  options?: CallOptions,
) => Promise<Output<Op>>;

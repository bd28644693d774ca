import { createCall } from './call.ts';
import { type FollowOptions, follow } from './follow.ts';
import { OPERATIONS, type Submission } from './generated/operations.ts';
import { type ClientOptions, settingsOf } from './options.ts';
import { type SubmitOptions, submitAndFollow } from './submit-and-follow.ts';
import { type Sign, type SwapOptions, type Swapped, swapAndFollow } from './swap-and-follow.ts';
import type { Call, CallOptions, Input, OperationId, Output } from './types.ts';

/** Each operation of the service, by its `operationId`. */
type Methods = {
  readonly [Op in OperationId]: Record<never, never> extends Input<Op>
    ? (input?: Input<Op>, options?: CallOptions) => Promise<Output<Op>>
    : (input: Input<Op>, options?: CallOptions) => Promise<Output<Op>>;
};

export type Tradepost = Methods & {
  /** See `follow` in the README: the record of a submitted transaction, at its end. */
  readonly follow: (signature: string, options?: FollowOptions) => Promise<Submission>;
  /** Submits signed bytes and follows them. The same bytes again are the same transaction. */
  readonly submitAndFollow: (transaction: Uint8Array, options?: SubmitOptions) => Promise<Submission>;
  /** Builds, has signed, submits and follows. A second transaction is built only after the first one's end. */
  readonly swapAndFollow: (
    request: Input<'createSwapTransaction'>,
    sign: Sign,
    options?: SwapOptions,
  ) => Promise<Swapped>;
};

/** A client of one host. It keeps nothing between calls. Throws TypeError for options that cannot work. */
export function createTradepost(options: ClientOptions): Tradepost {
  const call: Call = createCall(settingsOf(options));
  const methods = Object.fromEntries(
    (Object.keys(OPERATIONS) as OperationId[]).map((operation) => [
      operation,
      (input: Input<typeof operation> = {}, given?: CallOptions) => call(operation, input, given),
    ]),
  ) as Methods;
  return {
    ...methods,
    follow: (signature, given) => follow(call, signature, given),
    submitAndFollow: (transaction, given) => submitAndFollow(call, transaction, given),
    swapAndFollow: (request, sign, given) => swapAndFollow(call, request, sign, given),
  };
}

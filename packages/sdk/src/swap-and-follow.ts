import type { Submission, SwapResponse } from './generated/operations.ts';
import { randomKey } from './request.ts';
import { type SubmitOptions, submitAndFollow } from './submit-and-follow.ts';
import { signatureOf, transactionOf } from './transaction.ts';
import type { Call, Input } from './types.ts';

/** Signs the transaction of a swap: its bytes with the wallet's signature in its place. A rejection ends the swap, and nothing was sent. */
export type Sign = (transaction: Uint8Array, swap: SwapResponse) => Promise<Uint8Array> | Uint8Array;

export type SwapOptions = Omit<SubmitOptions, 'until' | 'submitToken'> & {
  /**
   * One per swap that you mean, at most 60 visible characters. The same key within 24 hours is the same swap: it is built, signed and
   * paid once, however often it is asked for. Made anew for each call when left out.
   */
  readonly idempotencyKey?: string | undefined;
  /** Transactions to build at most, 1 unless given. Another one is built only after the last one has `failed` or is `expired`. */
  readonly builds?: number | undefined;
  /** Before each submission. Keep bytes and `swap.submitToken` here: after a crash, `submitAndFollow` goes on with them. */
  readonly onSigned?: ((signed: Signed) => Promise<void> | void) | undefined;
};

export type Signed = {
  readonly signature: string;
  readonly transaction: Uint8Array;
  readonly swap: SwapResponse;
};

export type Swapped = { readonly swap: SwapResponse; readonly record: Submission };

/**
 * Builds a swap, has it signed, submits it and follows it to its final word, which is in `record.status`: `finalized`, `failed` or
 * `expired`. Rejects with EndUnknownError where that word is not known; nothing else is built then.
 */
export async function swapAndFollow(
  call: Call,
  request: Input<'createSwapTransaction'>,
  sign: Sign,
  options: SwapOptions = {},
): Promise<Swapped> {
  const { idempotencyKey = randomKey(), builds = 1, onSigned, signal, ...rest } = options;
  if (!/^[\x21-\x7e]{1,60}$/.test(idempotencyKey))
    throw new TypeError('idempotencyKey: expected 1 to 60 visible ASCII characters');
  if (!Number.isInteger(builds) || builds < 1 || builds > 99)
    throw new TypeError('builds: expected a whole number from 1 to 99');
  for (let build = 1; ; build += 1) {
    const key = build === 1 ? idempotencyKey : `${idempotencyKey}.${build}`;
    const swap = await call('createSwapTransaction', request, { idempotencyKey: key, signal });
    const transaction = await sign(transactionOf(swap), swap);
    await onSigned?.({ signature: signatureOf(transaction), transaction, swap });
    const record = await submitAndFollow(call, transaction, {
      ...rest,
      signal,
      submitToken: swap.submitToken,
      until: 'final',
    });
    if (record.status === 'finalized' || build >= builds) return { swap, record };
  }
}

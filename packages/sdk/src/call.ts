import { type Asked, askOnce } from './ask-once.ts';
import { RefusalError, UnansweredError } from './errors.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { Settings } from './options.ts';
import { backoffMs, pause } from './pause.ts';
import { randomKey, requestOf } from './request.ts';
import { signedRequest } from './sign-request.ts';
import type { Call, CallOptions, Input, OperationId, Output } from './types.ts';

/** A service that asks for a longer pause than this is not waited for. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Asks operations over HTTP. A call is one request, however often it is tried: a build keeps its idempotency key, and other requests are
 * tried again only where that changes nothing. After a lost answer, `rotateKey` is not tried again.
 */
export function createCall(settings: Settings): Call {
  return async function call<Op extends OperationId>(
    operation: Op,
    input: Input<Op>,
    { signal, idempotencyKey }: CallOptions = {},
  ): Promise<Output<Op>> {
    const how = OPERATIONS[operation];
    const { again } = how;
    const key = again === 'key' ? (idempotencyKey ?? randomKey()) : null;
    const request = requestOf(settings, operation, input, key);
    const { personalKey } = settings;
    if ('signed' in how && personalKey === null)
      throw new TypeError(`${operation}: expected the option personalKey, which signs this request`);
    let lost = false;
    for (let tries = 1; ; tries += 1) {
      const signed = 'signed' in how && personalKey !== null;
      // Anew for each try: a nonce is taken once.
      const ready = signed ? await signedRequest(request, personalKey) : request;
      const asked = await askOnce(settings, ready, signal);
      if (asked.kind === 'success') return asked.data as Output<Op>;
      const waitMs = tries > settings.retries ? null : waitAfter(asked, again === 'once', tries);
      if (waitMs === null) throw failureOf(operation, asked, tries, lost);
      lost ||= isLost(asked);
      await pause(waitMs, signal);
    }
  };
}

/** Milliseconds until the next try; null where there must be none. */
export function waitAfter(
  asked: Exclude<Asked, { kind: 'success' }>,
  isOnlyOnce: boolean,
  tries: number,
): number | null {
  if (isOnlyOnce && isLost(asked)) return null;
  if (asked.kind === 'none') return backoffMs(tries);
  if (!asked.error.retryable) return null;
  const asks = asked.retryAfterMs ?? 0;
  return asks > LONGEST_PAUSE_MS ? null : Math.max(asks, backoffMs(tries));
}

/** A failure of the service says nothing about the work that it began. BUSY is said before any work. */
function isLost(asked: Asked): boolean {
  return (
    asked.kind === 'none' || (asked.kind === 'refusal' && asked.status >= 500 && asked.error.code !== 'BUSY')
  );
}

function failureOf<Op extends OperationId>(
  operation: Op,
  asked: Exclude<Asked, { kind: 'success' }>,
  tries: number,
  lost: boolean,
): Error {
  if (asked.kind === 'none') return new UnansweredError(operation, tries, asked.cause);
  const { status, retryAfterMs, error } = asked;
  return new RefusalError({
    operation,
    status,
    retryAfterMs,
    ...error,
    afterLostAnswer: lost || isLost(asked),
  });
}

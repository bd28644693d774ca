import { z } from 'zod';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { IDEMPOTENCY_KEY, MOST_TRADE_BYTES, PRIORITIES, type SignedText } from '../rules/keyed-trade.ts';

const KEY = 'expected 1 to 64 visible ASCII characters';
const PRIORITY = `expected one of ${PRIORITIES.join(', ')}`;

/** The fields that every signed body has: a trade and an order differ in the word alone. */
export const sharedFields = (what: 'trade' | 'order') => ({
  priority: z
    .enum(PRIORITIES, { error: PRIORITY })
    .prefault('normal')
    .describe('how much the network may take, as in the chat'),
  idempotencyKey: z
    .string({ error: KEY })
    .regex(IDEMPOTENCY_KEY, { error: KEY })
    .describe(`one ${what} for each; asked again with it, the answer is of the same ${what}`),
});

export const SHARED_CODES = {
  priority: 'PRIORITY_INVALID',
  idempotencyKey: 'IDEMPOTENCY_KEY_INVALID',
} as const;

/** The request of a signed body as the signer will read it: by its own reader, from the very bytes. Throws 413 and 400. */
export function signedBody<T>(
  { body }: Pick<SignedText, 'body'>,
  read: (body: string) => T | null,
  what: 'a trade' | 'an order',
): T {
  if (body.length > MOST_TRADE_BYTES)
    throw new ApiError({
      status: 413,
      code: 'BODY_TOO_LARGE',
      message: `the body is too large; expected at most ${MOST_TRADE_BYTES} bytes`,
    });
  const asked = read(Buffer.from(body).toString('utf8'));
  if (asked !== null) return asked;
  throw new ApiError({
    status: 400,
    code: 'VALIDATION_FAILED',
    message: `the body is not ${what}; /docs/signatures shows one`,
  });
}

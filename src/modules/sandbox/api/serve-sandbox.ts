import { isAddress, LAMPORTS_PER_SOL } from '@tradepost/solana';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import type { SharedPath } from '../../../platform/http/cors.ts';
import { withinDeadline } from '../../../platform/http/deadline.ts';
import { wrapped, wrappedError } from '../../../platform/http/envelope.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import { clientKey } from '../../../platform/http/limits/client-key.ts';
import { createTokenBuckets } from '../../../platform/http/limits/token-bucket.ts';

const PATH = '/sandbox/airdrop';
/** Pages of every origin ask it where it is. */
export const SANDBOX_PATHS: readonly SharedPath[] = [{ path: PATH, methods: ['POST'] }];

/** Each airdrop is 1 SOL: two at once, and 2 SOL a minute. */
const OF_AN_ADDRESS = { ratePerSecond: 2 / 60, burst: 2 };
const SENTENCE = 'expected {"address": "<a base58 address of 32 bytes>"}';
const body = z.strictObject({ address: z.string().max(64) });

/**
 * Serves play SOL on a local world. The answer comes once the airdrop is confirmed. A refusal has the shape of every other one of the
 * API.
 */
export function serveSandbox(
  app: FastifyInstance,
  { airdrop, clock }: Pick<ApiDeps, 'clock'> & { readonly airdrop: NonNullable<ApiDeps['airdrop']> },
  {
    admit,
    known,
  }: {
    readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    readonly known: (error: unknown, requestId: string) => ApiError;
  },
): void {
  const buckets = createTokenBuckets({ steadyMs: steadyOf(clock) });
  const handled = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      await admit(request, reply);
    },
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
      const refusal = known(error, request.id);
      const told = wrappedError('data', refusal, request.id);
      void reply.code(told.status).headers(refusal.headers).send(told.body);
    },
  };
  app.post(PATH, handled, async (request) => {
    const { success, data } = body.safeParse(request.body);
    if (!success || !isAddress(data.address))
      throw new ApiError({ status: 400, code: 'ADDRESS_INVALID', message: SENTENCE, field: 'address' });
    const { allowed, retrySeconds } = buckets.take(clientKey(request.ip), OF_AN_ADDRESS);
    if (!allowed)
      throw new ApiError({
        status: 429,
        code: 'RATE_LIMITED',
        message: `2 SOL a minute; ask again in ${retrySeconds} s`,
        retryable: true,
        headers: { 'retry-after': String(retrySeconds) },
      });
    const { signature } = await withinDeadline(airdrop(data.address, LAMPORTS_PER_SOL));
    return wrapped('data', { signature, lamports: LAMPORTS_PER_SOL.toString() });
  });
}

import { createHash } from 'node:crypto';
import type { ApiDeps } from '../../compose/api-deps.ts';
import { answerOnce } from '../../modules/keys/use/answer-once.ts';
import { ApiError, invalidRequest } from './errors/api-error.ts';
import type { Caller } from './route.ts';

const KEY = /^[\x21-\x7e]{1,64}$/;

/**
 * The answer to a request that carries an `Idempotency-Key`: of the first one with this key by this caller, run at most once. Throws 400
 * for a key of another form, 409 when the key belongs to another request or the first one still runs.
 */
export async function answerIdempotently(
  deps: Pick<ApiDeps, 'idempotency' | 'clock' | 'ids'>,
  request: {
    readonly operation: string;
    readonly caller: Caller;
    readonly key: string;
    /** The checked input, defaults filled in: the order of the fields in the body does not matter. */
    readonly input: unknown;
  },
  run: () => Promise<unknown>,
): Promise<{ readonly data: unknown; readonly replayed: boolean }> {
  if (!KEY.test(request.key)) {
    const message = 'expected 1 to 64 visible ASCII characters';
    throw invalidRequest([{ field: 'Idempotency-Key', code: 'IDEMPOTENCY_KEY_INVALID', message }]);
  }
  const result = await answerOnce(
    { store: deps.idempotency, clock: deps.clock },
    {
      scope: hash(`${request.operation}\0${request.caller.id}`),
      key: request.key,
      requestHash: hash(jsonText(request.input)),
      owner: deps.ids.ulid(),
    },
    async () => JSON.stringify(await run()),
  );
  if (result.kind === 'answered') return { data: JSON.parse(result.answer), replayed: result.replayed };
  throw result.kind === 'conflict'
    ? new ApiError({
        status: 409,
        code: 'IDEMPOTENCY_CONFLICT',
        message: 'this Idempotency-Key was used for another request; expected a new key',
        field: 'Idempotency-Key',
      })
    : new ApiError({
        status: 409,
        code: 'IDEMPOTENCY_IN_PROGRESS',
        message: 'the first request with this Idempotency-Key still runs; ask again in a second',
        field: 'Idempotency-Key',
        retryable: true,
        headers: { 'retry-after': '1' },
      });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Amounts as they were written: whole numbers of units. */
function jsonText(input: unknown): string {
  return JSON.stringify(input, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

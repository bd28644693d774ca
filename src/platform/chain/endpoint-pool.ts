import { SolanaJSONRPCError } from '@solana/web3.js';
import { AppError } from '../../core/errors/app-error.ts';
import { CallerGoneError } from '../caller-limit.ts';
import { HttpStatusError } from '../http-post.ts';
import { causeOf, type Endpoint } from './endpoint.ts';
import { isMethodRefusal } from './method-refusal.ts';
import { isVersionRefusal } from './transaction-version.ts';

/** Our own request was malformed: another endpoint would say the same. */
const INVALID_REQUEST_CODES: readonly number[] = [-32_600, -32_602];
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** An endpoint that asks for a rest gets it, and no longer than this: a mistaken header is not the end of it. */
const LONGEST_ASKED_MS = 60_000;
/** A caller waits for a resting endpoint at most this long, and only when there is no other. */
const LONGEST_WAIT_MS = 1_000;
const ATTEMPTS = 3;
/** A limit of calls is over when its window is: for that a read is asked again this long, and no longer. */
const LIMITED_PATIENCE_MS = 8_000;

/** `limited`: the endpoint asked for the rest with 429, so no call disturbs it, the first attempt of a call included. */
type Health = { failures: number; restUntil: number; latencyMs: number; limited: boolean };

export type EndpointPool = {
  readonly endpoints: readonly Endpoint[];
  /**
   * Asks the healthiest endpoint first and the others in turn; CHAIN_UNREACHABLE when none answers. Where all of them ask for fewer
   * calls, it is asked again for eight seconds. None is asked again for a caller who has gone.
   */
  read<T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<T>;
  /** Asks exactly this endpoint, once; CHAIN_UNREACHABLE when it does not answer. */
  readFrom<T>(endpoint: Endpoint, ask: (endpoint: Endpoint) => Promise<T>): Promise<T>;
  /** Endpoints in the order a caller should try them now. */
  ranked(): readonly Endpoint[];
  noteFailure(endpoint: Endpoint, error: unknown): void;
};

/**
 * Health is learnt from ordinary calls alone: a failure rests an endpoint for a doubling pause (or as long as it asked for
 * with 429), a success clears it; among the healthy the faster goes first.
 */
export function createEndpointPool(
  endpoints: readonly Endpoint[],
  options: {
    readonly now: () => number;
    readonly sleep: (ms: number) => Promise<void>;
  },
): EndpointPool {
  const health = createHealth(endpoints, options.now);

  const attempt = async <T>(endpoint: Endpoint, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    const started = options.now();
    try {
      const answer = await ask(endpoint);
      health.noteSuccess(endpoint, options.now() - started);
      return answer;
    } catch (error) {
      if (!saysNothingOfHealth(error)) health.noteFailure(endpoint, error);
      throw error;
    }
  };

  return {
    endpoints,
    noteFailure: health.noteFailure,
    ranked: health.ranked,

    async readFrom(endpoint, ask) {
      try {
        return await attempt(endpoint, ask);
      } catch (error) {
        throw isOurMistake(error) || isVersionRefusal(error) ? error : unreachable(endpoint, error);
      }
    },

    async read(ask) {
      let last: { readonly endpoint: Endpoint; readonly error: unknown } | null = null;
      const attempts = Math.max(ATTEMPTS, endpoints.length);
      const refusedBy = new Set<Endpoint>();
      const patientUntil = options.now() + LIMITED_PATIENCE_MS;
      for (let n = 0; n < attempts || (isLimit(last?.error) && options.now() < patientUntil); n++) {
        const endpoint = health.ranked().find((one) => !refusedBy.has(one));
        if (endpoint === undefined) break;
        const { restUntil, limited } = health.of(endpoint);
        const rest = restUntil - options.now();
        if (rest > 0 && (n > 0 || limited)) await options.sleep(Math.min(rest, LONGEST_WAIT_MS));
        try {
          return await attempt(endpoint, ask);
        } catch (error) {
          // Every node serves the same transaction.
          if (isOurMistake(error) || isVersionRefusal(error)) throw error;
          if (isMethodRefusal(error)) refusedBy.add(endpoint);
          last = { endpoint, error };
          if (error instanceof CallerGoneError) break;
        }
      }
      throw unreachable(last?.endpoint ?? null, last?.error);
    },
  };
}

type EndpointHealth = Pick<EndpointPool, 'noteFailure' | 'ranked'> & {
  of(endpoint: Endpoint): Readonly<Health>;
  noteSuccess(endpoint: Endpoint, tookMs: number): void;
};

function createHealth(endpoints: readonly Endpoint[], now: () => number): EndpointHealth {
  const health = new Map<Endpoint, Health>();
  const of = (endpoint: Endpoint): Health => {
    const known = health.get(endpoint) ?? { failures: 0, restUntil: 0, latencyMs: 0, limited: false };
    health.set(endpoint, known);
    return known;
  };
  const ranked = (): readonly Endpoint[] => {
    const at = now();
    const rest = (endpoint: Endpoint) => Math.max(0, of(endpoint).restUntil - at);
    return endpoints.toSorted((a, b) => rest(a) - rest(b) || of(a).latencyMs - of(b).latencyMs);
  };
  return {
    of,
    ranked,
    noteSuccess: (endpoint, tookMs) => {
      const record = of(endpoint);
      record.latencyMs = record.latencyMs === 0 ? tookMs : record.latencyMs * 0.8 + tookMs * 0.2;
      record.failures = 0;
      record.restUntil = 0;
    },
    noteFailure: (endpoint, error) => {
      const record = of(endpoint);
      record.failures += 1;
      const doubling = FIRST_PAUSE_MS * 2 ** Math.min(record.failures - 1, 10);
      const asked = error instanceof HttpStatusError ? (error.retryAfterMs ?? 0) : 0;
      record.limited = isLimit(error);
      const own = Math.min(doubling, LONGEST_PAUSE_MS);
      record.restUntil = now() + Math.max(own, Math.min(asked, LONGEST_ASKED_MS));
    },
  };
}

function isLimit(error: unknown): boolean {
  return error instanceof HttpStatusError && error.status === 429;
}

/** An answer like that of a healthy node, or none because the node was not asked. */
function saysNothingOfHealth(error: unknown): boolean {
  return (
    isOurMistake(error) ||
    isVersionRefusal(error) ||
    isMethodRefusal(error) ||
    error instanceof CallerGoneError
  );
}

function isOurMistake(error: unknown): boolean {
  if (error instanceof AppError || error instanceof RangeError) return true;
  return (
    error instanceof SolanaJSONRPCError &&
    typeof error.code === 'number' &&
    INVALID_REQUEST_CODES.includes(error.code)
  );
}

function unreachable(endpoint: Endpoint | null, error: unknown): AppError<'CHAIN_UNREACHABLE'> {
  return new AppError(
    'CHAIN_UNREACHABLE',
    { endpoint: endpoint?.label ?? 'none configured', cause: causeOf(error) },
    { cause: error },
  );
}

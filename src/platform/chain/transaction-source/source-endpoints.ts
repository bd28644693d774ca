import { setTimeout as pause } from 'node:timers/promises';
import { HttpStatusError } from '../../http-post.ts';
import type { ReadLevel } from '../../ports/transaction-source.ts';
import { createEndpoint, type Endpoint } from '../endpoint.ts';
import { createEndpointPool } from '../endpoint-pool.ts';
import { type CallBudget, createCallBudget } from './call-budget.ts';

export type SourceOptions = {
  /** At least one. */
  readonly urls: readonly string[];
  readonly wsUrls: readonly string[];
  /** Calls per second at most; null without a limit. */
  readonly perSecond: number | null;
};

export type Call = (method: string, params: readonly unknown[]) => Promise<unknown>;

const TIMEOUT_MS = 20_000;
/** A call that the node refuses for its number is made so often in all, after these pauses. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * The endpoints that a source reads from. One is asked until it fails: its newest slot holds for the next questions to it, and for no other
 * endpoint.
 */
export function createSourceEndpoints({ urls, perSecond }: SourceOptions) {
  const pool = createEndpointPool(
    urls.map((url) => createEndpoint(url, TIMEOUT_MS)),
    { now: () => performance.now(), sleep: (ms) => pause(ms) },
  );
  const budget: CallBudget = createCallBudget(perSecond, {
    now: () => performance.now(),
    sleep: (ms) => pause(ms),
  });
  const chosen: Record<ReadLevel, Endpoint | null> = { confirmed: null, finalized: null };
  const callOver =
    (endpoint: Endpoint, level: ReadLevel): Call =>
    async (method, params) => {
      await budget.take(level === 'confirmed' ? 'live' : 'seal');
      return pool.readFrom(endpoint, async ({ call }) => {
        for (let n = 1; ; n += 1) {
          try {
            return await call(method, params);
          } catch (error) {
            if (!(error instanceof HttpStatusError) || error.status !== 429) throw error;
            budget.ease();
            // A whole round of reads is not lost for one refusal: its turn comes again.
            if (n === ATTEMPTS) throw error;
            await pause(Math.min(error.retryAfterMs ?? FIRST_PAUSE_MS * n, LONGEST_PAUSE_MS));
          }
        }
      });
    };
  const first = (): Endpoint => {
    const [best] = pool.ranked();
    if (best === undefined) throw new RangeError('at least one RPC address is needed');
    return best;
  };
  return {
    /** Chooses the endpoint for this level anew, the healthiest. */
    choose: (level: ReadLevel): Call => {
      const endpoint = first();
      chosen[level] = endpoint;
      return callOver(endpoint, level);
    },
    /** The one that was chosen last. */
    chosen: (level: ReadLevel): Call => callOver(chosen[level] ?? first(), level),
    /** Another one; the same where there is only one. */
    another: (level: ReadLevel): Call =>
      callOver(pool.ranked().find((one) => one !== chosen[level]) ?? first(), level),
  };
}

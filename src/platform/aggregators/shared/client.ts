import type { Breaker } from './breaker.ts';

/** What every aggregator is opened with. */
export type ClientOptions = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The most one request may take, body included. */
  readonly timeoutMs: number;
  readonly breaker: Breaker;
};

import type { Breaker } from './breaker.ts';

/** The options of every aggregator. */
export type ClientOptions = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The most one request may take, body included. */
  readonly timeoutMs: number;
  readonly breaker: Breaker;
};

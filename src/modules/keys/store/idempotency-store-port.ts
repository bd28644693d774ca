/** One request of one caller under the key that the caller chose for it. */
export type IdempotentRequest = {
  /** Hash of the operation and the caller, 64 hex digits: keys of different callers never meet, and no address is stored. */
  readonly scope: string;
  /** 1 to 64 visible characters. */
  readonly key: string;
  /** Hash of the request itself, 64 hex digits. */
  readonly requestHash: string;
  /** Names this run, so that a late end of an earlier one changes nothing. */
  readonly owner: string;
};

export type IdempotentStart =
  /** A new request, or one whose first was too long ago: run it, then `finish` or `abandon`. */
  | { readonly kind: 'started' }
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: string }
  /** The key belongs to another request. */
  | { readonly kind: 'conflict' };

/** Answers kept for those who ask the same again. Times are epoch milliseconds. */
export interface IdempotencyStore {
  /** Of callers at the same time exactly one gets `started`. The lease ends at `leaseUntil`: a killed run blocks no caller for longer. */
  start(
    request: IdempotentRequest,
    at: { readonly now: number; readonly leaseUntil: number },
  ): Promise<IdempotentStart>;
  /** Keeps the answer until `expiresAt`. Nothing happens when another run has taken over. */
  finish(request: IdempotentRequest, answer: string, expiresAt: number): Promise<void>;
  /** Forgets the run: the next request starts anew. Nothing happens when another run has taken over. */
  abandon(request: IdempotentRequest): Promise<void>;
}

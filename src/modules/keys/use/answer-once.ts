import type { Clock } from '../../../platform/ports/clock.ts';
import type { IdempotencyStore, IdempotentRequest } from '../store/idempotency-store-port.ts';

export type OnceAnswer =
  | { readonly kind: 'answered'; readonly answer: string; readonly replayed: boolean }
  | { readonly kind: 'running' }
  | { readonly kind: 'conflict' };

/** Longer than any request may take; after it a run counts as killed. */
const LEASE_MS = 60_000;
const KEPT_MS = 24 * 60 * 60 * 1_000;

/**
 * Runs a request once per key: a repeat within 24 hours gets the first answer. A run that throws keeps nothing and may be repeated at once.
 */
export async function answerOnce(
  { store, clock }: { readonly store: IdempotencyStore; readonly clock: Clock },
  request: IdempotentRequest,
  run: () => Promise<string>,
): Promise<OnceAnswer> {
  const now = clock.now();
  const start = await store.start(request, { now, leaseUntil: now + LEASE_MS });
  if (start.kind === 'answered') return { ...start, replayed: true };
  if (start.kind !== 'started') return start;
  let answer: string;
  try {
    answer = await run();
  } catch (error) {
    // The caller's error is the one to report; a lease left behind ends by itself.
    await store.abandon(request).catch(() => undefined);
    throw error;
  }
  await store.finish(request, answer, clock.now() + KEPT_MS);
  return { kind: 'answered', answer, replayed: false };
}

import { EndUnknownError, RefusalError, UnansweredError } from './errors.ts';
import type { Submission } from './generated/operations.ts';
import { backoffMs, pause } from './pause.ts';
import type { Call, Input } from './types.ts';

export type FollowOptions = {
  readonly signal?: AbortSignal | undefined;
  /** `final` unless given: proven, never changes again. `confirmed`: most validators voted for its block. */
  readonly until?: 'confirmed' | 'final' | undefined;
  /** Milliseconds after which EndUnknownError comes: 300,000 unless given. */
  readonly patienceMs?: number | undefined;
  /** Called with each newer record, the last one included. */
  readonly onChange?: ((record: Submission) => void) | undefined;
};

/** The service answers after so long at the latest, and sooner where patience ends before. */
const ASK_MS = 8_000;
const PATIENCE_MS = 300_000;

/**
 * The record of a submitted transaction, as soon as it has come as far as `until`. Lost answers are asked for again. A record that is
 * older than one seen before is passed over. Rejects with EndUnknownError when patience ends first, and with RefusalError where the
 * service refuses for good; its TRANSACTION_UNKNOWN says nothing about the chain.
 */
export async function follow(
  call: Call,
  signature: string,
  options: FollowOptions = {},
): Promise<Submission> {
  const { until = 'final', patienceMs = PATIENCE_MS, onChange, signal } = options;
  const startedAt = performance.now();
  let last: Submission | null = null;
  for (let misses = 0; ; ) {
    const leftMs = patienceMs - (performance.now() - startedAt);
    const timeoutMs = Math.round(Math.min(ASK_MS, Math.max(0, leftMs)));
    const record = await look(call, { signature, waitFor: until, timeoutMs: String(timeoutMs) }, signal);
    misses = record === null ? misses + 1 : 0;
    if (record !== null && (last === null || record.version > last.version)) {
      last = record;
      onChange?.(record);
    }
    if (last !== null && (last.final || (until === 'confirmed' && last.status === 'confirmed'))) return last;
    if (performance.now() - startedAt >= patienceMs)
      throw new EndUnknownError(signature, { transaction: null, last });
    await pause(200 + backoffMs(misses + 1), signal);
  }
}

/** Null where no answer came, or one that says to ask later. */
async function look(
  call: Call,
  asked: Input<'showTransaction'>,
  signal: AbortSignal | undefined,
): Promise<Submission | null> {
  try {
    return await call('showTransaction', asked, { signal });
  } catch (error) {
    if (mayComeLater(error)) return null;
    throw error;
  }
}

/** Whether the same question may be answered later. */
export const mayComeLater = (error: unknown): boolean =>
  error instanceof UnansweredError || (error instanceof RefusalError && error.retryable);

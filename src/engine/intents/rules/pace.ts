import { ageAt, hasAged } from '../../../core/time/age.ts';
import type { Attempt } from './intent.ts';

/** Times of the observation loop in milliseconds. Data, so that a virtual clock or a faster cluster can bring its own. */
export type Pace = {
  /** `[age below, pause]`, first match; the last pause holds for everything older. */
  readonly observe: readonly (readonly [ageMs: number, pauseMs: number])[];
  /** Between a confirmed result and its finality. */
  readonly untilFinalMs: number;
  /** The same bytes go out again this long after they last did, while no block is known to hold them. */
  readonly rebroadcastMs: number;
  /** From this age on an unseen attempt is put to the death test. */
  readonly probeAfterMs: number;
  /** Pause after a step that could not reach the chain or the vault. */
  readonly retryMs: number;
  /** How long a step waits for a landed transaction's details before the result is reported or settled without them. */
  readonly receiptPatienceMs: { readonly confirmed: number; readonly finalized: number };
};

export const PACE: Pace = {
  observe: [
    [3_000, 150],
    [15_000, 400],
    [60_000, 1_000],
    [Number.POSITIVE_INFINITY, 2_000],
  ],
  untilFinalMs: 500,
  rebroadcastMs: 2_000,
  probeAfterMs: 15_000,
  retryMs: 1_000,
  receiptPatienceMs: { confirmed: 15_000, finalized: 600_000 },
};

/** Milliseconds until the attempt should be looked at again. */
export function observePause(
  attempt: Pick<Attempt, 'status' | 'signedAt'>,
  now: number,
  pace: Pace = PACE,
): number {
  if (attempt.status === 'CONFIRMED') return pace.untilFinalMs;
  const age = ageAt(attempt.signedAt, now);
  const step = pace.observe.find(([below]) => age < below);
  return step?.[1] ?? pace.retryMs;
}

export function isRebroadcastDue(
  attempt: Pick<Attempt, 'lastSentAt'>,
  now: number,
  pace: Pace = PACE,
): boolean {
  return attempt.lastSentAt === null || hasAged(attempt.lastSentAt, pace.rebroadcastMs, now);
}

/** Sends of one attempt from which on it is late: at one every two seconds, ten seconds after the first. */
export const LATE_SENDS = 6;

import {
  type Attempt,
  type AttemptStatus,
  type Intent,
  type IntentStatus,
  LIVE_ATTEMPT_STATUSES,
  OPEN_INTENT_STATUSES,
} from '../../../src/engine/intents/rules/intent.ts';
import type { IntentState, IntentWrite } from '../../../src/engine/intents/rules/transition.ts';

export const isOpen = (intent: Pick<Intent, 'status'>): boolean =>
  OPEN_INTENT_STATUSES.some((open) => open === intent.status);
export const isLive = (attempt: Pick<Attempt, 'status'>): boolean =>
  LIVE_ATTEMPT_STATUSES.some((live) => live === attempt.status);

/**
 * What a store of intents lets happen to a row, as predicates. The database in memory and the explorer apply these very
 * functions; `describeCommitRules` holds Postgres' UPDATEs and indexes against them, case by case.
 */
export type CommitRules = {
  readonly isFree: (intent: Pick<Intent, 'leaseUntil'>, now: number) => boolean;
  readonly mayLease: (intent: Intent, now: number) => boolean;
  readonly mayClaim: (intent: Intent, epoch: number, now: number) => boolean;
  readonly mayUpdateIntent: (
    intent: Pick<Intent, 'status' | 'leaseEpoch'>,
    expect: { readonly epoch?: number; readonly statuses: readonly IntentStatus[] },
  ) => boolean;
  /** `known` are all attempts there are, of any intent. */
  readonly mayInsertAttempt: (known: readonly Attempt[], attempt: Attempt) => boolean;
  readonly mayUpdateAttempt: (
    intent: Pick<Intent, 'leaseEpoch'>,
    attempt: Pick<Attempt, 'status'>,
    expect: { readonly epoch?: number; readonly statuses: readonly AttemptStatus[] },
  ) => boolean;
};

const isFree: CommitRules['isFree'] = (intent, now) => intent.leaseUntil === null || intent.leaseUntil <= now;

export const COMMIT_RULES: CommitRules = {
  isFree,
  mayLease: (intent, now) => isOpen(intent) && isFree(intent, now),
  mayClaim: (intent, epoch, now) => isOpen(intent) && isFree(intent, now) && intent.leaseEpoch === epoch,
  mayUpdateIntent: (intent, { epoch, statuses }) =>
    statuses.includes(intent.status) && (epoch === undefined || epoch === intent.leaseEpoch),
  mayInsertAttempt: (known, attempt) =>
    !known.some(
      (other) =>
        other.id === attempt.id ||
        other.signature === attempt.signature ||
        (other.intentId === attempt.intentId &&
          (other.n === attempt.n || (isLive(other) && isLive(attempt)))),
    ),
  mayUpdateAttempt: (intent, attempt, { epoch, statuses }) =>
    statuses.includes(attempt.status) && (epoch === undefined || epoch === intent.leaseEpoch),
};

/**
 * The rows after all writes of one transition, or null when one of them finds its row otherwise: what `commitTransition` makes
 * of them over a store with these rules.
 */
export function applyWrites(
  state: IntentState,
  writes: readonly IntentWrite[],
  epoch: number,
  rules: CommitRules = COMMIT_RULES,
): IntentState | null {
  let { intent, attempts } = state;
  for (const write of writes) {
    if (write.kind === 'update-intent') {
      if (!rules.mayUpdateIntent(intent, { statuses: write.expect, epoch })) return null;
      intent = { ...intent, ...write.patch };
    } else if (write.kind === 'insert-attempt') {
      if (!rules.mayInsertAttempt(attempts, write.attempt)) return null;
      attempts = [...attempts, write.attempt];
    } else {
      const found = attempts.find(({ id }) => id === write.id);
      if (!found || !rules.mayUpdateAttempt(intent, found, { statuses: write.expect, epoch })) return null;
      attempts = attempts.map((attempt) => (attempt === found ? { ...found, ...write.patch } : attempt));
    }
  }
  return { intent, attempts };
}

import { isAppError } from '../../../core/errors/app-error.ts';
import { isOpen, nextAction, reduce } from '../../intents/rules/machine.ts';
import { observePause, PACE } from '../../intents/rules/pace.ts';
import type { IntentEvent, IntentState } from '../../intents/rules/transition.ts';
import type { WholeIntent } from '../../intents/store/intent-store-port.ts';
import { callPerson } from './call-person.ts';
import { commitTransition } from './commit-transition.ts';
import type { TransactionDeps } from './deps.ts';
import { type ObserveDeps, observeAttempt } from './observe-attempt.ts';
import type { StepResult } from './step-intent.ts';

/**
 * Reads the news of a landed attempt and commits it without taking the lease first. Nothing is built, signed or sent here. `known` is the
 * intent as the last step of this process left it. It still holds when no process leased the intent since. Each commit checks that by the
 * epoch and counts it up. So one of several workers commits, and the others find nothing to change. Null when `known` is outdated: then the
 * rows have to be read, under the lease. Throws the errors of the commit, and
 * those of the look that are no AppError.
 */
export async function stepLanded(
  deps: TransactionDeps,
  observeDeps: ObserveDeps,
  known: WholeIntent,
): Promise<StepResult | null> {
  const { wallet } = known;
  const pace = deps.pace ?? PACE;
  let state: IntentState = { intent: known.intent, attempts: known.attempts };
  const action = nextAction(state, deps.clock.now());
  if (action.kind !== 'observe') return null;
  let events: readonly IntentEvent[];
  try {
    events = await observeAttempt(observeDeps, state.intent, wallet, action.attempt);
  } catch (error) {
    if (!isAppError(error)) throw error;
    deps.log.warn({ intentId: state.intent.id, action: 'observe', code: error.code }, 'step put off');
    return { kind: 'again', afterMs: pace.retryMs, sent: action.attempt, known };
  }
  for (const event of events) {
    const transition = reduce(state, event, deps.clock.now(), deps.rules);
    if (transition.writes.length === 0) continue;
    const epoch = state.intent.leaseEpoch;
    if (!(await commitTransition(deps, transition, epoch, { claim: true }))) return null;
    const { intent, attempts } = transition.state;
    state = { intent: { ...intent, leaseEpoch: epoch + 1 }, attempts };
    if (intent.status === 'NEEDS_REVIEW') callPerson(deps, state);
    if (!isOpen(intent.status)) return { kind: 'done' };
  }
  const next = nextAction(state, deps.clock.now());
  // Every other action, a new attempt for one, needs the lease.
  if (next.kind !== 'observe') return { kind: 'again', afterMs: 0 };
  const { attempt } = next;
  const afterMs = observePause(attempt, deps.clock.now(), pace);
  return { kind: 'again', afterMs, sent: attempt, known: { ...state, wallet } };
}

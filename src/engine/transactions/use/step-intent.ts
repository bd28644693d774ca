import { hasCode, isAppError } from '../../../core/errors/app-error.ts';
import { overtaken } from '../../../core/errors/overtaken.ts';
import { leftAt } from '../../../core/time/age.ts';
import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { SignatureStatus } from '../../../platform/ports/chain.ts';
import type { JobResult } from '../../../platform/ports/job-queue.ts';
import type { Attempt, Intent } from '../../intents/rules/intent.ts';
import { isOpen, nextAction, reduce } from '../../intents/rules/machine.ts';
import { observePause, PACE } from '../../intents/rules/pace.ts';
import { isPassing } from '../../intents/rules/retry.ts';
import type { IntentEvent, IntentState, NextAction, Transition } from '../../intents/rules/transition.ts';
import type { WholeIntent } from '../../intents/store/intent-store-port.ts';
import { batchStatuses } from './batch-statuses.ts';
import { buildAttempt } from './build-attempt.ts';
import { callPerson } from './call-person.ts';
import { commitTransition } from './commit-transition.ts';
import type { TransactionDeps } from './deps.ts';
import { broadcast, type ObserveDeps, observeAttempt } from './observe-attempt.ts';
import { setAside } from './set-aside.ts';
import { stepLanded } from './step-landed.ts';

/**
 * After a crash the intent lies still this long, so it is kept short. A step that outlives it (endpoints that time out one
 * after another) does no harm: its writes carry a lease epoch that is no longer the row's, and find nothing to change.
 */
const LEASE_MS = 10_000;
/** How often a worker looks whether the quarantine is over. */
const QUARANTINE_PAUSE_MS = 5_000;
/** Builds of one attempt while others are faster. */
const BUILDS = 5;
/** Pauses between two questions whether an earlier signature is decided: each costs a plan and a simulation. */
const UNDECIDED_PAUSES = 5;
const DONE: JobResult = { kind: 'done' };

/** The chain's recent answer on a signature, so that a step need not ask again. */
export type Heard = { readonly signature: string; readonly status: SignatureStatus | null };

/**
 * `sent` where the only work left is to look at that attempt. A process that can watch it without stepping does so, and steps when there is
 * news. Every other process comes again after `afterMs`. `known` is the intent as this step left it.
 */
export type StepResult =
  | Extract<JobResult, { kind: 'done' }>
  | (Extract<JobResult, { kind: 'again' }> & { readonly sent?: Attempt; readonly known?: WholeIntent });

/** With both `heard` of a landing and the intent as it was `known` at the end of the last step, the lease is not needed. */
export type StepIntent = (
  intentId: string,
  heard?: Heard | null,
  known?: WholeIntent | null,
) => Promise<StepResult>;

/**
 * Takes the lease, carries the intent on until it must wait (for at most `stretchMs`; 0 = exactly one transition, for
 * simulators) and says when to come back. Nothing is held while it waits: no lease, no job, no place among those that run. The
 * lease is the only lock: with it held elsewhere the job comes back when that lease ends, because its holder may be dead.
 */
export function createStepIntent(deps: TransactionDeps, options: { readonly stretchMs: number }): StepIntent {
  const asked = batchStatuses(deps.chain);
  const whenLanded = async (known: WholeIntent, heard: Heard): Promise<StepResult | null> => {
    const level = heard.status?.level;
    if (level !== 'confirmed' && level !== 'finalized') return null;
    return stepLanded(deps, { ...deps, statusOf: firstOf(heard, asked) }, known);
  };
  const stepOnce: StepIntent = async (intentId, heard = null, known = null) => {
    const landed = heard === null || known === null ? null : await whenLanded(known, heard);
    if (landed !== null) return landed;
    const startedAt = deps.clock.now();
    const leased = await deps.db.intents.lease(intentId, {
      owner: deps.owner,
      now: startedAt,
      until: startedAt + LEASE_MS,
    });
    if (leased === null) return notLeased(deps, intentId, startedAt);
    const observeDeps: ObserveDeps = { ...deps, statusOf: firstOf(heard, asked) };
    const step: Step = { deps, observeDeps, epoch: leased.intent.leaseEpoch, released: false };
    try {
      return await carryOn(step, leased, startedAt + options.stretchMs);
    } finally {
      if (!step.released) await deps.db.intents.release(intentId, step.epoch);
    }
  };
  return async (intentId, heard, known) => {
    try {
      return await stepOnce(intentId, heard, known);
    } catch (error) {
      if (await setAside(deps, intentId, error)) return DONE;
      throw error;
    }
  };
}

type Step = {
  readonly deps: TransactionDeps;
  readonly observeDeps: ObserveDeps;
  readonly epoch: number;
  /** The last commit gave the lease back with it. */
  released: boolean;
};

/** The recent answer serves the first question; every later one is asked. */
function firstOf(
  heard: Heard | null,
  ask: (signature: string) => Promise<SignatureStatus | null>,
): (signature: string) => Promise<SignatureStatus | null> {
  let known = heard;
  return (signature) => {
    if (known?.signature !== signature) return ask(signature);
    const { status } = known;
    known = null;
    return Promise.resolve(status);
  };
}

/** Over, held elsewhere, or put off by the quarantine. */
async function notLeased(deps: TransactionDeps, intentId: string, now: number): Promise<JobResult> {
  const intent = await deps.db.intents.find(intentId);
  if (intent === null || !isOpen(intent.status)) return DONE;
  if (await deps.db.flags.isSet('quarantined')) return { kind: 'again', afterMs: QUARANTINE_PAUSE_MS };
  return { kind: 'again', afterMs: Math.max(50, leftAt(intent.leaseUntil ?? now, now)) };
}

async function carryOn(step: Step, leased: WholeIntent, stretchEndsAt: number): Promise<StepResult> {
  const { deps } = step;
  let state: IntentState = { intent: leased.intent, attempts: leased.attempts };
  for (;;) {
    const action = nextAction(state, deps.clock.now());
    if (action.kind === 'done') return DONE;
    if (action.kind === 'wait') return { kind: 'again', afterMs: leftAt(action.until, deps.clock.now()) };
    const before = state;
    const outcome = await perform(step, state, leased.wallet, action);
    let { failed } = outcome;
    const events = [...outcome.events];
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const transition = reduce(state, event, deps.clock.now(), deps.rules);
      const isLast = events.length === 0 && isAtRest(deps, before, transition.state);
      const committed = await commit(step, transition, isLast);
      // Another process moved the intent: forget the computed state, and any signature that is not stored, and read again.
      if (committed === false) return { kind: 'again', afterMs: 50 };
      if (committed === true) {
        ({ state } = transition);
        if (state.intent.status === 'NEEDS_REVIEW') callPerson(deps, state);
        if (!isOpen(state.intent.status)) return DONE;
        continue;
      }
      // A switch was thrown while the signature was made: it is forgotten, and the intent put off or refused.
      ({ failed } = committed);
      events.splice(0, events.length, ...committed.events);
    }
    const pauseMs = failed ? pace(deps).retryMs * (outcome.patience ?? 1) : pauseAfter(deps, before, state);
    if (pauseMs > 0 || failed || deps.clock.now() >= stretchEndsAt)
      return comeBack(deps, { ...state, wallet: leased.wallet }, pauseMs);
  }
}

/** The time of the next step, and the attempt to watch until then. */
function comeBack(deps: TransactionDeps, known: WholeIntent, afterMs: number): StepResult {
  const next = nextAction(known, deps.clock.now());
  return next.kind === 'observe'
    ? { kind: 'again', afterMs, sent: next.attempt, known }
    : { kind: 'again', afterMs };
}

/** Nothing is to be done at once after this state: its commit gives the lease back. */
function isAtRest(deps: TransactionDeps, before: IntentState, after: IntentState): boolean {
  return !isOpen(after.intent.status) || pauseAfter(deps, before, after) > 0;
}

/** Progress is followed up at once; waiting for the chain is paced by the attempt's age. */
function pauseAfter(deps: TransactionDeps, before: IntentState, after: IntentState): number {
  const next = nextAction(after, deps.clock.now());
  if (next.kind !== 'observe') return 0;
  const isFirstLook = before.attempts.find(({ id }) => id === next.attempt.id)?.sendCount === 0;
  return isFirstLook
    ? (pace(deps).observe[0]?.[1] ?? 0)
    : observePause(next.attempt, deps.clock.now(), pace(deps));
}

function pace(deps: TransactionDeps) {
  return deps.pace ?? PACE;
}

/** The result of one action. `failed`: an outage or a switch that passes; nothing is concluded from it. */
type Outcome = {
  readonly events: readonly IntentEvent[];
  readonly failed: boolean;
  /** Number of pauses to wait for, instead of one. */
  readonly patience?: number;
};

/** True: committed. False: the row is no longer as it was. Else the consequence of the refusal to store a signature. */
async function commit(step: Step, transition: Transition, isLast: boolean): Promise<boolean | Outcome> {
  const { deps, epoch } = step;
  try {
    const committed = await commitTransition(deps, transition, epoch, { release: isLast });
    step.released = committed && isLast && transition.writes.length > 0;
    return committed;
  } catch (error) {
    if (!transition.writes.some(({ kind }) => kind === 'insert-attempt')) throw error;
    return afterRefusal(deps, transition.state.intent, 'build', error);
  }
}

/** Does the next action and returns its result. */
async function perform(
  { deps, observeDeps }: Step,
  { intent }: IntentState,
  wallet: Wallet,
  action: Exclude<NextAction, { kind: 'done' | 'wait' }>,
): Promise<Outcome> {
  try {
    switch (action.kind) {
      case 'lapse':
        return { events: [{ kind: 'lapsed' }], failed: false };
      case 'build':
        return {
          events: [{ kind: 'signed', attempt: await buildUnlessOvertaken(deps, intent, wallet, action.n) }],
          failed: false,
        };
      case 'broadcast':
        return { events: [await broadcast(deps, intent, action.attempt)], failed: false };
      case 'observe':
        return { events: await observeAttempt(observeDeps, intent, wallet, action.attempt), failed: false };
    }
  } catch (error) {
    if (action.kind === 'build' && hasCode(error, 'ATTEMPT_UNDECIDED'))
      return afterUndecided(deps, intent, action.n, error.details.attempt);
    return afterRefusal(deps, intent, action.kind, error);
  }
}

/**
 * Another transaction of the intent was signed. One that a lost lease or a switch threw away is stored now, and the newly built one is not.
 * Else nothing is built until its fate is known.
 */
function afterUndecided(deps: TransactionDeps, intent: Intent, n: number, attempt: Attempt | null): Outcome {
  if (attempt !== null && attempt.intentId === intent.id && attempt.n === n)
    return { events: [{ kind: 'signed', attempt }], failed: false };
  deps.log.info({ intentId: intent.id }, 'put off until an earlier signature is decided');
  return { events: [], failed: true, patience: UNDECIDED_PAUSES };
}

/**
 * An attempt on the market as it is now. Where another trade came between quote and a venue's signature nothing was signed, and
 * the market is asked again at once: a second of waiting would only let the next one come between.
 */
async function buildUnlessOvertaken(
  deps: TransactionDeps,
  intent: Intent,
  wallet: Wallet,
  n: number,
): Promise<Attempt> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await buildAttempt(deps, intent, wallet, n, { isRepeat: tries > 1 });
    } catch (error) {
      if (tries === BUILDS || hasCode(error, 'PRICE_MOVED') || overtaken(error) === null) throw error;
    }
  }
}

/** A refusal ends the intent, an outage or a pause puts the step off. Anything else is a bug and thrown on. */
function afterRefusal(
  deps: TransactionDeps,
  intent: Intent,
  action: 'lapse' | 'build' | 'broadcast' | 'observe',
  error: unknown,
): Outcome {
  if (!isAppError(error)) throw error;
  if (isPassing(error.code) || action !== 'build') {
    deps.log.warn({ intentId: intent.id, action, code: error.code }, 'step put off');
    return { events: [], failed: true };
  }
  if (hasCode(error, 'POLICY_DENIED')) {
    // This transaction was never requested: a fault of ours, of a venue or of an aggregator, or an attack.
    const { rule } = error.details;
    deps.log.warn({ intentId: intent.id, kind: intent.kind, rule }, 'the signing policy refused');
  }
  return {
    events: [{ kind: 'refused', code: error.code, details: jsonDetails(error.details) }],
    failed: false,
  };
}

/** Details as plain JSON: bigints as decimal strings. */
function jsonDetails(details: unknown): unknown {
  return JSON.parse(
    JSON.stringify(details, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  );
}

import { hasCode, isAppError } from '../../core/errors/app-error.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { isOpen, nextAction, reduce } from '../../core/intents/machine.ts';
import { observePause, PACE } from '../../core/intents/pace.ts';
import { isPassing } from '../../core/intents/retry.ts';
import type { IntentEvent, IntentState, NextAction, Transition } from '../../core/intents/transition.ts';
import type { JobResult } from '../../core/ports/job-queue.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { batchStatuses } from './batch-statuses.ts';
import { buildAttempt } from './build-attempt.ts';
import { commitTransition } from './commit-transition.ts';
import type { TransactionDeps } from './deps.ts';
import { broadcast, type ObserveDeps, observeAttempt } from './observe-attempt.ts';
import { setAside } from './set-aside.ts';

/**
 * After a crash the intent lies still this long, so it is kept short. A step that outlives it (endpoints that time out one
 * after another) does no harm: its writes carry a lease epoch that is no longer the row's, and find nothing to change.
 */
const LEASE_MS = 10_000;
/** How often a worker looks whether the quarantine is over. */
const QUARANTINE_PAUSE_MS = 5_000;
const DONE: JobResult = { kind: 'done' };

export type StepIntent = (intentId: string) => Promise<JobResult>;

/**
 * What the `intent.step` job calls. Takes the lease, carries the intent on for at most `stretchMs` and says when to come
 * back; 0 = exactly one transition, for simulators. One stretch instead of one job per look keeps the queue's latency out
 * of the seconds in which a person waits. The lease is the only lock: with it held elsewhere the job comes back when that
 * lease ends, because its holder may be dead.
 */
export function createStepIntent(deps: TransactionDeps, options: { readonly stretchMs: number }): StepIntent {
  const observeDeps: ObserveDeps = { ...deps, statusOf: batchStatuses(deps.chain) };
  const step: StepIntent = async (intentId) => {
    // In a restored database an attempt that is missing here may have paid on chain: until reconciliation has looked, nothing
    // is signed, nothing is sent again and nothing is judged dead.
    if (await deps.db.flags.isSet('quarantined')) return { kind: 'again', afterMs: QUARANTINE_PAUSE_MS };
    const startedAt = deps.clock.now();
    const leased = await deps.db.intents.lease(intentId, {
      owner: deps.owner,
      now: startedAt,
      until: startedAt + LEASE_MS,
    });
    if (leased === null) return heldElsewhere(deps, intentId, startedAt);
    try {
      return await carryOn(deps, observeDeps, leased, startedAt + options.stretchMs);
    } finally {
      await deps.db.intents.release(intentId, leased.leaseEpoch);
    }
  };
  return async (intentId) => {
    try {
      return await step(intentId);
    } catch (error) {
      if (await setAside(deps, intentId, error)) return DONE;
      throw error;
    }
  };
}

async function heldElsewhere(deps: TransactionDeps, intentId: string, now: number): Promise<JobResult> {
  const intent = await deps.db.intents.find(intentId);
  if (intent === null || !isOpen(intent.status)) return DONE;
  return { kind: 'again', afterMs: Math.max(50, (intent.leaseUntil ?? now) - now) };
}

async function carryOn(
  deps: TransactionDeps,
  observeDeps: ObserveDeps,
  leased: Intent,
  stretchEndsAt: number,
): Promise<JobResult> {
  const wallet = await deps.db.wallets.find(leased.walletId);
  if (wallet === null) throw new Error(`intent ${leased.id} names a wallet that does not exist`);
  let state: IntentState = { intent: leased, attempts: await deps.db.intents.attempts(leased.id) };
  for (;;) {
    const action = nextAction(state, deps.clock.now());
    if (action.kind === 'done') return DONE;
    if (action.kind === 'wait')
      return { kind: 'again', afterMs: Math.max(0, action.until - deps.clock.now()) };
    const before = state;
    const outcome = await perform(deps, observeDeps, state, wallet, action);
    let { failed } = outcome;
    const events = [...outcome.events];
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const transition = reduce(state, event, deps.clock.now(), deps.rules);
      const committed = await commit(deps, transition, leased.leaseEpoch);
      // Somebody else moved the intent: forget what was computed, and whatever was signed but not stored, and read again.
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
    const pauseMs = failed ? pace(deps).retryMs : pauseAfter(deps, before, state);
    const now = deps.clock.now();
    if (now + pauseMs >= stretchEndsAt || failed) return { kind: 'again', afterMs: pauseMs };
    if (pauseMs > 0) await deps.pause(pauseMs);
  }
}

/** Nothing moves any more until somebody has looked: whoever runs this must hear of it. */
function callPerson(deps: TransactionDeps, { intent, attempts }: IntentState): void {
  const last = attempts.at(-1);
  deps.log.warn(
    {
      intentId: intent.id,
      receipt: intent.receipt,
      signature: last?.signature,
      landingProof: last?.landingProof,
      deathProof: last?.deathProof,
    },
    'endpoints do not agree what became of a transaction: nothing is signed or given back until a person has looked',
  );
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

/** What came of one action. `failed`: an outage or a switch that passes; nothing is concluded from it. */
type Outcome = { readonly events: readonly IntentEvent[]; readonly failed: boolean };

/** True: committed. False: the row is no longer as it was. Else what follows from the refusal to store a signature. */
async function commit(
  deps: TransactionDeps,
  transition: Transition,
  epoch: number,
): Promise<boolean | Outcome> {
  try {
    return await commitTransition(deps, transition, epoch);
  } catch (error) {
    if (!transition.writes.some(({ kind }) => kind === 'insert-attempt')) throw error;
    return afterRefusal(deps, transition.state.intent, 'build', error);
  }
}

/** Does what is next and says what came of it. */
async function perform(
  deps: TransactionDeps,
  observeDeps: ObserveDeps,
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
          events: [{ kind: 'signed', attempt: await buildAttempt(deps, intent, wallet, action.n) }],
          failed: false,
        };
      case 'broadcast':
        return { events: [await broadcast(deps, action.attempt)], failed: false };
      case 'observe':
        return { events: await observeAttempt(observeDeps, intent, wallet, action.attempt), failed: false };
    }
  } catch (error) {
    return afterRefusal(deps, intent, action.kind, error);
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
    // Nobody asked for what was built: a fault of ours, of a venue or of an aggregator, or an attack.
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

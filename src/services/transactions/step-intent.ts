import { isAppError } from '../../core/errors/app-error.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { isOpen, nextAction, reduce } from '../../core/intents/machine.ts';
import { observePause, PACE } from '../../core/intents/pace.ts';
import { isPassing } from '../../core/intents/retry.ts';
import type { IntentEvent, IntentState, NextAction } from '../../core/intents/transition.ts';
import type { JobResult } from '../../core/ports/job-queue.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { batchStatuses } from './batch-statuses.ts';
import { buildAttempt } from './build-attempt.ts';
import { commitTransition } from './commit-transition.ts';
import type { TransactionDeps } from './deps.ts';
import { broadcast, type ObserveDeps, observeAttempt } from './observe-attempt.ts';

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
 * of the seconds in which a person waits. The lease is the only lock: with it held elsewhere the job is done, because the
 * holder goes on, or its lease expires and the sweeper asks again.
 */
export function createStepIntent(deps: TransactionDeps, options: { readonly stretchMs: number }): StepIntent {
  const observeDeps: ObserveDeps = { ...deps, statusOf: batchStatuses(deps.chain) };
  return async (intentId) => {
    // In a restored database an attempt that is missing here may have paid on chain: until reconciliation has looked, nothing
    // is signed, nothing is sent again and nothing is judged dead.
    if (await deps.db.flags.isSet('quarantined')) return { kind: 'again', afterMs: QUARANTINE_PAUSE_MS };
    const startedAt = deps.clock.now();
    const leased = await deps.db.intents.lease(intentId, {
      owner: deps.owner,
      now: startedAt,
      until: startedAt + LEASE_MS,
    });
    if (leased === null) return DONE;
    try {
      return await carryOn(deps, observeDeps, leased, startedAt + options.stretchMs);
    } finally {
      await deps.db.intents.release(intentId, leased.leaseEpoch);
    }
  };
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
    for (const event of outcome.events) {
      const transition = reduce(state, event, deps.clock.now(), deps.deathRule);
      // Somebody else moved the intent: forget what was computed, and whatever was signed but not stored, and read again.
      if (!(await commitTransition(deps, transition, leased.leaseEpoch)))
        return { kind: 'again', afterMs: 50 };
      ({ state } = transition);
      if (!isOpen(state.intent.status)) return DONE;
    }
    const pauseMs = outcome.failed ? pace(deps).retryMs : pauseAfter(deps, before, state);
    const now = deps.clock.now();
    if (now + pauseMs >= stretchEndsAt || outcome.failed) return { kind: 'again', afterMs: pauseMs };
    if (pauseMs > 0) await deps.pause(pauseMs);
  }
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

/** Does what is next and says what came of it. `failed`: an outage that passes; nothing is concluded from it. */
async function perform(
  deps: TransactionDeps,
  observeDeps: ObserveDeps,
  { intent }: IntentState,
  wallet: Wallet,
  action: Exclude<NextAction, { kind: 'done' | 'wait' }>,
): Promise<{ readonly events: readonly IntentEvent[]; readonly failed: boolean }> {
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
    if (!isAppError(error)) throw error;
    if (isPassing(error.code) || action.kind !== 'build') {
      deps.log.warn({ intentId: intent.id, action: action.kind, code: error.code }, 'step put off');
      return { events: [], failed: true };
    }
    return {
      events: [{ kind: 'refused', code: error.code, details: jsonDetails(error.details) }],
      failed: false,
    };
  }
}

/** Details as plain JSON: bigints as decimal strings. */
function jsonDetails(details: unknown): unknown {
  return JSON.parse(
    JSON.stringify(details, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  );
}

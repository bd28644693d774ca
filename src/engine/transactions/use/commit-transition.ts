import { recordTrade } from '../../../modules/positions/use/record-trade.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { orderOf, rulesOf } from '../../intents/kinds/rules.ts';
import type { Attempt, Intent } from '../../intents/rules/intent.ts';
import { encodeIntentNotice } from '../../intents/rules/notice-payload.ts';
import type { IntentEffect, IntentWrite, Transition } from '../../intents/rules/transition.ts';
import type { Notice } from '../../notices/store-port.ts';
import { assertMayStoreSignature } from '../../switches/use/assert-may-sign.ts';
import { addNotices } from './add-notices.ts';
import { type CommittedJobs, NO_JOBS, startJobs, withJobs } from './committed-jobs.ts';
import type { TransactionDeps } from './deps.ts';
import { logTransition } from './log-transition.ts';
import { captureIntent, confirmIntent, endPending, voidIntent } from './settle-intent.ts';
import type { SettleDeps } from './settlement.ts';

export type CommitDeps = Pick<
  TransactionDeps,
  'db' | 'clock' | 'ids' | 'treasury' | 'fees' | 'settlements' | 'relay' | 'log'
> &
  Pick<SettleDeps, 'chain'>;

/** Thrown inside the transaction to roll it back: another worker or a cancel was faster. */
class LostRaceError extends Error {}

/**
 * Commits one transition whole: rows, ledger, rewards, notices and the jobs they need, or nothing. False when a row had changed since the
 * transition was computed; the caller reads again. `epoch` fences every write, to the intent's row and to an attempt's. A signature is
 * stored only while that is allowed: throws the errors of `assertMayStoreSignature`, and then nothing is stored. With `release` the lease
 * of `epoch` is given back in the same commit. With `claim` no lease was taken: the commit happens only when no process had it since
 * `epoch`, which is one higher afterwards. `beside` writes the transition's further rows into it.
 */
export async function commitTransition(
  deps: CommitDeps,
  transition: Transition,
  epoch: number | null,
  options: {
    readonly release?: boolean;
    readonly claim?: boolean;
    readonly beside?: (stores: Stores) => Promise<void>;
  } = {},
): Promise<boolean> {
  const { intent } = transition.state;
  if (transition.writes.length === 0 && transition.effects.length === 0) return true;
  let jobs: CommittedJobs = NO_JOBS;
  try {
    jobs = await deps.db.transact(async (plain) => {
      const { stores, wanted } = withJobs(deps.relay, plain);
      // Before the first write: the switches' locks are taken ahead of the intent's row everywhere.
      for (const write of transition.writes) {
        if (write.kind === 'insert-attempt')
          await assertMayStoreSignature(stores, intent, write.attempt, deps.clock.now());
      }
      let fence = epoch;
      if (options.claim === true && epoch !== null) {
        if (!(await stores.intents.claim(intent.id, epoch, deps.clock.now()))) throw new LostRaceError();
        fence = epoch + 1;
      }
      for (const write of transition.writes) {
        if (!(await applyWrite(stores, intent.id, write, fence))) throw new LostRaceError();
      }
      for (const effect of transition.effects) await applyEffect(deps, stores, intent, effect);
      await options.beside?.(stores);
      if (options.release === true && epoch !== null) await stores.intents.release(intent.id, epoch);
      return wanted;
    });
  } catch (error) {
    if (error instanceof LostRaceError) return false;
    throw error;
  }
  logTransition(deps.log, transition);
  startJobs(deps.relay, jobs);
  return true;
}

async function applyWrite(
  stores: Stores,
  intentId: string,
  write: IntentWrite,
  epoch: number | null,
): Promise<boolean> {
  const fence = epoch === null ? {} : { epoch };
  switch (write.kind) {
    // Never alone: the intent's row is written before it, under the same epoch.
    case 'insert-attempt':
      return stores.intents.insertAttempt(write.attempt);
    case 'update-attempt': {
      const { id, expect, patch } = write;
      if (!(await stores.intents.updateAttempt(id, { statuses: expect, ...fence }, patch))) return false;
      // Only confirmed trades counted in positions.
      if (patch.status !== undefined && expect.includes('CONFIRMED'))
        await endPending(stores, { id, status: patch.status });
      return true;
    }
    case 'update-intent':
      return stores.intents.update(intentId, { statuses: write.expect, ...fence }, write.patch);
  }
}

async function applyEffect(
  deps: CommitDeps,
  stores: Stores,
  intent: Intent,
  effect: IntentEffect,
): Promise<void> {
  switch (effect.kind) {
    case 'notify':
      if (isConfirmed(effect) && effect.attempt !== null)
        await confirmIntent(deps, stores, intent, effect.attempt, effect.outcome?.receipt ?? null);
      return addNotices(deps, stores, noticeOf(intent, effect));
    case 'capture':
      return captureIntent(deps, stores, intent, effect.attempt, effect.receipt);
    case 'burnt':
      await recordTrade(deps, stores, { ...effect, intent, failed: true });
      return;
    case 'void':
      return voidIntent(deps, stores, intent, effect);
  }
}

/** It worked, as far as is voted for. */
function isConfirmed({ notice, outcome }: Extract<IntentEffect, { kind: 'notify' }>): boolean {
  return notice === 'confirmed' && outcome?.reason === null;
}

function noticeOf(
  intent: Intent,
  effect: Extract<IntentEffect, { kind: 'notify' }>,
): readonly Pick<Notice, 'userId' | 'intentId' | 'kind' | 'payload'>[] {
  // The service's own payouts have no person to notify; inviters get their own notice.
  if (intent.userId === null) return [];
  // A finished first half sends no notice: its message has passed to the second half, which sends one.
  if (rulesOf(intent.kind).isFirstHalf === true && intent.status === 'SUCCEEDED') return [];
  // An order says itself that it fired, and why nothing came of it.
  const isResult = isConfirmed(effect) || intent.status === 'SUCCEEDED' || intent.status === 'NEEDS_REVIEW';
  if (orderOf(intent.params) !== null && !isResult) return [];
  const attempt: Attempt | null = effect.attempt;
  return [
    {
      userId: intent.userId,
      intentId: intent.id,
      kind: effect.notice,
      payload: encodeIntentNotice({
        status: intent.status,
        signature: attempt?.signature ?? null,
        attempt: attempt?.n ?? 0,
        lastValidBlockHeight: attempt?.lastValidBlockHeight ?? null,
        sentAt: attempt?.lastSentAt ?? null,
        terms: attempt?.terms ?? null,
        outcome: effect.outcome,
      }),
    },
  ];
}

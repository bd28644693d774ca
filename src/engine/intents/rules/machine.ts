import {
  type DeathLook,
  type DeathRule,
  decodeLooks,
  encodeLooks,
  judgeDeath,
  rememberLook,
} from './death.ts';
import {
  type Attempt,
  type FinalIntentStatus,
  type IntentOutcome,
  type IntentStatus,
  LIVE_ATTEMPT_STATUSES,
  OPEN_INTENT_STATUSES,
} from './intent.ts';
import { LATE_SENDS } from './pace.ts';
import { isWanted, mayRebuildAfterDeath, mayRebuildAfterError } from './retry.ts';
import type {
  AttemptPatch,
  Hearing,
  IntentEffect,
  IntentEvent,
  IntentPatch,
  IntentState,
  Landing,
  NextAction,
  Transition,
} from './transition.ts';
import {
  decodeLandingLooks,
  encodeLandingLooks,
  isOverdue,
  judgeLanding,
  type LandingLook,
  type LandingRule,
  rememberLanding,
} from './verdict.ts';

/** Absent: the rule of production. */
export type VerdictRules = { readonly death?: DeathRule; readonly landing?: LandingRule };

export function isOpen(status: IntentStatus): boolean {
  return OPEN_INTENT_STATUSES.some((open) => open === status);
}

export function isLive(attempt: Attempt): boolean {
  return LIVE_ATTEMPT_STATUSES.some((live) => live === attempt.status);
}

export function nextAction({ intent, attempts }: IntentState, now: number): NextAction {
  if (!isOpen(intent.status)) return { kind: 'done' };
  const live = attempts.find(isLive);
  if (live !== undefined) {
    // Found after a crash between commit and send: the same bytes go out, at any age. Expired bytes are refused.
    return live.sendCount === 0 ? { kind: 'broadcast', attempt: live } : { kind: 'observe', attempt: live };
  }
  if (intent.notBefore !== null && now < intent.notBefore) return { kind: 'wait', until: intent.notBefore };
  return isWanted(intent, now) ? { kind: 'build', n: attempts.length + 1 } : { kind: 'lapse' };
}

/**
 * The state machine of everything that moves money, as a pure reducer: `(state, event, now) → (state', writes, effects)`.
 * The caller commits ALL writes and effects of one transition in ONE database transaction, with every expectation checked;
 * when one does not hold (another worker was faster) nothing is written and the transition did not happen.
 *
 * Why at most one payment comes out of a kill at any point:
 * - before `signed` is committed no bytes have left the process, so a rebuild after a lost lease repeats nothing;
 * - after it, only the committed bytes are ever sent, and the chain executes one signature at most once;
 * - a second attempt is signed only when no attempt is alive: endpoints agree that the first failed for good, or it is proven
 *   DEAD; where they disagree it stays alive and a person must look;
 * - `signed` and `cancelled` both compare-and-set the intent's row, so the loser of that race changes nothing;
 * - a worker that slept past its lease carries an old epoch: all it can still do is resend committed bytes.
 *
 * Throws a RangeError for an event that the state cannot have produced: a bug in the caller, never a race.
 */
export function reduce(
  state: IntentState,
  event: IntentEvent,
  now: number,
  rules: VerdictRules = {},
): Transition {
  const { intent } = state;
  if (!isOpen(intent.status)) return unchanged(state);
  switch (event.kind) {
    case 'refused':
      return refused(state, event.code, event.details, now);
    case 'lapsed':
      return lapsed(state, now);
    case 'cancelled':
      return cancelled(state, now);
    case 'signed':
      return signed(state, event.attempt, now);
    case 'sent':
    case 'seen':
    case 'confirmed':
    case 'finalized':
    case 'looked':
      return attemptEvent(state, event, now, rules);
  }
}

function attemptEvent(
  state: IntentState,
  event: Extract<IntentEvent, { attemptId: string }>,
  now: number,
  rules: VerdictRules,
): Transition {
  const attempt = state.attempts.find((candidate) => candidate.id === event.attemptId);
  if (attempt === undefined) throw new RangeError(`event ${event.kind} names an attempt of another intent`);
  if (!isLive(attempt)) return unchanged(state);
  switch (event.kind) {
    case 'sent':
      return sent(state, attempt, now);
    case 'seen':
      return seen(state, attempt, event.slot);
    case 'confirmed':
      return confirmed(state, attempt, event, now);
    case 'finalized':
      return heard(state, attempt, event, now, rules);
    case 'looked':
      return looked(state, attempt, event.look, now, rules);
  }
}

function unchanged(state: IntentState): Transition {
  return { state, writes: [], effects: [] };
}

function refused(state: IntentState, code: string, details: unknown, now: number): Transition {
  assertNoLiveAttempt(state);
  // Refused at the first attempt: nothing was ever signed. Refused later: an earlier attempt burnt a fee or died by proof.
  if (lastLandedError(state) !== undefined) {
    return conclude(state, 'FAILED', state.intent.outcome ?? { reason: code, details, receipt: null }, now);
  }
  return conclude(
    state,
    state.attempts.length === 0 ? 'REJECTED' : 'EXPIRED',
    { reason: code, details, receipt: null },
    now,
  );
}

function lapsed(state: IntentState, now: number): Transition {
  assertNoLiveAttempt(state);
  const failed = lastLandedError(state) !== undefined;
  const outcome = failed ? state.intent.outcome : null;
  return conclude(
    state,
    failed ? 'FAILED' : 'EXPIRED',
    outcome ?? { reason: null, details: null, receipt: null },
    now,
  );
}

function cancelled(state: IntentState, now: number): Transition {
  // T10: only before anything was signed. ACTIVE means that bytes may be on their way and cannot be recalled.
  if (state.intent.status !== 'CREATED' || state.attempts.length > 0) return unchanged(state);
  return conclude(state, 'CANCELLED', { reason: null, details: null, receipt: null }, now, ['CREATED']);
}

function signed(state: IntentState, attempt: Attempt, now: number): Transition {
  assertNoLiveAttempt(state);
  if (attempt.n !== state.attempts.length + 1 || attempt.intentId !== state.intent.id) {
    throw new RangeError(`attempt ${attempt.n} does not follow ${state.attempts.length}`);
  }
  const patch: IntentPatch = { status: 'ACTIVE', updatedAt: now };
  return {
    state: { intent: { ...state.intent, ...patch }, attempts: [...state.attempts, attempt] },
    // The intent's row first: a cancelled intent or a lost lease must stop the attempt from ever being stored.
    writes: [
      { kind: 'update-intent', expect: OPEN_INTENT_STATUSES, patch },
      { kind: 'insert-attempt', attempt },
    ],
    effects: [],
  };
}

/** People hear of the first send, and of the one some ten seconds later: by then the landing is unusually late. */
const TOLD_AT_SENDS: ReadonlySet<number> = new Set([0, LATE_SENDS - 1]);

function sent(state: IntentState, attempt: Attempt, now: number): Transition {
  const patch: AttemptPatch = { sendCount: attempt.sendCount + 1, lastSentAt: now };
  const next = withAttempt(state, attempt, patch);
  return {
    ...next,
    effects: TOLD_AT_SENDS.has(attempt.sendCount) ? [notify('progress', { ...attempt, ...patch }, null)] : [],
  };
}

function seen(state: IntentState, attempt: Attempt, slot: bigint | null): Transition {
  // Gone again after "processed": the fork died, so it counts as merely signed and is sent again. A confirmed attempt is not demoted by a
  // short status look-up, which a lagging node answers with "unknown" just as well.
  if (slot === null) {
    return attempt.status === 'SEEN'
      ? withAttempt(state, attempt, { status: 'SIGNED', landedSlot: null })
      : unchanged(state);
  }
  if (attempt.status !== 'SIGNED') return unchanged(state);
  return withAttempt(state, attempt, { status: 'SEEN', landedSlot: slot });
}

function confirmed(state: IntentState, attempt: Attempt, landing: Landing, now: number): Transition {
  if (attempt.status === 'CONFIRMED') return unchanged(state);
  const patch: AttemptPatch = { status: 'CONFIRMED', landedSlot: landing.slot, chainError: landing.err };
  const next = withAttempt(state, attempt, patch);
  const finalAttempts = replace(state.attempts, { ...attempt, status: 'LANDED_ERR' });
  const retries =
    landing.err !== null && mayRebuildAfterError(state.intent, finalAttempts, landing.priceMoved, now);
  return {
    ...next,
    effects: retries ? [] : [notify('confirmed', { ...attempt, ...patch }, landedOutcome(state, landing))],
  };
}

/** The endpoints' answers on its finality are kept; they have no effect before they agree, and none at all when they cannot. */
function heard(
  state: IntentState,
  attempt: Attempt,
  event: Landing & Hearing,
  now: number,
  rules: VerdictRules,
): Transition {
  const looks = event.looks.reduce(rememberLanding, decodeLandingLooks(attempt.landingProof));
  const proof: AttemptPatch = event.looks.length === 0 ? {} : { landingProof: encodeLandingLooks(looks) };
  const verdict = judgeLanding(attempt, looks, decodeLooks(attempt.deathProof), rules.landing);
  switch (verdict.kind) {
    case 'agreed':
      return finalized(state, attempt, { ...event, ...verdict }, proof, now);
    case 'disputed':
      return disputed(state, attempt, proof, now);
    case 'open':
      if (event.doubts > 0 && isOverdue(looks, now, rules.landing))
        return disputed(state, attempt, proof, now);
      return event.looks.length === 0 ? unchanged(state) : withAttempt(state, attempt, proof);
  }
}

/** It stays a live attempt, in any case: no new signature beside it, and nothing is given back. */
function disputed(state: IntentState, attempt: Attempt, proof: AttemptPatch, now: number): Transition {
  const next = withAttempt(state, attempt, { ...proof, status: 'UNKNOWN' });
  const end = conclude(
    next.state,
    'NEEDS_REVIEW',
    { reason: null, details: { disputed: true }, receipt: null },
    now,
  );
  return { state: end.state, writes: [...next.writes, ...end.writes], effects: end.effects };
}

function finalized(
  state: IntentState,
  attempt: Attempt,
  landing: Landing,
  proof: AttemptPatch,
  now: number,
): Transition {
  const status = landing.err === null ? 'FINALIZED' : 'LANDED_ERR';
  const patch: AttemptPatch = { ...proof, status, landedSlot: landing.slot, chainError: landing.err };
  const next = withAttempt(state, attempt, patch);
  const toldOtherwise =
    attempt.status === 'CONFIRMED' && (attempt.chainError === null) !== (landing.err === null);
  const outcome = corrected(landedOutcome(state, landing), toldOtherwise);
  if (landing.err === null) {
    const end = conclude(next.state, 'SUCCEEDED', outcome, now);
    return {
      state: end.state,
      writes: [...next.writes, ...end.writes],
      effects: [
        { kind: 'capture', attempt: { ...attempt, ...patch }, receipt: landing.receipt },
        ...end.effects,
      ],
    };
  }
  const burnt: IntentEffect = {
    kind: 'burnt',
    attempt: { ...attempt, ...patch },
    receipt: landing.receipt,
  };
  if (mayRebuildAfterError(state.intent, next.state.attempts, landing.priceMoved, now)) {
    const kept: IntentPatch = { outcome, updatedAt: now };
    return {
      state: { ...next.state, intent: { ...next.state.intent, ...kept } },
      writes: [...next.writes, { kind: 'update-intent', expect: OPEN_INTENT_STATUSES, patch: kept }],
      effects: [burnt],
    };
  }
  const end = conclude(next.state, 'FAILED', outcome, now);
  return { state: end.state, writes: [...next.writes, ...end.writes], effects: [burnt, ...end.effects] };
}

function looked(
  state: IntentState,
  attempt: Attempt,
  look: DeathLook,
  now: number,
  rules: VerdictRules,
): Transition {
  const looks = rememberLook(attempt, decodeLooks(attempt.deathProof), look);
  const landings: readonly LandingLook[] = decodeLandingLooks(attempt.landingProof);
  const deathProof = encodeLooks(looks);
  if (judgeLanding(attempt, landings, looks, rules.landing).kind === 'disputed') {
    return disputed(state, attempt, { deathProof }, now);
  }
  const verdict = judgeDeath(attempt, looks, rules.death);
  if (verdict === 'alive') return withAttempt(state, attempt, { deathProof });
  const next = withAttempt(state, attempt, {
    status: verdict === 'dead' ? 'DEAD' : 'UNKNOWN',
    deathProof,
  });
  if (verdict === 'dead' && mayRebuildAfterDeath(state.intent, next.state.attempts, now)) return next;
  // UNKNOWN stays a live attempt: one that may still have landed blocks any new signature until a person has looked.
  const end =
    verdict === 'dead'
      ? lapsed(next.state, now)
      : conclude(next.state, 'NEEDS_REVIEW', { reason: null, details: null, receipt: null }, now);
  return { state: end.state, writes: [...next.writes, ...end.writes], effects: end.effects };
}

/** The final state, its notice and, unless money may have moved, the release of the held amounts. */
function conclude(
  state: IntentState,
  status: FinalIntentStatus,
  result: IntentOutcome,
  now: number,
  expect: readonly IntentStatus[] = OPEN_INTENT_STATUSES,
): Transition {
  const outcome = corrected(result, status !== 'SUCCEEDED' && state.attempts.some(wasTakenBack));
  const patch: IntentPatch = { status, outcome, updatedAt: now };
  const landedError = lastLandedError(state);
  const effects: IntentEffect[] = [];
  // NEEDS_REVIEW releases nothing: it may have been paid.
  if (status !== 'SUCCEEDED' && status !== 'NEEDS_REVIEW') {
    effects.push({ kind: 'void', landedError: landedError !== undefined, receipt: outcome.receipt });
  }
  effects.push(notify('final', state.attempts.at(-1) ?? null, outcome));
  return {
    state: { ...state, intent: { ...state.intent, ...patch } },
    writes: [{ kind: 'update-intent', expect, patch }],
    effects,
  };
}

/** Reported as done when it was confirmed, and since then proven dead or in doubt. */
function wasTakenBack(attempt: Attempt): boolean {
  return (
    (attempt.status === 'DEAD' || attempt.status === 'UNKNOWN') &&
    attempt.landedSlot !== null &&
    attempt.chainError === null
  );
}

/** Says in the outcome that the person may have read something else before. */
function corrected(outcome: IntentOutcome, isCorrection: boolean): IntentOutcome {
  if (!isCorrection) return outcome;
  const details = typeof outcome.details === 'object' ? outcome.details : { cause: outcome.details };
  return { ...outcome, details: { ...details, corrected: true } };
}

/** Fees that earlier attempts of the same request burnt belong on its receipt as well. */
function landedOutcome(state: IntentState, landing: Landing): IntentOutcome {
  // Before its end an intent has an outcome only from an attempt that landed with an error.
  const lost = state.intent.outcome?.receipt?.feeLamports ?? null;
  return {
    reason: landing.err,
    details:
      landing.err === null && lost === null
        ? null
        : {
            ...(landing.err === null ? {} : { priceMoved: landing.priceMoved }),
            ...(lost === null ? {} : { lostFeeLamports: lost.toString() }),
          },
    receipt: landing.receipt,
  };
}

function withAttempt(state: IntentState, attempt: Attempt, patch: AttemptPatch): Transition {
  return {
    state: { ...state, attempts: replace(state.attempts, { ...attempt, ...patch }) },
    writes: [{ kind: 'update-attempt', id: attempt.id, expect: [attempt.status], patch }],
    effects: [],
  };
}

function replace(attempts: readonly Attempt[], changed: Attempt): readonly Attempt[] {
  return attempts.map((attempt) => (attempt.id === changed.id ? changed : attempt));
}

function notify(
  notice: 'progress' | 'confirmed' | 'final',
  attempt: Attempt | null,
  outcome: IntentOutcome | null,
): IntentEffect {
  return { kind: 'notify', notice, attempt, outcome };
}

function lastLandedError(state: IntentState): Attempt | undefined {
  return state.attempts.findLast((attempt) => attempt.status === 'LANDED_ERR');
}

function assertNoLiveAttempt(state: IntentState): void {
  if (state.attempts.some(isLive)) throw new RangeError('an attempt is still alive');
}

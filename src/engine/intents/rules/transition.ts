import type { DeathLook } from './death.ts';
import type { Attempt, AttemptStatus, Intent, IntentOutcome, IntentStatus, LandedReceipt } from './intent.ts';
import type { LandingLook } from './verdict.ts';

/** The words of the state machine: the events of an intent, and the requests of a transition to its caller. */
export type IntentState = { readonly intent: Intent; readonly attempts: readonly Attempt[] };

export type IntentEvent =
  /** The build or the signing policy refused; nothing was signed for this attempt (T3). */
  | { readonly kind: 'refused'; readonly code: string; readonly details: unknown }
  /** Signed bytes, not yet sent (T4). */
  | { readonly kind: 'signed'; readonly attempt: Attempt }
  /** The committed bytes were handed to the network; its answer does not matter (T5). */
  | { readonly kind: 'sent'; readonly attemptId: string }
  /** In a block that can still be rolled back, or (null) not known any more (T6). */
  | { readonly kind: 'seen'; readonly attemptId: string; readonly slot: bigint | null }
  /** Voted for by a supermajority: a person sees this as the result (T6). */
  | ({ readonly kind: 'confirmed' } & Landing)
  /** Endpoints say that it cannot be rolled back (T7, T8): `looks` decide, the rest is used once they agree. */
  | ({ readonly kind: 'finalized' } & Landing & Hearing)
  /** A round of the death test that found nothing (T9). */
  | { readonly kind: 'looked'; readonly attemptId: string; readonly look: DeathLook }
  /** Its time is over and no attempt is alive. */
  | { readonly kind: 'lapsed' }
  | { readonly kind: 'cancelled' };

export type Landing = {
  readonly attemptId: string;
  readonly slot: bigint;
  readonly err: string | null;
  readonly priceMoved: boolean;
  readonly receipt: LandedReceipt | null;
};

export type Hearing = {
  readonly looks: readonly LandingLook[];
  /** Endpoints that answered and did not bear it out: they do not know it as final, or the only one has no record of it. */
  readonly doubts: number;
};

export type IntentWrite =
  | { readonly kind: 'insert-attempt'; readonly attempt: Attempt }
  | {
      readonly kind: 'update-attempt';
      readonly id: string;
      readonly expect: readonly AttemptStatus[];
      readonly patch: AttemptPatch;
    }
  | {
      readonly kind: 'update-intent';
      readonly expect: readonly IntentStatus[];
      readonly patch: IntentPatch;
    };

export type AttemptPatch = Partial<
  Pick<
    Attempt,
    'status' | 'sendCount' | 'lastSentAt' | 'landedSlot' | 'chainError' | 'deathProof' | 'landingProof'
  >
>;
export type IntentPatch = Partial<Pick<Intent, 'status' | 'outcome' | 'updatedAt'>>;

export type IntentEffect =
  | {
      readonly kind: 'notify';
      readonly notice: 'progress' | 'confirmed' | 'final';
      readonly attempt: Attempt | null;
      readonly outcome: IntentOutcome | null;
    }
  /** It happened for good: post the held and earned amounts. */
  | { readonly kind: 'capture'; readonly attempt: Attempt; readonly receipt: LandedReceipt | null }
  /** An attempt landed with an error for good: its fee is gone, whether another follows or not. */
  | { readonly kind: 'burnt'; readonly attempt: Attempt; readonly receipt: LandedReceipt | null }
  /** It did not and cannot happen any more: give back the held amounts. */
  | { readonly kind: 'void'; readonly landedError: boolean; readonly receipt: LandedReceipt | null };

export type Transition = {
  readonly state: IntentState;
  readonly writes: readonly IntentWrite[];
  readonly effects: readonly IntentEffect[];
};

/** A worker's next action; every branch ends in one event. */
export type NextAction =
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'lapse' }
  | { readonly kind: 'build'; readonly n: number }
  | { readonly kind: 'broadcast'; readonly attempt: Attempt }
  | { readonly kind: 'observe'; readonly attempt: Attempt };

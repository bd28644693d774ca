import type { Attempt, IntentOutcome, LandedReceipt } from './intent.ts';
import type { AttemptPatch, IntentEffect, IntentState, IntentWrite, Transition } from './transition.ts';

/** How an attempt ended for good: in a finalized block and done, in one with an error, or never to be in one. */
export const VERDICTS = ['landed', 'failed', 'dead'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One endpoint's opinion on an attempt. `odd`: its record denies its own status. Null: nothing that it can prove. */
export type Opinion = {
  readonly endpoint: string;
  /** How many endpoints there are. */
  readonly endpoints: number;
  readonly word: Verdict | 'odd' | null;
};

export type Agreement =
  | { readonly kind: 'agreed'; readonly word: Verdict }
  /** An endpoint lies or is confused. */
  | { readonly kind: 'disputed' }
  /** Too few can say anything. */
  | { readonly kind: 'open' };

/**
 * The agreement of endpoints, with the rule of every other verdict: two of them say the same and none says otherwise. Where there is only
 * one it must have said so twice; the caller makes sure that time lies between.
 */
export function agreementOf(opinions: readonly Opinion[]): Agreement {
  const words = new Set(opinions.flatMap(({ word }) => word ?? []));
  if (words.size > 1 || words.has('odd')) return { kind: 'disputed' };
  const [word] = words;
  const said = opinions.filter((one) => one.word !== null);
  const speakers = new Set(said.map(({ endpoint }) => endpoint));
  const isEnough = speakers.size >= 2 || (isAlone(opinions) && said.length >= 2);
  return word === undefined || word === 'odd' || !isEnough ? { kind: 'open' } : { kind: 'agreed', word };
}

/** There is no other endpoint to ask. */
export function isAlone(opinions: readonly Opinion[]): boolean {
  return opinions.length > 0 && opinions.every(({ endpoints }) => endpoints === 1);
}

/** A person's finding on an intent that waits for one. */
export type Finding = {
  readonly verdict: Verdict;
  /** The attempt that landed or failed; null when all are dead. */
  readonly attempt: Attempt | null;
  readonly slot: bigint | null;
  /** The chain's error as JSON text; null when there is none, or no endpoint serves it. */
  readonly err: string | null;
  readonly receipt: LandedReceipt | null;
};

const STATUS = { landed: 'FINALIZED', failed: 'LANDED_ERR', dead: 'DEAD' } as const;

/**
 * Ends an intent that waits for a person: the held amounts are booked or given back, once, because every write expects the intent to wait
 * still. To be committed whole, like every transition. Throws a RangeError for an intent that does not wait, and for an attempt of another
 * intent: a bug in the caller.
 */
export function reviewed(state: IntentState, finding: Finding, now: number): Transition {
  const { intent, attempts } = state;
  if (intent.status !== 'NEEDS_REVIEW') throw new RangeError(`${intent.id} is ${intent.status}`);
  const { verdict, receipt } = finding;
  const changes = attempts.flatMap((attempt) => {
    const patch = patchOf(attempt, finding);
    return patch === null ? [] : [{ attempt, patch }];
  });
  const after = attempts.map((attempt) => ({
    ...attempt,
    ...changes.find((change) => change.attempt === attempt)?.patch,
  }));
  const landed = after.find(({ id }) => id === finding.attempt?.id) ?? null;
  if (finding.attempt !== null && landed === null) throw new RangeError('an attempt of another intent');
  const hasFailed = after.some(({ status }) => status === 'LANDED_ERR');
  const status = verdict === 'landed' ? 'SUCCEEDED' : hasFailed ? 'FAILED' : 'EXPIRED';
  const outcome: IntentOutcome = {
    reason: verdict === 'failed' ? finding.err : null,
    // The person has read that the outcome is unknown: the words say that this replaces it.
    details: { corrected: true, reviewed: true },
    receipt,
  };
  const end = { status, outcome, updatedAt: now } as const;
  const writes: readonly IntentWrite[] = [
    // The intent first: of two people who decide at once the second must change nothing.
    { kind: 'update-intent', expect: ['NEEDS_REVIEW'], patch: end },
    ...changes.map(({ attempt, patch }): IntentWrite => {
      return { kind: 'update-attempt', id: attempt.id, expect: [attempt.status], patch };
    }),
  ];
  const books: IntentEffect =
    verdict === 'landed' && landed !== null
      ? { kind: 'capture', attempt: landed, receipt }
      : { kind: 'void', landedError: hasFailed, receipt };
  const told: IntentEffect = {
    kind: 'notify',
    notice: 'final',
    attempt: landed ?? after.at(-1) ?? null,
    outcome,
  };
  return { state: { intent: { ...intent, ...end }, attempts: after }, writes, effects: [books, told] };
}

/** Null where the finding says nothing new: an attempt that failed before stays so. */
function patchOf(attempt: Attempt, { verdict, attempt: named, slot, err }: Finding): AttemptPatch | null {
  if (attempt.id === named?.id) {
    return { status: STATUS[verdict], landedSlot: slot, chainError: verdict === 'failed' ? err : null };
  }
  return attempt.status === 'LANDED_ERR' || attempt.status === 'DEAD' ? null : { status: 'DEAD' };
}

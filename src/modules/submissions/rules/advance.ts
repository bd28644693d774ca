import { hasAged } from '../../../core/time/age.ts';
import { judgeDeath } from '../../../engine/intents/rules/death.ts';
import { isOverdue, judgeLanding, LANDING_RULE } from '../../../engine/intents/rules/verdict.ts';
import type { SignatureStatus } from '../../../platform/ports/chain.ts';
import { isFinal, type Submission } from './submission.ts';

/** The last valid height is asked for this long after the blockhash was found good: a node that lagged has caught up by then. */
export const HEIGHT_AFTER_MS = 5_000;
/** A blockhash is that of a block at most so many slots back. */
export const HASH_SLOT_MARGIN = 1_000n;
/** A blockhash is good for so many blocks. */
export const HASH_LIFE = 150n;
const RESEND_MS = 2_000;
/** Between two rounds of the death test. */
const DEATH_AGAIN_MS = 5_000;

/** The effect of one node's status. Nothing final: a fork takes `processed` and `confirmed` back to `sent`. */
export function heard(submission: Submission, status: SignatureStatus | null): Submission {
  if (isFinal(submission) || submission.status === 'disputed') return submission;
  if (status === null) {
    const isGone = submission.status === 'processed' || submission.status === 'confirmed';
    return isGone ? { ...submission, status: 'sent', slot: null, err: null } : submission;
  }
  const { slot, err } = status;
  const level = status.level === 'processed' ? 'processed' : 'confirmed';
  return { ...submission, status: level, slot, err };
}

/**
 * The end that the looks so far prove, or the submission as it is. `finalized` and `failed` take two endpoints that agree, or the only
 * one twice; `expired` the same of its death, with a history that reaches back. `disputed` where looks contradict each other or bear
 * nothing out for ten minutes.
 */
export function judged(submission: Submission, now: number): Submission {
  if (isFinal(submission)) return submission;
  const { landings, deaths, slotFloor, lastValidBlockHeight, receivedAt } = submission;
  const landing = judgeLanding({ signedSlot: slotFloor }, landings, deaths);
  if (landing.kind === 'agreed') {
    const { err } = landing;
    const slot = landings.at(-1)?.slot ?? submission.slot;
    return { ...submission, status: err === null ? 'finalized' : 'failed', err, slot, transaction: null };
  }
  if (landing.kind === 'disputed' || isOverdue(landings, now)) return disputed(submission);
  if (landings.length > 0 || lastValidBlockHeight === null) return submission;
  const death = judgeDeath({ lastValidBlockHeight, signedSlot: slotFloor, signedAt: receivedAt }, deaths);
  if (death === 'unprovable') return disputed(submission);
  if (death === 'alive') return submission;
  return { ...submission, status: 'expired', slot: null, err: null, transaction: null };
}

const disputed = (submission: Submission): Submission =>
  submission.status === 'disputed' ? submission : { ...submission, status: 'disputed' };

/** Whether its bytes go out again: not while a death is being proven or nodes contradict each other, and never once it is final. */
export function isSendDue({ transaction, deaths, lastSentAt, status }: Submission, now: number): boolean {
  if (transaction === null || deaths.length > 0 || status === 'disputed') return false;
  return lastSentAt === null || hasAged(lastSentAt, RESEND_MS, now);
}

export function isHeightDue({ lastValidBlockHeight, receivedAt }: Submission, now: number): boolean {
  return lastValidBlockHeight === null && hasAged(receivedAt, HEIGHT_AFTER_MS, now);
}

/** Whether its death may be asked for, once its height has passed: the same look again proves no more than the first. */
export function isDeathDue({ deaths, lastValidBlockHeight }: Submission, now: number): boolean {
  return lastValidBlockHeight !== null && deaths.every(({ at }) => hasAged(at, DEATH_AGAIN_MS, now));
}

export function isLandingDue({ landings }: Submission, now: number): boolean {
  return landings.every(({ at }) => hasAged(at, LANDING_RULE.secondLookAfterMs, now));
}

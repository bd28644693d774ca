import { namesOfWay } from './send-way.ts';
import { isFinal, type Submission } from './submission.ts';

/** A submission as callers read it, in answers and in events. */
export type SubmissionRecord = {
  signature: string;
  status: Submission['status'];
  final: boolean;
  version: number;
  err: unknown;
  slot: string | null;
  feePayer: string;
  blockhash: string;
  lastValidBlockHeight: string | null;
  senders: string[];
  sends: number;
  reference: string | null;
  receivedAt: string;
  changedAt: string;
};

/** The record as this account may read it (null: no key): a reference is its account's own, and the rest is on the chain for all. */
export function recordFor(account: string | null, submission: Submission): SubmissionRecord {
  const record = recordOf(submission);
  return submission.account === account ? record : { ...record, reference: null };
}

/** The record of a submission now, for its own account. */
function recordOf(submission: Submission): SubmissionRecord {
  const { signature, status, version, err, slot, feePayer, blockhash, sends, reference } = submission;
  return {
    signature,
    status,
    final: isFinal(submission),
    version,
    err: err === null ? null : JSON.parse(err),
    slot: slot === null ? null : slot.toString(),
    feePayer,
    blockhash,
    lastValidBlockHeight: submission.lastValidBlockHeight?.toString() ?? null,
    senders: namesOfWay(submission.way),
    sends,
    reference,
    receivedAt: new Date(submission.receivedAt).toISOString(),
    changedAt: new Date(submission.changedAt).toISOString(),
  };
}

/** An event of a submission. Its id is the same for every webhook and every time that the status is reached. */
export type SubmissionEvent = { readonly id: string; readonly type: string; readonly body: string };

const TOLD: readonly Submission['status'][] = ['confirmed', 'finalized', 'failed', 'expired', 'disputed'];

/** The event that a state is; null where callers need not hear of it. */
export function eventOf(submission: Submission): SubmissionEvent | null {
  const { signature, status, changedAt } = submission;
  if (!TOLD.includes(status)) return null;
  const type = `transaction.${status}`;
  const timestamp = new Date(changedAt).toISOString();
  return {
    id: `${type}.${signature}`,
    type,
    body: JSON.stringify({ type, timestamp, data: recordOf(submission) }),
  };
}

import type { Address } from '@tradepost/solana';
import type { DeathLook } from '../../../engine/intents/rules/death.ts';
import type { LandingLook } from '../../../engine/intents/rules/verdict.ts';
import type { SendWay } from './send-way.ts';

/**
 * Where a transaction is. `received`: kept, not sent yet. `sent`: a node took the bytes, or may have. `processed`: in a block by one
 * node's word. `confirmed`: in a block that most validators voted for. The next three are final and never change. `disputed`: nodes
 * contradict each other, and a person must look before anything is built anew.
 */
export const SUBMISSION_STATUSES = [
  'received',
  'sent',
  'processed',
  'confirmed',
  'finalized',
  'failed',
  'expired',
  'disputed',
] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

const FINAL: readonly SubmissionStatus[] = ['finalized', 'failed', 'expired'];

/** A transaction of a caller, by its first signature. */
export type Submission = {
  readonly signature: string;
  /** The signed bytes; null once the end is final. */
  readonly transaction: Uint8Array | null;
  readonly feePayer: Address;
  /** Whose key it came with; null on the open host. */
  readonly account: string | null;
  /** The caller's own name for it. */
  readonly reference: string | null;
  readonly blockhash: string;
  /** No block above this height can hold it; null until the nodes have reported enough. */
  readonly lastValidBlockHeight: bigint | null;
  /** It cannot have landed in an earlier slot. */
  readonly slotFloor: bigint;
  /** Where its bytes go, each time that they go. */
  readonly way: SendWay;
  readonly status: SubmissionStatus;
  /** Grows with each change: of two records the one with the higher version is the newer. */
  readonly version: number;
  readonly sends: number;
  readonly lastSentAt: number | null;
  /** Of the block that holds it; null while none is known to. */
  readonly slot: bigint | null;
  /** The chain's error as JSON text; null when it worked, or has not landed. */
  readonly err: string | null;
  readonly deaths: readonly DeathLook[];
  readonly landings: readonly LandingLook[];
  readonly receivedAt: number;
  readonly changedAt: number;
};

export function isFinal({ status }: Pick<Submission, 'status'>): boolean {
  return FINAL.includes(status);
}

/** Whether a wait for `level` is over: it is reached, or nothing better can be expected soon. */
export function hasReached({ status }: Pick<Submission, 'status'>, level: 'confirmed' | 'final'): boolean {
  return FINAL.includes(status) || status === 'disputed' || (level === 'confirmed' && status === 'confirmed');
}

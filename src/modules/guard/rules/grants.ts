import { isStill, type Reading } from '../../../core/time/due.ts';
import type { Doubt } from './doubt.ts';
import type { Guard } from './guard.ts';

/**
 * The permissions of the PIN for an order, beyond those that any chat has. Its later fires are judged by it, also when another person
 * holds the chat.
 */
export type Grants = {
  /** A sale may bring less than the fair price of now or the usual price. */
  readonly steep: boolean;
  /** The doubts about the token that the person agreed to. */
  readonly doubts: readonly Doubt[];
  /** Of the guard when it was given: a lock raises that, and then the grant counts no more. */
  readonly lockEpoch: number;
  /** Epoch milliseconds. */
  readonly until: number;
};

/** Whether a grant still counts: its time is not over, and nothing has locked trades since. */
export function grantsHold(
  grants: Grants | null,
  guard: Pick<Guard, 'lockEpoch'>,
  at: Reading,
): grants is Grants {
  return grants !== null && grants.lockEpoch === guard.lockEpoch && isStill(grants.until, at);
}

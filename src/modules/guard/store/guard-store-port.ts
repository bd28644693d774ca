import type { Flag } from '../../../engine/switches/store-port.ts';
import type { Act, Rate } from '../rules/acts.ts';
import type { CapUse } from '../rules/cap.ts';
import type { Guard } from '../rules/guard.ts';
import type { Passed } from '../rules/passed.ts';
import type { SpentSums } from '../rules/spent.ts';

export type WithdrawalUse = {
  readonly intentId: string;
  readonly userId: string;
  /** Null when its worth is not known. */
  readonly lamports: bigint | null;
  /** When it is due: its place in the window of 24 hours. */
  readonly countsAt: number;
};

/** Something that was spent. */
export type SpendingUse = Omit<WithdrawalUse, 'lamports'> & {
  /** Without a PIN. */
  readonly lamports: bigint;
  /** In all, at least as much; absent = no more than that. */
  readonly all?: bigint;
  /** Of all, for doubted tokens. */
  readonly doubted?: bigint;
  /** Of each, the network's fees at most. They still count when an intent landed and moved nothing. */
  readonly fees?: bigint;
  /** Fees of a sale at the lowest priority, beside all. */
  readonly floor?: bigint;
};

/** Who did it: a person, or who reads the mail of an account of the API. */
export type ActBy =
  | { readonly userId: string; readonly account?: never }
  | { readonly account: string; readonly userId?: never };

/** An act that is limited to so many within a span. */
export type ActUse = {
  readonly id: string;
  readonly by: ActBy;
  readonly rate: Rate;
  readonly at: number;
};

export interface GuardStore {
  /** The person's guard; the empty one when they have set nothing yet. */
  find(userId: string): Promise<Guard>;
  /** As `find`, and which switches are thrown: all that may stop a signature, as one statement saw it. */
  findWithPauses(userId: string): Promise<{ readonly guard: Guard; readonly paused: ReadonlySet<Flag> }>;
  /** As `find`, with the answer of `sumsSince`, from one statement. */
  findWithSums(userId: string, since: number): Promise<{ readonly guard: Guard; readonly spent: SpentSums }>;
  /** As `find`, with the lock on the person's guard until the transaction ends. */
  lock(userId: string): Promise<Guard>;
  /** Writes the whole guard. The act that changes it has passed the gate, because the protection may have changed. */
  save(guard: Guard, passed: Passed<Act>): Promise<void>;
  /** Writes only the traces of a proof: tries, lock-outs, used codes, the last right PIN, an opened link. */
  saveTries(guard: Guard): Promise<void>;
  /** The person whose unopened link to a new second factor has this digest. */
  findByTotpLink(link: string): Promise<string | null>;
  /** In the transaction that writes the intent; the intent may come later in it. */
  addUse(use: WithdrawalUse): Promise<void>;
  /** Uses that count at or after `since` and whose intents moved money or still may. */
  usedSince(userId: string, since: number): Promise<CapUse>;
  /** In the transaction of the act itself, under the lock of the person or of the account. */
  addAct(use: ActUse): Promise<void>;
  /** No other transaction gets this lock until this one ends. */
  lockAccount(account: string): Promise<void>;
  /** When acts of this rate were done at or after `since`, the oldest first. */
  actsSince(by: ActBy, rate: Rate, since: number): Promise<readonly number[]>;
  /** As `addUse`, for spending. */
  addSpending(use: SpendingUse): Promise<void>;
  /**
   * All sums of spending at or after `since`, and without a PIN since it was last right, by intents that moved money or still may; of
   * others the fees, where one landed.
   */
  sumsSince(userId: string, since: number): Promise<SpentSums>;
}

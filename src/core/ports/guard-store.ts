import type { CapUse } from '../guard/cap.ts';
import type { Guard } from '../guard/guard.ts';
import type { Flag } from './flag-store.ts';

export type WithdrawalUse = {
  readonly intentId: string;
  readonly userId: string;
  /** Null when its worth is not known. */
  readonly lamports: bigint | null;
  /** When it is due: its place in the window of 24 hours. */
  readonly countsAt: number;
};

/** Something that was spent without a PIN. */
export type SpendingUse = Omit<WithdrawalUse, 'lamports'> & { readonly lamports: bigint };

export interface GuardStore {
  /** The person's guard; the empty one when they have set nothing yet. */
  find(userId: string): Promise<Guard>;
  /** As `find`, and which switches are thrown: all that may stop a signature, as one statement saw it. */
  findWithPauses(userId: string): Promise<{ readonly guard: Guard; readonly paused: ReadonlySet<Flag> }>;
  /** As `find`, and what `spentSince` says, as one statement saw them. */
  findWithSpent(userId: string, since: number): Promise<{ readonly guard: Guard; readonly spent: bigint }>;
  /** As `find`, and nobody else gets this lock until the transaction ends. */
  lock(userId: string): Promise<Guard>;
  save(guard: Guard): Promise<void>;
  /** The person whose unopened link to a new second factor has this digest. */
  findByTotpLink(link: string): Promise<string | null>;
  /** In the transaction that writes the intent; the intent may come later in it. */
  addUse(use: WithdrawalUse): Promise<void>;
  /** Uses that count at or after `since` and whose intents moved money or still may. */
  usedSince(userId: string, since: number): Promise<CapUse>;
  /** As `addUse`, for what is spent without a PIN. */
  addSpending(use: SpendingUse): Promise<void>;
  /** Lamports spent without a PIN at or after `since`, by intents that moved money or still may. */
  spentSince(userId: string, since: number): Promise<bigint>;
}

import { hasAged } from '../../../core/time/age.ts';
import type { IsVoid } from './debt-notes.ts';
import type { CopiedEntry, JournalEntry } from './record.ts';

/** The purchases of a copy that were signed within one mandate, in lamports: those of a day, and all. */
export type CopiedSums = { readonly today: bigint; readonly inAll: bigint };

/** A mandate: a new one of the same copy has another end and begins anew. */
export type MandateName = Pick<CopiedEntry, 'copyId' | 'until'>;

/** The purchases of copies, by the journal's lines. Lines are taken in their order. */
export type CopyNotes = {
  /** Another line of the same intent counts in place of the earlier one. */
  apply(entry: JournalEntry, at: number): void;
  /** The sums of a mandate, `today` at `since` (epoch milliseconds) or later, without the intents that `skips` names. */
  sums(mandate: MandateName, since: number, skips: IsVoid): CopiedSums;
  /** The intents of these sums, the oldest first. */
  intents(mandate: MandateName): readonly string[];
  has(intentId: string): boolean;
  /** Forgets those whose mandates are over. */
  forget(now: number): void;
};

/** Longer than a purchase that was confirmed is on its way. */
const MARGIN_MS = 86_400_000;

export function createCopyNotes(): CopyNotes {
  /** By intent, in the order of signing. */
  const notes = new Map<string, CopiedEntry & { readonly at: number }>();
  const of = ({ copyId, until }: MandateName) =>
    [...notes.values()].filter((note) => note.copyId === copyId && note.until === until);
  return {
    apply: (entry, at) => {
      if (entry.kind === 'copied') notes.set(entry.intentId, { ...entry, at });
    },
    sums: (mandate, since, skips) =>
      of(mandate).reduce(
        (sums, { intentId, lamports, at }) =>
          skips(intentId)
            ? sums
            : {
                today: at >= since ? sums.today + lamports : sums.today,
                inAll: sums.inAll + lamports,
              },
        { today: 0n, inAll: 0n },
      ),
    intents: (mandate) => of(mandate).map(({ intentId }) => intentId),
    has: (intentId) => notes.has(intentId),
    forget: (now) => {
      for (const [intentId, { until }] of notes) if (hasAged(until, MARGIN_MS, now)) notes.delete(intentId);
    },
  };
}

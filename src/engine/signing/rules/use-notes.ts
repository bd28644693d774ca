import type { IsVoid } from './debt-notes.ts';
import type { JournalEntry, SignedUse } from './record.ts';

/** The sums of a person's signatures, in lamports, and the number of those whose worth is not known. */
export type UsedSums = Pick<SignedUse, 'withdrawn' | 'spent'> & { readonly unpriced: number };

/** The part of each signed intent in its person's sums of a day, by the journal's lines. Lines are taken in their order. */
export type UseNotes = {
  /** Another signature of the same intent counts in place of the earlier one. */
  apply(entry: JournalEntry, at: number): void;
  /** The sums of a person at `since` (epoch milliseconds) or later, without the intents that `skips` names. */
  since(userId: string, since: number, skips: IsVoid): UsedSums;
  /** The intents of these sums, the oldest first. */
  intents(userId: string, since: number): readonly string[];
  /** Forgets those from before `before`. */
  forget(before: number): void;
};

export function createUseNotes(): UseNotes {
  /** By intent, in the order of signing. */
  const notes = new Map<string, SignedUse & { readonly at: number }>();
  const ofPerson = new Map<string, Set<string>>();
  const drop = (intentId: string): void => {
    const userId = notes.get(intentId)?.userId;
    if (userId === undefined) return;
    notes.delete(intentId);
    const left = ofPerson.get(userId);
    left?.delete(intentId);
    if (left?.size === 0) ofPerson.delete(userId);
  };
  const intents = (userId: string, since: number): readonly string[] =>
    [...(ofPerson.get(userId) ?? [])].filter((id) => (notes.get(id)?.at ?? since) >= since);
  return {
    apply: (entry, at) => {
      if (entry.kind !== 'signed' || entry.use === undefined) return;
      const { intentId, use } = entry;
      drop(intentId);
      notes.set(intentId, { ...use, at });
      ofPerson.set(use.userId, (ofPerson.get(use.userId) ?? new Set()).add(intentId));
    },
    since: (userId, since, skips) =>
      intents(userId, since).reduce(
        (sums, intentId) => {
          const note = skips(intentId) ? undefined : notes.get(intentId);
          return note === undefined
            ? sums
            : {
                withdrawn: sums.withdrawn + note.withdrawn,
                spent: sums.spent + note.spent,
                unpriced: sums.unpriced + (note.unpriced === true ? 1 : 0),
              };
        },
        { withdrawn: 0n, spent: 0n, unpriced: 0 },
      ),
    intents,
    forget: (before) => {
      for (const [intentId, { at }] of notes) {
        if (at >= before) return;
        drop(intentId);
      }
    },
  };
}

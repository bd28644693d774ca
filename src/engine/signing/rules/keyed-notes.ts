import type { JournalEntry, KeyedEntry } from './record.ts';

/** A request of a personal key that was confirmed for an intent. */
export type KeyedNote = Omit<KeyedEntry, 'kind'> & { readonly at: number };

/** The confirmed requests of personal keys, by the journal's lines. Lines are taken in their order. */
export type KeyedNotes = {
  apply(entry: JournalEntry, at: number): void;
  /** The request that an intent was confirmed for; null where no line of the last day says one. */
  of(intentId: string): KeyedNote | null;
  /** Whether a request with this nonce of the key was confirmed. */
  isUsed(keyId: string, nonce: string): boolean;
  /** Other intents that requests with the same idempotency key were confirmed for. */
  others(note: KeyedNote): readonly string[];
  /** Lamports of the key's requests at `since` (epoch milliseconds) or later: the largest of each idempotency key, without `except`. */
  spentSince(keyId: string, since: number, except: string): bigint;
  /** Forgets those from before `before`. */
  forget(before: number): void;
};

export function createKeyedNotes(): KeyedNotes {
  /** By intent, in the order of their confirmation. */
  const notes = new Map<string, KeyedNote>();
  const ofKey = (keyId: string): readonly KeyedNote[] =>
    [...notes.values()].filter((note) => note.keyId === keyId);
  return {
    apply: (entry, at) => {
      if (entry.kind !== 'keyed') return;
      const { kind: _kind, ...note } = entry;
      notes.set(note.intentId, { ...note, at });
    },
    of: (intentId) => notes.get(intentId) ?? null,
    isUsed: (keyId, nonce) => ofKey(keyId).some((note) => note.nonce === nonce),
    others: ({ keyId, idemKey, intentId }) =>
      ofKey(keyId).flatMap((note) =>
        note.idemKey === idemKey && note.intentId !== intentId ? [note.intentId] : [],
      ),
    spentSince: (keyId, since, except) => {
      const largest = new Map<string, bigint>();
      for (const { idemKey, at, lamports } of ofKey(keyId))
        if (at >= since && idemKey !== except && lamports > (largest.get(idemKey) ?? 0n))
          largest.set(idemKey, lamports);
      return [...largest.values()].reduce((sum, lamports) => sum + lamports, 0n);
    },
    forget: (before) => {
      for (const [intentId, { at }] of notes) if (at < before) notes.delete(intentId);
    },
  };
}

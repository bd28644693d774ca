import { hasAged } from '../../../core/time/age.ts';
import type { WritableEntry } from './line.ts';
import type { JournalEntry, KeyEndedEntry, KeyedEntry } from './record.ts';

/** A request of a personal key that was confirmed for an intent. */
export type KeyedNote = Omit<KeyedEntry, 'kind'> & { readonly at: number };

/** The confirmed requests of personal keys and the ends of keys, by the journal's lines. Lines are taken in their order. */
export type KeyedNotes = {
  apply(entry: JournalEntry, at: number): void;
  /** The requests that an intent was confirmed for; none where no line of the last day says one. */
  of(intentId: string): readonly KeyedNote[];
  /** Whether a request with this nonce of the key was confirmed. */
  isUsed(keyId: string, nonce: string): boolean;
  /** Other intents that requests of the key with this idempotency key were confirmed for. */
  others(keyId: string, idemKey: string, intentId: string): readonly string[];
  /** Lamports of the key's requests at `since` (epoch milliseconds) or later: the largest of each idempotency key, without `except`. */
  spentSince(keyId: string, since: number, except: string): bigint;
  /** Whether the key was ended by its person. */
  isEnded(keyId: string): boolean;
  /** The lines of ends from before `before`, to be written again, so that the journal's start may be forgotten. */
  due(before: number, now: number): readonly WritableEntry[];
  /** Forgets requests from before `before`, and the ends of keys that have ended by themselves. */
  forget(before: number, now: number): void;
};

/** Longer than a request that was confirmed is on its way. */
const MARGIN_MS = 2 * 86_400_000;

export function createKeyedNotes(): KeyedNotes {
  /** By key and nonce, in the order of their confirmation: two requests for one intent are two notes, and both nonces are used up. */
  const notes = new Map<string, KeyedNote>();
  /** By key. */
  const ends = new Map<string, KeyEndedEntry & { readonly at: number }>();
  const ofKey = (keyId: string): readonly KeyedNote[] =>
    [...notes.values()].filter((note) => note.keyId === keyId);
  return {
    apply: (entry, at) => {
      if (entry.kind === 'key-ended') ends.set(entry.keyId, { ...entry, at });
      if (entry.kind !== 'keyed') return;
      const { kind: _kind, ...note } = entry;
      notes.set(`${note.keyId} ${note.nonce}`, { ...note, at });
    },
    of: (intentId) => [...notes.values()].filter((note) => note.intentId === intentId),
    isUsed: (keyId, nonce) => notes.has(`${keyId} ${nonce}`),
    others: (keyId, idemKey, intentId) =>
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
    isEnded: (keyId) => ends.has(keyId),
    due: (before, now) => {
      const due = [...ends.values()].filter(({ at }) => at < before);
      for (const end of due) ends.set(end.keyId, { ...end, at: now });
      return due.map(({ keyId, until }) => ({ kind: 'key-ended', keyId, until }));
    },
    forget: (before, now) => {
      for (const [name, { at }] of notes) if (at < before) notes.delete(name);
      for (const [keyId, { until }] of ends) if (hasAged(until, MARGIN_MS, now)) ends.delete(keyId);
    },
  };
}

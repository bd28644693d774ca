import type { JournalBook } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { LookAtChain } from './look-at-chain.ts';

export type EndDeps = {
  readonly book: JournalBook;
  readonly look: LookAtChain;
  readonly write: (entry: WritableEntry) => Promise<void>;
};

/**
 * How the signatures for an intent ended, by the signer's own look at the chain; an end is written down and not asked for again.
 * `forgotten`: the journal knows no signature of it any more, or its lines came right before a crash.
 */
export async function endOfIntent(
  deps: EndDeps,
  intentId: string,
): Promise<'landed' | 'undecided' | 'void' | 'forgotten'> {
  const notes = deps.book.of(intentId);
  if (notes.length === 0) return 'forgotten';
  if (notes.some(({ end }) => end === 'landed')) return 'landed';
  let isOpen = false;
  for (const note of notes) {
    if (note.end !== null) continue;
    const { word, looks } = await deps.look(note);
    if (word === 'undecided') isOpen = true;
    else await deps.write({ kind: 'ended', signature: note.signature, how: word, looks });
    if (word === 'landed') return 'landed';
  }
  return isOpen ? 'undecided' : 'void';
}

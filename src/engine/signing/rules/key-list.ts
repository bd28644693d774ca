import type { JournalRecord, KeyEntry } from './record.ts';

/** A wallet of the keybook: its lines, the newest first, and its person as its committed row said; null = never seen committed. */
export type KeptKey = {
  readonly lines: readonly [KeyEntry, ...KeyEntry[]];
  readonly owner: string | null;
};

/**
 * The wallets of a keybook by their ids, in the order in which they were made. Lines are taken in their order; an `owned` line of an
 * unknown wallet changes nothing.
 */
export function takeKeyLine(keys: Map<string, KeptKey>, { entry }: Pick<JournalRecord, 'entry'>): void {
  if (entry.kind === 'key') {
    const known = keys.get(entry.walletId);
    keys.set(entry.walletId, { lines: [entry, ...(known?.lines ?? [])], owner: known?.owner ?? null });
  }
  if (entry.kind !== 'owned') return;
  const known = keys.get(entry.walletId);
  if (known !== undefined) keys.set(entry.walletId, { ...known, owner: entry.telegramId });
}

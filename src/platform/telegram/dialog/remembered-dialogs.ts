import type { DialogStore } from '../../ports/dialog-store.ts';

type Remembered = { readonly revision: number; readonly value: string } | null;
type Dialogs = Pick<DialogStore, 'read' | 'write' | 'delete'>;

/** More people than ever answer a question at the same time. */
const MAX_ENTRIES = 10_000;

/**
 * Dialogue state read once and then kept in memory beside the store, for the ONE process that polls. Telegram gives a bot's updates to a
 * single poller, so no other process writes these rows, and most taps come from people in no dialogue at all. Saves a statement per tap.
 * Every write still goes through, fenced by its revision; when one is refused (another instance took over) the memory is dropped and the
 * store is asked again.
 */
export function rememberDialogs(store: Dialogs): Dialogs {
  const known = new Map<string, Remembered>();
  const remember = (key: string, row: Remembered): void => {
    known.delete(key);
    known.set(key, row);
    if (known.size <= MAX_ENTRIES) return;
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  };
  return {
    read: async (key) => {
      const row = known.get(key);
      if (row !== undefined) return row;
      const stored = await store.read(key);
      remember(key, stored);
      return stored;
    },
    write: async (key, revision, value, ttlSeconds) => {
      // Unknown until the store has answered: a lost answer must not leave a guess behind.
      known.delete(key);
      const written = await store.write(key, revision, value, ttlSeconds);
      if (written) remember(key, { revision: revision + 1, value });
      return written;
    },
    delete: async (key) => {
      known.delete(key);
      await store.delete(key);
      remember(key, null);
    },
  };
}

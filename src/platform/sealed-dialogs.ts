import type { DialogStore } from './ports/dialog-store.ts';
import type { SealCheck } from './sealed-buttons.ts';

/** Of a state as the chat knows it. A locked one takes half as much again. */
const MAX_BYTES = 64 * 1_024;

/**
 * Dialogues and questions for secrets that only the chat's key opens, each bound to its person and revision. A row that does not open is
 * reported and deleted: its person starts again.
 */
export function sealedDialogs<S extends Pick<DialogStore, 'read' | 'write' | 'delete'>>(
  store: S,
  { seals, onForged }: SealCheck,
): S {
  return {
    ...store,
    read: async (key) => {
      const row = await store.read(key);
      if (row === null) return null;
      const value = seals.open(placeOf(key, row.revision), row.value);
      if (value !== null) return { revision: row.revision, value };
      onForged({ table: 'bot_dialogs', key });
      await store.delete(key);
      return null;
    },
    write: async (key, revision, value, ttlSeconds) => {
      const bytes = Buffer.byteLength(value);
      if (bytes > MAX_BYTES)
        throw new RangeError(`dialogue ${key}: ${bytes} bytes, and ${MAX_BYTES} is the most`);
      return store.write(key, revision, seals.lock(placeOf(key, revision + 1), value), ttlSeconds);
    },
  };
}

const placeOf = (key: string, revision: number): string => `tradepost/dialogue/1/${revision}/${key}`;

import type { Clock } from '../../../src/platform/ports/clock.ts';
import type { DialogStore } from '../../../src/platform/ports/dialog-store.ts';

/** Dialogues in memory on a clock. */
export function fakeDialogStore(clock: Clock): DialogStore {
  const dialogs = new Map<string, { revision: number; value: string; until: number }>();
  const locks = new Map<string, { token: symbol; until: number }>();
  const updates = new Map<string, { done: boolean; tries: number; leaseUntil: number }>();
  const dialog = (key: string) => {
    const row = dialogs.get(key);
    return row && row.until > clock.now() ? row : null;
  };
  return {
    read: async (key) => {
      const row = dialog(key);
      return row && { revision: row.revision, value: row.value };
    },
    write: async (key, revision, value, ttlSeconds) => {
      if (Buffer.byteLength(value) > 98_304) throw new RangeError(`dialogue ${key}: above 96 kB`);
      if ((dialog(key)?.revision ?? 0) !== revision) return false;
      dialogs.set(key, { revision: revision + 1, value, until: clock.now() + ttlSeconds * 1_000 });
      return true;
    },
    delete: async (key) => void dialogs.delete(key),
    lock: async (key, ttlMs) => {
      const held = locks.get(key);
      if (held && held.until > clock.now()) return null;
      const token = Symbol(key);
      locks.set(key, { token, until: clock.now() + ttlMs });
      return {
        release: async () => {
          if (locks.get(key)?.token === token) locks.delete(key);
        },
      };
    },
    claimUpdate: async (key, leaseMs) => {
      const seen = updates.get(key) ?? { done: false, tries: 0, leaseUntil: 0 };
      if (seen.done) return 'done';
      if (seen.leaseUntil > clock.now()) return 'busy';
      if (seen.tries >= 3) return 'poison';
      updates.set(key, { done: false, tries: seen.tries + 1, leaseUntil: clock.now() + leaseMs });
      return 'claimed';
    },
    finishUpdate: async (key) => {
      updates.set(key, { done: true, tries: 1, leaseUntil: 0 });
    },
    sweep: async () => {
      for (const key of dialogs.keys()) if (!dialog(key)) dialogs.delete(key);
    },
  };
}

import type { DialogStore } from '../../../src/platform/ports/dialog-store.ts';

type Update = { state: 'RUNNING' | 'DONE' | 'FAILED'; until: number; attempts: number };

/** Dialogue state in memory with the port's rules: revisions, leases, three attempts. */
export function memoryDialogStore(now: () => number = Date.now): DialogStore & {
  /** Everything that is stored, as text: for canary scans. */
  dump(): string;
} {
  const rows = new Map<string, { revision: number; value: string; until: number }>();
  const locks = new Map<string, { token: symbol; until: number }>();
  const updates = new Map<string, Update>();
  return {
    dump: () => JSON.stringify([...rows]),
    read: async (key) => {
      const row = rows.get(key);
      return row === undefined || row.until <= now() ? null : { revision: row.revision, value: row.value };
    },
    write: async (key, revision, value, ttlSeconds) => {
      const row = rows.get(key);
      const current = row === undefined || row.until <= now() ? 0 : row.revision;
      if (current !== revision) return false;
      rows.set(key, { revision: revision + 1, value, until: now() + ttlSeconds * 1_000 });
      return true;
    },
    delete: async (key) => void rows.delete(key),
    lock: async (key, ttlMs) => {
      const held = locks.get(key);
      if (held !== undefined && held.until > now()) return null;
      const token = Symbol(key);
      locks.set(key, { token, until: now() + ttlMs });
      return {
        release: async () => {
          if (locks.get(key)?.token === token) locks.delete(key);
        },
      };
    },
    claimUpdate: async (key, leaseMs) => {
      const update = updates.get(key) ?? { state: 'RUNNING', until: 0, attempts: 0 };
      if (update.state === 'DONE') return 'done';
      if (update.state === 'FAILED') return 'done';
      if (update.until > now()) return 'busy';
      if (update.attempts >= 3) {
        updates.set(key, { ...update, state: 'FAILED' });
        return 'poison';
      }
      updates.set(key, { state: 'RUNNING', until: now() + leaseMs, attempts: update.attempts + 1 });
      return 'claimed';
    },
    finishUpdate: async (key) => void updates.set(key, { state: 'DONE', until: 0, attempts: 0 }),
    sweep: async () => undefined,
  };
}

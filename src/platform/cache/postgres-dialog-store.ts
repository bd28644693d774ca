import { randomUUID } from 'node:crypto';
import type { DialogStore } from '../ports/dialog-store.ts';
import { assertFits, MAX_TRIES, UPDATE_KEPT_SECONDS } from './limits.ts';

// SQL: unlogged tables of the chat, read and compared-and-set at every update.

/** One statement on Postgres, committed by itself; the database adapter supplies it. */
type Query = <Row>(text: string, values: readonly (string | number)[]) => Promise<readonly Row[]>;

/**
 * Dialogues in unlogged tables (`bot_dialogs`, `bot_locks`, `bot_updates`), judged by the server's clock. A lock is a row with
 * an end and not an advisory lock, which would pin a connection for as long as a handler runs.
 */
export function createPostgresDialogStore(db: { readonly query: Query }): DialogStore {
  return { ...dialogStates(db), ...updatesOnce(db) };
}

/** A dialogue's memory between two messages. */
function dialogStates({
  query,
}: {
  readonly query: Query;
}): Pick<DialogStore, 'read' | 'write' | 'delete' | 'sweep'> {
  return {
    read: async (key) => {
      const [row] = await query<{ readonly revision: number; readonly value: string }>(
        'SELECT revision, value FROM bot_dialogs WHERE key = $1 AND expires_at > now()',
        [key],
      );
      return row ?? null;
    },
    write: async (key, revision, value, ttlSeconds) => {
      assertFits(key, value);
      const rows =
        revision === 0
          ? await query(
              `INSERT INTO bot_dialogs AS dialog (key, revision, value, expires_at)
               VALUES ($1, 1, $2, now() + make_interval(secs => $3::float8))
               ON CONFLICT (key) DO UPDATE
               SET revision = 1, value = excluded.value, expires_at = excluded.expires_at
               WHERE dialog.expires_at <= now() RETURNING key`,
              [key, value, ttlSeconds],
            )
          : await query(
              `UPDATE bot_dialogs
               SET revision = revision + 1, value = $2, expires_at = now() + make_interval(secs => $3::float8)
               WHERE key = $1 AND revision = $4::int AND expires_at > now() RETURNING key`,
              [key, value, ttlSeconds, revision],
            );
      return rows.length > 0;
    },
    delete: async (key) => {
      await query('DELETE FROM bot_dialogs WHERE key = $1', [key]);
    },
    sweep: async () => {
      for (const table of ['bot_dialogs', 'bot_locks', 'bot_updates']) {
        await query(`DELETE FROM ${table} WHERE expires_at <= now()`, []);
      }
    },
  };
}

/** One update at a time for a chat, and each update once. A lease that ends too late was taken before the server's clock was set back. */
function updatesOnce({
  query,
}: {
  readonly query: Query;
}): Pick<DialogStore, 'lock' | 'claimUpdate' | 'finishUpdate'> {
  return {
    lock: async (key, ttlMs) => {
      const token = randomUUID();
      const rows = await query(
        `INSERT INTO bot_locks AS held (key, token, expires_at)
         VALUES ($1, $2, now() + make_interval(secs => $3::float8 / 1000))
         ON CONFLICT (key) DO UPDATE SET token = excluded.token, expires_at = excluded.expires_at
         WHERE held.expires_at <= now() OR held.expires_at > excluded.expires_at + interval '1 minute' RETURNING key`,
        [key, token, ttlMs],
      );
      if (rows.length === 0) return null;
      return {
        // Only its own: after the end of the lease the lock may be another process's.
        release: async () => {
          await query('DELETE FROM bot_locks WHERE key = $1 AND token = $2', [key, token]);
        },
      };
    },
    claimUpdate: async (key, leaseMs) => {
      const claimed = await query(
        `INSERT INTO bot_updates AS seen (key, done, tries, lease_until, expires_at)
         VALUES ($1, false, 1, now() + make_interval(secs => $2::float8 / 1000), now() + make_interval(secs => $3::float8))
         ON CONFLICT (key) DO UPDATE SET tries = seen.tries + 1, lease_until = excluded.lease_until
         WHERE NOT seen.done AND seen.tries < $4::int
           AND (seen.lease_until <= now() OR seen.lease_until > excluded.lease_until + interval '1 minute') RETURNING key`,
        [key, leaseMs, UPDATE_KEPT_SECONDS, MAX_TRIES],
      );
      if (claimed.length > 0) return 'claimed';
      const [row] = await query<{ readonly done: boolean; readonly spent: boolean }>(
        `SELECT done, tries >= $2::int AND lease_until <= now() AS spent FROM bot_updates WHERE key = $1`,
        [key, MAX_TRIES],
      );
      if (row?.done) return 'done';
      return row?.spent ? 'poison' : 'busy';
    },
    finishUpdate: async (key) => {
      await query(
        `INSERT INTO bot_updates (key, done, tries, lease_until, expires_at)
         VALUES ($1, true, 1, now(), now() + make_interval(secs => $2::float8))
         ON CONFLICT (key) DO UPDATE SET done = true, expires_at = excluded.expires_at`,
        [key, UPDATE_KEPT_SECONDS],
      );
    },
  };
}

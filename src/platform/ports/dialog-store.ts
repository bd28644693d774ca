/**
 * Conversation state, per-person locks and update de-duplication of the bot. Losing it costs "please start again" and
 * nothing else. Values are text: of at most 64 kB before they are locked, 96 kB after.
 */
export interface DialogStore {
  read(key: string): Promise<{ readonly revision: number; readonly value: string } | null>;
  /**
   * Writes when the stored revision is still `revision` (0 = must not exist), which makes it `revision + 1`; false when another
   * handler wrote first. Throws a RangeError for a value above the most.
   */
  write(key: string, revision: number, value: string, ttlSeconds: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Takes the lock for `ttlMs`; null when another process holds it. */
  lock(key: string, ttlMs: number): Promise<{ release(): Promise<void> } | null>;
  /** Claims an update before it is handled. `done`: skip it. `busy`: another process is at it. `poison`: three tries failed. */
  claimUpdate(key: string, leaseMs: number): Promise<'claimed' | 'done' | 'busy' | 'poison'>;
  /** The update was handled (or given up): `done` from now on, for 48 hours. */
  finishUpdate(key: string): Promise<void>;
  /** Forgets expired rows. */
  sweep(): Promise<void>;
}

/**
 * What protects one person's money beside the key: PIN, freeze, daily cap. A person without a row has the empty guard.
 * Times are epoch milliseconds.
 */
export type Guard = {
  readonly userId: string;
  /** Peppered argon2id; null = no PIN yet, and then nothing may leave. */
  readonly pinHash: string | null;
  /** Tries that were taken and not followed by a right one. */
  readonly pinFailures: number;
  /** Lock-outs in a row: each makes the next one longer. */
  readonly pinLocks: number;
  readonly pinLockedUntil: number | null;
  /** The ages of addresses count from here at the earliest: set anew when the PIN changes. */
  readonly delayFrom: number | null;
  readonly frozenAt: number | null;
  /** When the unfreezing that was asked for takes effect. */
  readonly unfreezeAt: number | null;
  /** Lamports that may leave within 24 hours; null = the service's own cap. */
  readonly capLamports: bigint | null;
  /** A raised cap that waits for its time. */
  readonly nextCapLamports: bigint | null;
  readonly nextCapAt: number | null;
};

/** What the operator sets for everybody. */
export type GuardRules = {
  /** How long a new address, a raised cap and an unfreezing wait. 0 on a local chain. */
  readonly delayMs: number;
  readonly dailyCapLamports: bigint;
};

export function emptyGuard(userId: string): Guard {
  return {
    userId,
    pinHash: null,
    pinFailures: 0,
    pinLocks: 0,
    pinLockedUntil: null,
    delayFrom: null,
    frozenAt: null,
    unfreezeAt: null,
    capLamports: null,
    nextCapLamports: null,
    nextCapAt: null,
  };
}

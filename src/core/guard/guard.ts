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
  /** The sealed secret of the authenticator; null = the PIN is enough. */
  readonly totpBox: string | null;
  /** The newest step whose code was used: neither it nor an older one is taken again. */
  readonly totpStep: number | null;
  /** When the second factor ends, because an operator was asked for it. */
  readonly totpEndsAt: number | null;
  /** Digests of the recovery codes that are left: each stands for a code of the authenticator, once. */
  readonly recoveryCodes: readonly string[];
  /** A secret that was made and is not confirmed by a code yet; null while new recovery codes alone wait. */
  readonly nextTotpBox: string | null;
  /** Digests of the recovery codes that were shown and are not confirmed yet. */
  readonly nextRecoveryCodes: readonly string[];
  /** Digest of the link that shows them; null once it was opened. */
  readonly nextTotpLink: string | null;
  readonly nextTotpUntil: number | null;
  /** Lamports that may be spent within 24 hours without a PIN; null = the service's own cap. */
  readonly spendCapLamports: bigint | null;
  /** A raised spending cap that waits for its time. */
  readonly nextSpendCapLamports: bigint | null;
  readonly nextSpendCapAt: number | null;
  /** Until then a PIN that was right lets trades through without asking again. */
  readonly unlockedUntil: number | null;
  /** The present PIN unlocks trades from here on; null = at any time. */
  readonly unlocksFrom: number | null;
  /** Digest of the try that is being compared; what stays of one whose process died meanwhile. */
  readonly pinTrying: string | null;
};

/** What the operator sets for everybody. */
export type GuardRules = {
  /** How long a new address, a raised cap and an unfreezing wait. 0 on a local chain. */
  readonly delayMs: number;
  readonly dailyCapLamports: bigint;
  /** What a chat may spend within 24 hours without its PIN. */
  readonly spendCapLamports: bigint;
};

/** Nothing waits to be confirmed. */
export const NO_ENROLMENT = {
  nextTotpBox: null,
  nextRecoveryCodes: [],
  nextTotpLink: null,
  nextTotpUntil: null,
} as const;

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
    totpBox: null,
    totpStep: null,
    totpEndsAt: null,
    recoveryCodes: [],
    ...NO_ENROLMENT,
    spendCapLamports: null,
    nextSpendCapLamports: null,
    nextSpendCapAt: null,
    unlockedUntil: null,
    unlocksFrom: null,
    pinTrying: null,
  };
}

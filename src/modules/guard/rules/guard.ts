import type { Rate } from './acts.ts';
import type { RateRule } from './judge-act.ts';

/**
 * The protection of one person's money beside the key: PIN, freeze, daily cap. A person without a row has the empty guard. Times are
 * epoch milliseconds.
 */
export type Guard = {
  readonly userId: string;
  /** Peppered argon2id; null = no PIN yet, and then nothing may leave. */
  readonly pinHash: string | null;
  /** When the present PIN was set or changed; null without one. See `ripe.ts`. */
  readonly pinSetAt: number | null;
  /** No PIN was there before it. */
  readonly pinIsFirst: boolean;
  /** When it was last right; null = not yet. */
  readonly pinRightAt: number | null;
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
  /** Digests of the recovery codes that are left: each replaces a code of the authenticator, once. */
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
  /** Digest of the try that is being compared; it stays when the process dies meanwhile. */
  readonly pinTrying: string | null;
  /** Where notices with Stop go beside the chat; null = nowhere else. */
  readonly noticeMail: string | null;
  /** The address that takes its place at that moment; null there = none. No moment = no change waits. */
  readonly nextNoticeMail: string | null;
  readonly nextNoticeMailAt: number | null;
  /** Grows with each lock: grants of orders under an earlier one count no more. */
  readonly lockEpoch: number;
  /** When the signer certified it, epoch milliseconds; 0 = nothing was set yet. A later one makes it void. */
  readonly version: number;
  /** The signer's word for `guardFacts`; null = nothing was set yet. */
  readonly certificate: string | null;
};

/** The operator's settings for everybody. Sums are lamports. */
export type GuardRules = {
  /** How long a new address waits. 0 on a local chain. */
  readonly delayMs: number;
  /**
   * How long a new PIN ripens, and how long an export, a confirmed wallet, a changed payout wallet and a changed notice mail wait. A day: so long the
   * owner of a stolen account cannot be thrown out of it, and reads the first notice. 0 on a local chain.
   */
  readonly longDelayMs: number;
  /** The most that may be withdrawn within 24 hours, and while the PIN is not ripe. */
  readonly dailyCapLamports: bigint;
  readonly unripeCapLamports: bigint;
  /** The most that a chat may spend without its PIN: within 24 hours, and since the last right PIN where there is a ripe one. */
  readonly spendCapLamports: bigint;
  readonly sinceRightPinLamports: bigint;
  /** The most that may be spent within 24 hours in all, and of it on doubted tokens. */
  readonly allSpendingLamports: bigint;
  readonly doubtedLamports: bigint;
  /** Network fees within 24 hours of sales that no other limit has room for: a falling market can always be left. */
  readonly floorFeesLamports: bigint;
  /** The most that the treasury pays out within 24 hours, to all people together. */
  readonly payoutsLamports: bigint;
  /** Of these, the most for debts that the signer cannot prove by trades that it signed. */
  readonly unprovedLamports: bigint;
  readonly rates: Readonly<Record<Rate, RateRule>>;
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
    pinSetAt: null,
    pinRightAt: null,
    pinIsFirst: false,
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
    noticeMail: null,
    nextNoticeMail: null,
    nextNoticeMailAt: null,
    lockEpoch: 0,
    version: 0,
    certificate: null,
  };
}

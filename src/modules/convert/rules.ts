import { mulDivFloor } from '@tradepost/solana';

/**
 * A period in which points can be given for a share of a fixed budget of lamports. Announced once, with its budget and dates,
 * which never change; it is settled after its end, or cancelled before settling has begun.
 */
export type ConvertPeriod = {
  /** From 1, in the order of announcement. */
  readonly number: number;
  readonly budgetLamports: bigint;
  /** Entries are taken in [opensAt, closesAt), epoch milliseconds. */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly announcedAt: number;
  readonly status: 'ANNOUNCED' | 'SETTLING' | 'SETTLED' | 'CANCELLED';
  /** All points entered, fixed when settling began. */
  readonly totalPoints: bigint | null;
  /** The sum of all shares, known when the period is settled; the rest of the budget stays with the service. */
  readonly paidLamports: bigint | null;
  /** Null: an earlier release wrote the row, and `ops trust adopt` has not certified it. */
  readonly seal: PeriodSeal | null;
};

/** The certificate of a period's budget and dates. The operator's command makes it with the master key; no process makes one. */
export type PeriodSeal = {
  /** When it was made, epoch milliseconds. Payouts of the period count from the signer's journal of this moment on. */
  readonly at: number;
  /** Lamports that were paid from the period before, and that no line of the journal counts. */
  readonly uncountedLamports: bigint;
  readonly certificate: string;
};

/** The facts of a period that are certified. Its number is none: the signer counts payouts by `opensAt`. */
export type PeriodFacts = Pick<ConvertPeriod, 'budgetLamports' | 'opensAt' | 'closesAt'> &
  Pick<PeriodSeal, 'at' | 'uncountedLamports'> & {
    /** The operator took the period back. */
    readonly isCancelled: boolean;
  };

/** The facts that the period's certificate must be over; null where it has none. */
export function periodFacts(period: ConvertPeriod): PeriodFacts | null {
  const { budgetLamports, opensAt, closesAt, status, seal } = period;
  if (seal === null) return null;
  const { at, uncountedLamports } = seal;
  return { budgetLamports, opensAt, closesAt, at, uncountedLamports, isCancelled: status === 'CANCELLED' };
}

/** The reward of a person's share of a period has this name, and no other reward has. */
export const conversionName = (period: number, userId: string): string => `${period}.${userId}`;

/** Points that a person gave in a period. */
export type ConvertEntry = {
  readonly id: string;
  readonly period: number;
  readonly userId: string;
  /** Minted before the confirm button was shown. */
  readonly idemKey: string;
  readonly points: bigint;
  readonly createdAt: number;
};

/** How a period ended for a person: `lamports` 0 = the points were given back. */
export type ConvertOutcome = {
  readonly period: number;
  readonly userId: string;
  readonly points: bigint;
  readonly lamports: bigint;
  readonly at: number;
};

/** Fewer points at once are not taken: a share of theirs would be dust. */
export const CONVERT_MINIMUM = 100n;

export type ConvertPhase = 'announced' | 'open' | 'closed' | 'settled' | 'cancelled';

/** The phase of a period. One that is being settled is closed, even if a clock was set back. */
export function phaseOf(period: ConvertPeriod, now: number): ConvertPhase {
  switch (period.status) {
    case 'SETTLED':
      return 'settled';
    case 'CANCELLED':
      return 'cancelled';
    case 'SETTLING':
      return 'closed';
    case 'ANNOUNCED':
      if (now < period.opensAt) return 'announced';
      return now < period.closesAt ? 'open' : 'closed';
  }
}

/** The part of a budget that `points` of `totalPoints` bring, rounded down, so that all parts never exceed the budget. */
export function convertShare(budgetLamports: bigint, points: bigint, totalPoints: bigint): bigint {
  return totalPoints === 0n ? 0n : mulDivFloor(budgetLamports, points, totalPoints);
}

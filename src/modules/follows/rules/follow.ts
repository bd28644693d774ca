import type { Address } from '../../../core/address/address.ts';
import { ageAt } from '../../../core/time/age.ts';

/** A wallet whose trades a person hears of. It tells and trades nothing. */
export type Follow = {
  readonly id: string;
  readonly userId: string;
  /** The wallet that is followed. */
  readonly leader: Address;
  readonly label: string;
  /** Trades that are worth less are no messages; 0 = all. */
  readonly minLamports: bigint;
  /** Whether trades are messages; they are listed either way. */
  readonly notices: boolean;
  /** Epoch milliseconds at which the hour of its notices began; null before the first one. */
  readonly hourAt: number | null;
  /** Trades of that hour that were sent, and those that were only counted. */
  readonly hourTold: number;
  readonly hourHeld: number;
  readonly createdAt: number;
};

export const FOLLOW_LIMITS = {
  perPerson: 20,
  /** Notices of one followed wallet; further ones of the hour are counted and sent as a number. */
  perHour: 20,
  hourMs: 3_600_000,
} as const;

/** Whether the person wants to hear of a trade of this worth. Where it is not known, a person who wants all trades hears of it. */
export function isWanted(
  { notices, minLamports, createdAt }: Follow,
  trade: { readonly lamports: bigint | null; readonly at: number },
): boolean {
  if (!notices || trade.at < createdAt) return false;
  return minLamports === 0n || (trade.lamports !== null && trade.lamports >= minLamports);
}

/** The follow after one more trade that is wanted: sent, or counted for the end of its hour. */
export function afterTrade(follow: Follow, now: number): { readonly after: Follow; readonly tells: boolean } {
  const { hourAt, hourTold, hourHeld } = follow;
  // While some are held the hour stays open until they are sent.
  const isOver = hourAt === null || (hourHeld === 0 && ageAt(hourAt, now) >= FOLLOW_LIMITS.hourMs);
  if (isOver) return { after: { ...follow, hourAt: now, hourTold: 1 }, tells: true };
  return hourTold < FOLLOW_LIMITS.perHour
    ? { after: { ...follow, hourTold: hourTold + 1 }, tells: true }
    : { after: { ...follow, hourHeld: hourHeld + 1 }, tells: false };
}

/** The follow after its held trades were sent as a number. */
export const afterDigest = (follow: Follow): Follow => ({
  ...follow,
  hourAt: null,
  hourTold: 0,
  hourHeld: 0,
});

import { ageAt } from '../../../core/time/age.ts';

/** The hour in which messages of one kind are counted, so that their number has an end. */
export type ToldHour = {
  /** Epoch milliseconds at which the hour began; null before the first message. */
  readonly hourAt: number | null;
  /** Messages of that hour that were sent, and those that were only counted. */
  readonly hourTold: number;
  readonly hourHeld: number;
};

export const HOUR_LIMITS = {
  /** Further ones of the hour are counted and sent as a number. */
  perHour: 20,
  hourMs: 3_600_000,
} as const;

export const NO_HOUR: ToldHour = { hourAt: null, hourTold: 0, hourHeld: 0 };

/** The row after one more message: sent (`tells`), or counted for the end of its hour. `now`: epoch milliseconds. */
export function afterTold<T extends ToldHour>(
  row: T,
  now: number,
): { readonly after: T; readonly tells: boolean } {
  const { hourAt, hourTold, hourHeld } = row;
  // While some are held the hour stays open until they are sent.
  const isOver = hourAt === null || (hourHeld === 0 && ageAt(hourAt, now) >= HOUR_LIMITS.hourMs);
  if (isOver) return { after: { ...row, hourAt: now, hourTold: 1 }, tells: true };
  return hourTold < HOUR_LIMITS.perHour
    ? { after: { ...row, hourTold: hourTold + 1 }, tells: true }
    : { after: { ...row, hourHeld: hourHeld + 1 }, tells: false };
}

/** The row after its held messages were sent as a number. */
export const afterDigest = <T extends ToldHour>(row: T): T => ({ ...row, ...NO_HOUR });

import { utcDate } from '../../../core/time/utc-date.ts';
import { DAY_MS, dayOf } from '../../points/rules/utc.ts';

export const MINUTE_MS = 60_000;
const MINUTES_OF_A_DAY = DAY_MS / MINUTE_MS;

/** What one look at one part found. */
export type HealthMark = {
  readonly part: string;
  /** Epoch milliseconds at which its minute began. */
  readonly minute: number;
  readonly isDown: boolean;
};

/** A UTC day of a part: in how many of its minutes it was measured, and in how many of those it did not answer. */
export type HealthDay = {
  readonly part: string;
  /** `2026-01-31`. */
  readonly day: string;
  readonly measured: number;
  readonly down: number;
};

/** The same day as it is written: a digit for each minute, 1 where it was measured, and 1 where it was down. */
export type DayOfBits = Pick<HealthDay, 'part' | 'day'> & {
  readonly measured: string;
  readonly down: string;
};

/** A digit for each minute of a UTC day, 1 where the part was measured. */
export type MeasuredDay = Pick<DayOfBits, 'day' | 'measured'>;

/**
 * The minutes before `until` (epoch milliseconds) that no day here measured, from the first measured one on. `days` are in order; one that is
 * missing among them was measured in no minute.
 */
export function missedMinutes(days: readonly MeasuredDay[], until: number): readonly number[] {
  const measured = new Set(
    days.flatMap((day) => {
      const start = Date.parse(`${day.day}T00:00:00Z`);
      return Array.from(day.measured).flatMap((bit, at) => (bit === '1' ? [start + at * MINUTE_MS] : []));
    }),
  );
  const first = Math.min(...measured);
  const count = first < until ? Math.round((until - first) / MINUTE_MS) : 0;
  return Array.from({ length: count }, (_, index) => first + index * MINUTE_MS).filter(
    (minute) => !measured.has(minute),
  );
}

/** The beginning of the minute that `ms` is in. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** Marks of any minutes by part and day, each pair once. Of two marks of one minute, the first counts. */
export function daysOfBits(marks: readonly HealthMark[]): readonly DayOfBits[] {
  const days = new Map<string, { readonly part: string; readonly day: string; readonly minutes: string[] }>();
  for (const { part, minute, isDown } of marks) {
    const day = utcDate(minute);
    const key = `${day} ${part}`;
    const { minutes } = days.get(key) ?? { minutes: Array.from({ length: MINUTES_OF_A_DAY }, () => ' ') };
    const at = Math.floor((minute - dayOf(minute) * DAY_MS) / MINUTE_MS);
    if (minutes[at] === ' ') minutes[at] = isDown ? 'd' : 'o';
    days.set(key, { part, day, minutes });
  }
  return [...days.values()].map(({ part, day, minutes }) => ({
    part,
    day,
    measured: minutes.map((one) => (one === ' ' ? '0' : '1')).join(''),
    down: minutes.map((one) => (one === 'd' ? '1' : '0')).join(''),
  }));
}

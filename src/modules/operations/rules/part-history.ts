import { ageAt } from '../../../core/time/age.ts';
import { utcDate } from '../../../core/time/utc-date.ts';
import { DAY_MS, dayOf } from '../../points/rules/utc.ts';
import { type HealthDay, MINUTE_MS } from './health-day.ts';
import { HISTORY_DAYS } from './retention.ts';

/**
 * How a day was: `none` without any measurement, `thin` without a fault in less than nine tenths of its minutes, `whole` without a fault in
 * at least as many. `bad` was an hour or half of the measured minutes down, `some` less.
 */
export type DayKind = 'none' | 'thin' | 'whole' | 'some' | 'bad';

export type DayShown = {
  readonly day: string;
  readonly kind: DayKind;
  readonly measured: number;
  readonly down: number;
};

export type PartHistory = {
  readonly part: string;
  /** Every day of the history, oldest first, those without a measurement too. */
  readonly days: readonly DayShown[];
  /** Hundredths of a percent of the measured minutes in which it answered, rounded down; null where nothing was measured. */
  readonly answeredBps: number | null;
};

const MOST = 0.9;
const LONG_MINUTES = 60;

/** The history of a part to `now`, day by day. */
export function historyOf(part: string, kept: readonly HealthDay[], now: number): PartHistory {
  const own = new Map(kept.filter((day) => day.part === part).map((day) => [day.day, day]));
  const days = Array.from({ length: HISTORY_DAYS }, (_, index): DayShown => {
    const start = (dayOf(now) - (HISTORY_DAYS - 1 - index)) * DAY_MS;
    const day = utcDate(start);
    const { measured = 0, down = 0 } = own.get(day) ?? {};
    const minutes = Math.max(1, Math.min(DAY_MS, ageAt(start, now)) / MINUTE_MS);
    return { day, measured, down, kind: kindOf(measured, down, minutes) };
  });
  const measured = days.reduce((sum, day) => sum + day.measured, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return {
    part,
    days,
    answeredBps: measured === 0 ? null : Math.floor(((measured - down) * 10_000) / measured),
  };
}

function kindOf(measured: number, down: number, minutes: number): DayKind {
  if (measured === 0) return 'none';
  if (down >= LONG_MINUTES || down * 2 >= measured) return 'bad';
  if (down > 0) return 'some';
  return measured < minutes * MOST ? 'thin' : 'whole';
}

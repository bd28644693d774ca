import { withPlainDigits } from '../../../core/text/digits.ts';
import { ageAt } from '../../../core/time/age.ts';
/** A purchase or sale in equal parts. Milliseconds; `total` in smallest units of the mint given. */
export type Schedule = {
  readonly startAt: number;
  readonly intervalMs: number;
  readonly rounds: number;
  readonly total: bigint;
};

/** `slot` counts intervals from the start and moves on with each miss; `done` counts rounds that were carried out. */
export type ScheduleProgress = { readonly slot: number; readonly done: number; readonly missed: number };

export type DueRound =
  | { readonly kind: 'wait'; readonly until: number }
  /** Fire it; it may still start until `until`. */
  | { readonly kind: 'due'; readonly round: number; readonly until: number }
  /** The window of at least one round is over: `progress` with these rounds moved to the end. */
  | { readonly kind: 'missed'; readonly count: number; readonly progress: ScheduleProgress }
  | { readonly kind: 'finished' };

export const SCHEDULE_START: ScheduleProgress = { slot: 0, done: 0, missed: 0 };
export const INTERVAL_LIMITS_MS = { min: 60_000, max: 30 * 86_400_000 } as const;
export const ROUND_LIMITS = { min: 2, max: 100 } as const;

const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, min: 60_000, h: 3_600_000, d: DAY_MS };

/** Reads `12 x 6h`: rounds and the interval between two, in minutes, hours or days. Null for anything else; limits are judged later. */
export function readRhythm(text: string): Pick<Schedule, 'rounds' | 'intervalMs'> | null {
  const [, rounds = '', every = '', unit = ''] =
    /^\s*(\d{1,4})\s*[x×*]\s*(\d{1,5})\s*(min|m|h|d)\s*$/i.exec(withPlainDigits(text)) ?? [];
  const unitMs = UNIT_MS[unit.toLowerCase()];
  return unitMs === undefined ? null : { rounds: Number(rounds), intervalMs: Number(every) * unitMs };
}

/** When the last round is due after the first, if none is missed. */
export function roundsTakeMs({ intervalMs, rounds }: Pick<Schedule, 'rounds' | 'intervalMs'>): number {
  return intervalMs * (rounds - 1);
}

/** How long a schedule lasts at most: twice the time of its rounds, for missed ones move to the end; a day at least. */
export function scheduleLastsMs({ intervalMs, rounds }: Pick<Schedule, 'rounds' | 'intervalMs'>): number {
  return Math.max(DAY_MS, 2 * intervalMs * rounds);
}

/** How late a round may start: half its interval, at least 30 seconds, at most two hours. */
export function lateWindowMs(intervalMs: number): number {
  return Math.min(Math.max(30_000, Math.floor(intervalMs / 2)), 7_200_000);
}

/**
 * The action at `now`. A missed round is not caught up: it moves to the end, so that an outage of a day is not followed by a day's
 * purchases at one price.
 */
export function nextRound(schedule: Schedule, progress: ScheduleProgress, now: number): DueRound {
  if (progress.done >= schedule.rounds) return { kind: 'finished' };
  const dueAt = schedule.startAt + progress.slot * schedule.intervalMs;
  if (now < dueAt) return { kind: 'wait', until: dueAt };
  const late = lateWindowMs(schedule.intervalMs);
  if (now < dueAt + late) return { kind: 'due', round: progress.done + 1, until: dueAt + late };
  // The first round whose window is not over yet.
  const count = Math.floor(ageAt(dueAt + late, now) / schedule.intervalMs) + 1;
  return {
    kind: 'missed',
    count,
    progress: { ...progress, slot: progress.slot + count, missed: progress.missed + count },
  };
}

/** After a round was carried out. */
export function afterRound(progress: ScheduleProgress): ScheduleProgress {
  return { ...progress, slot: progress.slot + 1, done: progress.done + 1 };
}

/**
 * The amount of the next round when `done` rounds have given `given`: the total by rounds, rounded down; the last one takes the remainder.
 * Where the total was changed meanwhile, the remaining rounds share evenly the rest of it.
 */
export function roundAmount({ total, rounds }: Schedule, done: number, given: bigint): bigint {
  const left = total - given;
  const roundsLeft = BigInt(rounds - done);
  if (roundsLeft <= 1n || left < roundsLeft) return left > 0n ? left : 0n;
  const part = total / BigInt(rounds);
  return given === part * BigInt(done) ? part : left / roundsLeft;
}

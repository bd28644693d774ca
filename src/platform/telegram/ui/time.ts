import { marksOf } from '../../../core/text/figures.ts';

/** `2026-11-21 14:02:11 UTC`: all times in the chat are UTC. */
export function utcText(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `12 min`, `5 h`, `3 d`: how old something is, cut. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes === 0) return '<1 min';
  if (minutes < 60) return `${minutes} min`;
  return minutes < 1_440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
}

/** `14:02:11`. */
export function utcClock(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(11, 19);
}

/** `10-02 14:02`: the minute of a day that the reader knows the year of. */
export function utcMinute(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(5, 16).replace('T', ' ');
}

/** `2026-10-02 14:02`. */
export function utcDayMinute(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ');
}

/** `2026-10-02`. */
export function utcDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** `2.1 s`, in Spanish `2,1 s`, `1 min 5 s`: how long something took. */
export function durationText(ms: number, language: string): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1).replace('.', marksOf(language).point)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** `23 h 10 min`, `2 d 3 h`, `<1 min`: how long something still takes, cut to the minute. */
export function leftText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes === 0) return '<1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `5 min`, `4 h`, `1 d`: a whole number of the largest unit that divides it. */
export function intervalText(minutes: number): string {
  if (minutes % 1_440 === 0) return `${minutes / 1_440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

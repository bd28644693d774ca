const DAY_MS = 86_400_000;

/** The UTC date that `ms` (epoch milliseconds) is in, as `2026-01-31`; with `daysBefore`, so many days earlier. */
export function utcDate(ms: number, daysBefore = 0): string {
  return new Date(ms - daysBefore * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

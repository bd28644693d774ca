export const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday; weeks start on Mondays. */
const MONDAY_MS = 3 * DAY_MS;

/** Days since the epoch, UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The UTC day or the week from Monday that `ms` is in, as [from, until). */
export function periodAt(
  period: 'daily' | 'weekly',
  ms: number,
): { readonly from: number; readonly until: number } {
  const length = period === 'daily' ? DAY_MS : WEEK_MS;
  const shift = period === 'daily' ? 0 : MONDAY_MS;
  const from = Math.floor((ms + shift) / length) * length - shift;
  return { from, until: from + length };
}

/** Sums of points are kept by the day. Throws a RangeError for a span that begins or ends within one. */
export function assertWholeDays({ from, until }: { readonly from: number; readonly until: number }): void {
  const isEndless = until === Number.MAX_SAFE_INTEGER;
  if (from % DAY_MS !== 0 || (!isEndless && until % DAY_MS !== 0)) {
    throw new RangeError('points are counted by whole UTC days');
  }
}

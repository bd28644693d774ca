import type { Candle } from '@tradepost/tape';
import type { TwoPrices } from './dollar-change.ts';

/** Minutes of the bars from which changes over less than a day are read. */
export const BAR_MINUTES = 5;

/** The windows of a row, in minutes. */
export const RECENT_MINUTES = [5, 60, 360] as const;
export type RecentMinutes = (typeof RECENT_MINUTES)[number];

/**
 * The last price of a market and the one that held `minutes` ago, of its bars in ascending order. A bar that began before that moment and
 * ends after it holds its open there, so the moment is exact to five minutes. Null where no bar is that old.
 */
export function pricesOver(bars: readonly Candle[], minutes: RecentMinutes, now: number): TwoPrices {
  const priced = bars.filter(({ prices }) => prices !== null);
  const last = priced.at(-1)?.prices ?? null;
  if (last === null) return null;
  const then = now - minutes * 60;
  const closed = priced.findLast(({ t }) => t + BAR_MINUTES * 60 <= then)?.prices ?? null;
  const running = priced.find(({ t }) => t <= then && then < t + BAR_MINUTES * 60)?.prices ?? null;
  return { now: last.close, before: closed?.close ?? running?.open ?? null };
}

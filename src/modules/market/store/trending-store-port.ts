import type { Trend } from '../rules/trending.ts';

/** The windows of trends, in hours. */
export const TREND_HOURS = [1, 6, 24] as const;
export type TrendHours = (typeof TREND_HOURS)[number];

/** The trends of the last computation, for all processes. */
export interface TrendingStore {
  save(hours: TrendHours, trends: readonly Trend[], now: number): Promise<void>;
  /** Null before it was ever worked out. */
  load(hours: TrendHours): Promise<TrendingList | null>;
}

export type TrendingList = {
  /** Epoch milliseconds. */
  readonly computedAt: number;
  /** The highest score first. */
  readonly trends: readonly Trend[];
};

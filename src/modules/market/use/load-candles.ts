import { barStart, type Candle, foldCandles, minutesOf, type Resolution, storedFor } from '@tradepost/tape';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';

/** As many bars as one answer holds. */
export const MAX_CANDLES = 10_000;

export type CandleQuestion = {
  readonly marketId: number;
  readonly resolution: Resolution;
  /** Unix seconds: bars that begin at or after it. */
  readonly from: number;
  /** Unix seconds: and before it. */
  readonly to: number;
  /** The newest so many. */
  readonly limit: number;
};

/** Bars of any resolution, ascending, made of the longest kept ones that fit. */
export async function loadCandles(
  { tape }: { readonly tape: Pick<TapeStore, 'candles'> },
  { marketId, resolution, from, to, limit }: CandleQuestion,
): Promise<readonly Candle[]> {
  const { minutes, perBar } = storedFor(resolution);
  const seconds = minutesOf(resolution) * 60;
  // Bars that begin before `from` or at `to` are not asked for, so all of a bar's parts are.
  const first = barStart(from + seconds - 1, minutesOf(resolution));
  const end = barStart(to + seconds - 1, minutesOf(resolution));
  const stored = await tape.candles(marketId, minutes, { from: first, to: end, limit: limit * perBar });
  const folded = foldCandles(stored, minutesOf(resolution)).filter(({ prices }) => prices !== null);
  return folded.slice(-limit);
}

/** Unix seconds at which the newest bar before a moment begins; null where there is none. */
export async function lastBarBefore(
  { tape }: { readonly tape: Pick<TapeStore, 'lastCandleBefore'> },
  {
    marketId,
    resolution,
    before,
  }: { readonly marketId: number; readonly resolution: Resolution; readonly before: number },
): Promise<number | null> {
  const t = await tape.lastCandleBefore(marketId, storedFor(resolution).minutes, before);
  return t === null ? null : barStart(t, minutesOf(resolution));
}

import {
  type Candle,
  foldTrades,
  isSameBar,
  type RecordedTrade,
  STORED_MINUTES,
  type StoredMinutes,
} from '@tradepost/tape';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';

/** The first bar that differs from the one its trades make. `kept` or `made` is null where there is no such bar. */
export type WrongBar = {
  readonly minutes: StoredMinutes;
  /** Unix seconds of its beginning. */
  readonly t: number;
  readonly kept: Candle | null;
  readonly made: Candle | null;
};

/** Bars of one read. */
const AT_ONCE = 5_000;

/**
 * Works every kept bar of a market out again from its trades, the shortest first, and gives the first that differs; null where none
 * does. `isWhole`: `trades` are all that there ever were; else the bar that the first of them lies in may have had more, and is
 * left out. Trades of the meantime lie behind the last of them and are not looked at.
 */
export async function firstWrongBar(
  tape: Pick<TapeStore, 'candles'>,
  marketId: number,
  trades: readonly RecordedTrade[],
  isWhole: boolean,
): Promise<WrongBar | null> {
  for (const minutes of STORED_MINUTES) {
    const made = new Map(foldTrades(trades, minutes).map((bar) => [bar.t, bar]));
    const times = [...made.keys()];
    const [first, last] = [times[isWhole ? 0 : 1], times.at(-1)];
    if (first === undefined || last === undefined) continue;
    const step = AT_ONCE * minutes * 60;
    for (let from = first; from <= last; from += step) {
      const to = Math.min(from + step, last + 1);
      const read = await tape.candles(marketId, minutes, { from, to, limit: AT_ONCE });
      const kept = new Map(read.map((bar) => [bar.t, bar]));
      const starts = [...new Set([...kept.keys(), ...times.filter((t) => t >= from && t < to)])];
      const wrong = starts.toSorted((a, b) => a - b).find((t) => !agree(kept.get(t), made.get(t)));
      if (wrong !== undefined)
        return { minutes, t: wrong, kept: kept.get(wrong) ?? null, made: made.get(wrong) ?? null };
    }
  }
  return null;
}

function agree(kept: Candle | undefined, made: Candle | undefined): boolean {
  return kept !== undefined && made !== undefined && isSameBar(kept, made);
}

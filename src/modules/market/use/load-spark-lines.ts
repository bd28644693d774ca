import { startOf } from '../../../core/time/age.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';

/** A price for each of the last 24 hours, the oldest first. */
export type SparkLine = readonly number[];

const HOUR = 3_600;
const HOURS = 24;

/**
 * By market id, for small drawings. An hour without a trade has the price of the one before it; a market without a price in all
 * of them is left out.
 */
export async function loadSparkLines(
  { tape, clock }: { readonly tape: Pick<TapeStore, 'candlesOf'>; readonly clock: Clock },
  marketIds: readonly number[],
): Promise<ReadonlyMap<number, SparkLine>> {
  const now = Math.floor(clock.now() / 1_000);
  const first = startOf(now, HOUR) - (HOURS - 1) * HOUR;
  const bars = await tape.candlesOf(marketIds, 60, { from: first, to: now + 1 });
  return new Map(
    [...bars].flatMap(([marketId, candles]) => {
      const closes = new Map(candles.map(({ t, prices }) => [t, prices?.close ?? null]));
      // The price when the first of the hours began is the open of its first bar.
      let price = Number(candles.find(({ prices }) => prices !== null)?.prices?.open ?? Number.NaN);
      if (Number.isNaN(price)) return [];
      const line = Array.from({ length: HOURS }, (_, hour) => {
        const close = closes.get(first + hour * HOUR) ?? null;
        if (close !== null) price = Number(close);
        return price;
      });
      return [[marketId, line] as const];
    }),
  );
}

import { type Address, WSOL_MINT } from '@tradepost/solana';
import { minutesOf, type Resolution, slotOfTrade } from '@tradepost/tape';
import { MOST_CANDLES } from '../../../platform/pictures/rules/candles.ts';
import type { ChartCandle } from '../../../platform/ports/charts.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { MarketData } from './market-data.ts';
import { tokenMarkets } from './token-figures.ts';

export type ChartFacts = {
  /** The unit of the prices: `SOL`. */
  readonly unit: string;
  /** Whether that is SOL. */
  readonly inSol: boolean;
  /** Seconds per bar. */
  readonly step: number;
  readonly candles: readonly ChartCandle[];
  /** Trades in these bars. */
  readonly trades: number;
  readonly last: { readonly at: number /** Unix seconds. */; readonly slot: bigint } | null;
};

/**
 * The newest bars of a token in its deepest market. Null where no trade of it has been
 * seen. Throws DATABASE_UNREACHABLE.
 */
export async function loadChart(
  { market, clock }: { readonly market: Pick<MarketData, 'snapshot' | 'candles'>; readonly clock: Clock },
  { mint, resolution }: { readonly mint: Address; readonly resolution: Resolution },
): Promise<ChartFacts | null> {
  const entry = tokenMarkets(await market.snapshot(), mint).primary;
  if (entry === null) return null;
  const step = minutesOf(resolution) * 60;
  const now = Math.floor(clock.now() / 1_000);
  const bars = await market.candles({
    marketId: entry.market.id,
    resolution,
    from: Math.max(0, now - MOST_CANDLES * step),
    to: now + step,
    limit: MOST_CANDLES,
  });
  const { quoteDecimals, quoteMint, quoteTicker } = entry.market;
  const candles = bars.flatMap(({ t, prices, quote }) =>
    prices === null
      ? []
      : [
          {
            t,
            open: Number(prices.open),
            high: Number(prices.high),
            low: Number(prices.low),
            close: Number(prices.close),
            volume: Number(quote) / 10 ** quoteDecimals,
          },
        ],
  );
  if (candles.length === 0) return null;
  return {
    unit: quoteTicker,
    inSol: quoteMint === WSOL_MINT,
    step,
    candles,
    trades: bars.reduce((sum, { n }) => sum + n, 0),
    last: entry.last === null ? null : { at: entry.last.at, slot: slotOfTrade(entry.last.id) },
  };
}

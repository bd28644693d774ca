import { shortAddress } from '@tradepost/solana';
import { minutesOf } from '@tradepost/tape';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { marksOf } from '../../../core/text/figures.ts';
import type { CandlesPicture } from '../../../platform/ports/charts.ts';
import type { MarketFacts } from './facts.ts';

/** The chart as a picture to share; null before the first price. */
export function marketPicture(facts: MarketFacts, now: number, site: string | null): CandlesPicture | null {
  const { entry, bars, resolution } = facts;
  const { market } = entry;
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
            volume: Number(formatUnits(quote, market.quoteDecimals)),
          },
        ],
  );
  if (candles.length === 0) return null;
  const minutes = minutesOf(resolution);
  const at = new Date(now).toISOString().slice(0, 16).replace('T', ' ');
  return {
    title: `${market.name} · ${minutes} min`,
    subtitle: `${market.venue} · ${shortAddress(market.address)} · ${at} UTC`,
    footer: site === null ? 'Tradepost' : new URL(site).host,
    step: minutes * 60,
    candles,
    trades: [],
    lines: [],
    look: { theme: 'dark', colours: 'blue-orange', marks: marksOf('en') },
  };
}
